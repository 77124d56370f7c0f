import { ConfigMap, Secret } from "@drover/api/core/v1";
import type { Kind } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { Registry } from "./registry.ts";
import type { Resource } from "./resource.ts";

const resource = (kind: Kind): Resource => ({ kind }) as unknown as Resource;

describe("Registry", () => {
  it("finds served resources only", () => {
    const registry = new Registry();
    const secrets = resource(Secret);
    registry.serve("", [secrets]);
    expect(registry.find({ group: "", version: "v1", resource: "secrets" })).toBe(secrets);
    expect(registry.find({ group: "", version: "v2", resource: "secrets" })).toBeUndefined();
    registry.serve("", []);
    expect(registry.find({ group: "", version: "v1", resource: "secrets" })).toBeUndefined();
  });
  it("notifies dependents once when a resource is removed or replaced", () => {
    const registry = new Registry();
    const [secrets, maps] = [resource(Secret), resource(ConfigMap)];
    registry.serve("a", [secrets]);
    registry.serve("b", [maps]);
    const before = registry.resources;
    const told: string[] = [];
    registry.onRetired(secrets, () => told.push("secrets"));
    registry.onRetired(secrets, () => told.push("nobody"))();
    registry.onRetired(maps, () => told.push("maps"));
    registry.serve("a", [resource(Secret)]);
    expect([told, registry.resources === before]).toEqual([["secrets"], false]);
  });

  it("prefers a custom resource to a built-in one with the same path, and finds the built-in one again afterwards", () => {
    const registry = new Registry();
    const [builtIn, custom] = [resource(Secret), resource(Secret)];
    const secrets = { group: "", version: "v1", resource: "secrets" };
    registry.serve("", [builtIn]);
    registry.serve("secrets.", [custom]);
    expect(registry.find(secrets)).toBe(custom);
    expect(registry.resources).toEqual([builtIn, custom]);
    registry.serve("", [builtIn]);
    expect(registry.find(secrets)).toBe(custom);
    registry.serve("secrets.", []);
    expect(registry.find(secrets)).toBe(builtIn);
    expect(registry.resources).toHaveLength(1);
    expect([registry.hasBuiltInGroup(""), registry.hasBuiltInGroup("apps")]).toEqual([true, false]);
  });
});
