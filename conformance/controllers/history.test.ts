import { ConfigMap } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { History } from "./history.ts";
import type { Version } from "./history.ts";

const version = (name: string, isDeleted = false, kind = "ConfigMap"): Version => ({ kind, isDeleted, object: { metadata: { name } } });

describe("a history", () => {
  it("keeps every version and the current state", () => {
    const history = new History("shop", () => 0);
    for (const each of [version("a"), version("b"), version("a", true)]) history.add(each);
    expect(history.versions).toHaveLength(3);
    expect(history.list(ConfigMap).map(({ metadata }) => metadata.name)).toEqual(["b"]);
    expect([history.get(ConfigMap, "a"), history.get(ConfigMap, "b")?.metadata.name]).toEqual([undefined, "b"]);
  });

  it("is idle while only Events arrive", () => {
    let now = 5;
    const history = new History("shop", () => now);
    now = 10;
    history.add(version("a"));
    now = 20;
    history.add(version("e", false, "Event"));
    expect(history.changedAt).toBe(10);
  });
});
