import { definedOnly } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { nameOfWrite, namespaceOfWrite, typedBody } from "./object-body.ts";

const target = { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap", scope: "Namespaced" } as const;

describe("typedBody", () => {
  it("adds missing fields, and returns a complete object itself", () => {
    const object = Object.freeze({ metadata: { name: "c" } });
    expect(typedBody("create configmaps", target, object)).toEqual({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" } });
    expect(typedBody("create configmaps", target, { apiVersion: "", kind: "", metadata: {} })).toMatchObject({
      apiVersion: "v1",
      kind: "ConfigMap",
    });
    const whole = { apiVersion: "v1", kind: "ConfigMap" };
    expect(typedBody("create configmaps", target, whole)).toBe(whole);
  });

  it("rejects another kind and another version", () => {
    expect(() => typedBody("create configmaps", target, { kind: "Secret" })).toThrow(
      "create configmaps: the object is a v1 Secret, but this is the client of v1 ConfigMap",
    );
    expect(() => typedBody("create configmaps", target, { apiVersion: "v2" })).toThrow("the object is a v2 ConfigMap");
  });
});

describe("namespaceOfWrite", () => {
  const of = (own: string | undefined, given: string | undefined, scope: "Namespaced" | "Cluster" = "Namespaced"): string | undefined =>
    namespaceOfWrite("update x", { ...target, scope }, { metadata: definedOnly({ namespace: own }) }, given);

  it("returns the object's or the option's, or both if they agree", () => {
    expect([of("a", undefined), of(undefined, "b"), of("a", "a"), of("", "b"), of(undefined, undefined)]).toEqual([
      "a",
      "b",
      "a",
      "b",
      undefined,
    ]);
    expect(() => of("a", "b")).toThrow('update x: the object has namespace "a" and the options have "b"');
  });

  it("leaves the namespace of a cluster-scoped object to the server", () => {
    expect(of("a", undefined, "Cluster")).toBeUndefined();
  });
});

describe("nameOfWrite", () => {
  it("requires a name", () => {
    expect(nameOfWrite("update x", { metadata: { name: "a" } })).toBe("a");
    expect(() => nameOfWrite("update x", { metadata: { name: "" } })).toThrow("update x: the object has no name");
  });
});
