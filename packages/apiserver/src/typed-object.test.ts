import { ConfigMap, Secret } from "@drover/api/core/v1";
import type { Eviction } from "@drover/api/policy/v1";
import { describe, expect, it } from "vitest";
import { typedBody, typedObject } from "./typed-object.ts";

const object = { kind: "ConfigMap", apiVersion: "v1", metadata: {}, data: { a: "b" } };

describe("typedObject", () => {
  it("returns the object itself as the type of its kind", () => {
    expect(typedObject(ConfigMap, object)).toBe(object);
  });
  it("fails for an object of another kind", () => {
    expect(() => typedObject(Secret, object)).toThrow("v1 Secret expected");
    expect(() => typedBody<Eviction>({ group: "policy", version: "v1", kind: "Eviction" }, object)).toThrow("policy/v1 Eviction expected");
  });
});
