import { definedOnly, withDeclaredFields } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { nameOfWrite, namespaceOfWrite, refuseLimited, typedBody } from "./object-body.ts";

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

describe("refuseLimited", () => {
  const limited = (...fields: string[]) => withDeclaredFields({ metadata: { name: "a" } }, fields);
  const refuse = (object: object, subresource?: string) => () => refuseLimited("update pods/a", object, subresource);

  it("refuses an object of a cache with declared fields, also a changed copy, and says what to do", () => {
    expect(refuse({ ...limited("spec.nodeName", "status.phase"), spec: {} })).toThrow(
      new TypeError(
        'update pods/a: the object comes from a cache with only the fields ["spec.nodeName","status.phase"], so this would remove its other fields; read it with get first, or use patch',
      ),
    );
  });

  it("accepts whole objects", () => {
    expect(refuse({ metadata: { name: "a" } })).not.toThrow();
  });

  it("accepts a status that the cache has whole or not at all, and nothing else of a limited object", () => {
    expect(refuse(limited("spec"), "status")).not.toThrow();
    expect(refuse(limited("status"), "status")).not.toThrow();
    expect(refuse(limited("status.phase"), "status")).toThrow(TypeError);
    expect(refuse(limited("spec"), "resize")).toThrow(TypeError);
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
