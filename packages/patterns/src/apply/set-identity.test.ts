import { ConfigMap, Namespace } from "@drover/api/core/v1";
import { checkLabelValue } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { setIdentity } from "./set-identity.ts";

const owner = (namespace: string, name: string) => ({ kind: ConfigMap, object: { metadata: { namespace, name } } });

describe("setIdentity", () => {
  it("gives a label value that depends on set and owner, but not on the owner's version and uid", () => {
    const one = setIdentity({ name: "web" }, owner("shop", "a"));
    const other = setIdentity(
      { name: "web" },
      { kind: { ...ConfigMap, version: "v2" }, object: { metadata: { namespace: "shop", name: "a", uid: "u" } } },
    );
    expect(checkLabelValue(one.id)).toEqual([]);
    expect(other.id).toBe(one.id);
    expect([one.owner, one.fieldManager]).toEqual(["ConfigMap shop/a", "drover-web"]);
  });

  it("differs if any part differs, also where the joined parts would be the same text", () => {
    const part = fc.stringMatching(/^[a-z]{1,4}$/);
    fc.assert(
      fc.property(fc.tuple(part, part, part), fc.tuple(part, part, part), ([a, b, c], [d, e, f]) => {
        const same = a === d && b === e && c === f;
        expect(setIdentity({ name: a }, owner(b, c)).id === setIdentity({ name: d }, owner(e, f)).id).toBe(same);
      }),
    );
    expect(setIdentity({ name: "web" }, { kind: Namespace, object: { metadata: { name: "a" } } }).owner).toBe("Namespace a");
  });

  it("contains former names", () => {
    const { earlierIds, names } = setIdentity({ name: "new", supersedes: ["old"] }, owner("shop", "a"));
    expect([earlierIds, names]).toEqual([[setIdentity({ name: "old" }, owner("shop", "a")).id], ["new", "old"]]);
  });

  it("rejects names that are not valid in an annotation key, and contradicting options", () => {
    expect(() => setIdentity({ name: "Web App" }, owner("shop", "a"))).toThrow('apply set "Web App": its name is not a DNS label');
    expect(() => setIdentity({ name: "web", method: "three-way", onConflict: "fail" }, owner("shop", "a"))).toThrow(
      'onConflict: "fail" requires method: "server-side"',
    );
  });
});
