import { describe, expect, it } from "vitest";
import { unreadableKeys, UnreadableKeys } from "./unreadable-keys.ts";

const full = (): UnreadableKeys => {
  const keys = new UnreadableKeys();
  for (let count = 0; count < unreadableKeys.limit; count++) expect(keys.add(`/registry/pods/default/${count}`, "torn")).toBe(true);
  return keys;
};

describe("UnreadableKeys", () => {
  it("fails reads of the key itself and lists that contain it, and nothing else", () => {
    const keys = new UnreadableKeys();
    keys.add("/registry/pods/default/xy", "torn");
    expect([keys.ofKey("/registry/pods/default/xy"), keys.ofPrefix("/registry/pods/")]).toEqual(["torn", "torn"]);
    // A key that only begins alike is another object.
    expect([keys.ofKey("/registry/pods/default/x"), keys.ofPrefix("/registry/pods/other/")]).toEqual([undefined, undefined]);
    keys.delete("/registry/pods/default/xy");
    expect([keys.ofKey("/registry/pods/default/xy"), keys.ofPrefix("/registry/pods/")]).toEqual([undefined, undefined]);
  });

  it("beyond its limit remembers the resource, whose lists fail, and leaves others alone", () => {
    const keys = full();
    expect(keys.add("/registry/secrets/default/x", "torn")).toBe(false);
    expect(keys.ofPrefix("/registry/secrets/")).toContain("more than 1000 objects in etcd cannot be decoded");
    expect(keys.ofPrefix("/registry/secrets/default/")).toBeDefined();
    expect(keys.ofKey("/registry/secrets/default/y")).toBeDefined();
    expect([keys.ofPrefix("/registry/configmaps/"), keys.ofKey("/registry/configmaps/default/x")]).toEqual([undefined, undefined]);
    keys.clear();
    expect(keys.ofPrefix("/registry/")).toBeUndefined();
  });

  it("with too many resources fails everything, in bounded memory", () => {
    const keys = full();
    for (let count = 0; count < 300; count++) keys.add(`/registry/kind${count}/default/x`, "torn");
    expect(keys.ofPrefix("/registry/configmaps/")).toContain("below any prefix");
    keys.add("/registry/more/default/x", "torn");
    expect(keys.ofPrefix("/registry/configmaps/")).toContain("below any prefix");
  });

  it("cuts long reasons", () => {
    const keys = new UnreadableKeys();
    keys.add("/registry/pods/default/x", "y".repeat(100_000));
    expect(keys.ofKey("/registry/pods/default/x")?.length).toBeLessThan(600);
  });
});
