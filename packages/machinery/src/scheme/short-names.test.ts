import { describe, expect, it } from "vitest";
import { ShortNames } from "./short-names.ts";

const wanted = (resource: string, group = "", version = ""): { group: string; version: string; resource: string } => ({
  group,
  version,
  resource,
});

describe("ShortNames", () => {
  it("return the first resource, and warn about each other one once", () => {
    const heard: string[] = [];
    const names = new ShortNames(
      [
        { group: "", plural: "events", shortNames: ["ev"] },
        { group: "apps", plural: "evictions", shortNames: ["ev"] },
        { group: "apps", plural: "evictions", shortNames: ["ev"] },
        { group: "events.k8s.io", plural: "events", shortNames: ["ev"] },
      ],
      (message) => heard.push(message),
    );
    expect(names.expand(wanted("ev", "", "v1"))).toEqual(wanted("events"));
    expect(heard).toEqual([
      'short name "ev" could also match lower priority resource evictions.apps',
      'short name "ev" could also match lower priority resource events.events.k8s.io',
    ]);
  });

  it("search the named group, in full or by prefix", () => {
    const names = new ShortNames([
      { group: "a", plural: "evils", shortNames: ["ev"] },
      { group: "events.k8s.io", plural: "events", shortNames: ["ev"] },
    ]);
    expect(names.expand(wanted("ev", "events.k8s.io", "v1"))).toEqual(wanted("events", "events.k8s.io"));
    expect(names.expand(wanted("ev", "event", "v1"))).toEqual(wanted("events", "events.k8s.io", "v1"));
    expect(names.expand(wanted("ev", "batch"))).toEqual(wanted("ev", "batch"));
  });

  it("yield to a resource of that very name, unless it is in another group", () => {
    const names = new ShortNames([
      { group: "a", plural: "longs", shortNames: ["po", "pos"] },
      { group: "b", plural: "pos", singular: "po" },
    ]);
    expect(names.expand(wanted("po"))).toEqual(wanted("po"));
    expect(names.expand(wanted("pos", "b"))).toEqual(wanted("pos", "b"));
    expect(names.expand(wanted("po", "a"))).toEqual(wanted("longs", "a"));
  });

  it("ignore inherited members", () => {
    expect(new ShortNames([]).expand(wanted("constructor"))).toEqual(wanted("constructor"));
  });
});
