import { describe, expect, it } from "vitest";
import { AbsentOwners } from "./absent-owners.ts";

const owner = (
  uid: string,
): { readonly apiVersion: string; readonly kind: string; readonly namespace: string; readonly name: string; readonly uid: string } => ({
  apiVersion: "v1",
  kind: "Pod",
  namespace: "shop",
  name: "web",
  uid,
});

describe("AbsentOwners", () => {
  it("compares all coordinates of an owner", () => {
    const absent = new AbsentOwners({ now: () => 0 });
    absent.add(owner("1"));
    expect([absent.has(owner("1")), absent.has({ ...owner("1"), namespace: "" }), absent.has(owner("2"))]).toEqual([true, false, false]);
  });

  it("G006: drops the least recently used owner", () => {
    const absent = new AbsentOwners({ now: () => 0, max: 2 });
    absent.add(owner("1"));
    absent.add(owner("2"));
    expect(absent.has(owner("1"))).toBe(true);
    absent.add(owner("3"));
    expect([absent.has(owner("1")), absent.has(owner("2")), absent.has(owner("3"))]).toEqual([true, false, true]);
  });

  it("forgets an owner a minute after the server said so, however often it was asked for", () => {
    let nowMs = 0;
    const absent = new AbsentOwners({ now: () => nowMs });
    const gone = { apiVersion: "v1", kind: "ConfigMap", namespace: "shop", name: "a", uid: "1" };
    absent.add(gone);
    nowMs = 59_999;
    expect(absent.has(gone)).toBe(true);
    nowMs = 60_000;
    expect([absent.has(gone), absent.has(gone)]).toEqual([false, false]);
  });
});
