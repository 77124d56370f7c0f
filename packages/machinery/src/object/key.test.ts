import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { objectKey, objectKeyOf, objectNameOf, splitObjectKey } from "./key.ts";
import type { ObjectKey } from "./key.ts";
import type { DeepReadonly } from "../json/readonly.ts";

describe("ObjectKey", () => {
  it("is namespace/name, or the name alone", () => {
    expect(objectKey("web", "default")).toBe("default/web");
    expect(objectKey("node-1")).toBe("node-1");
    expect(objectKey("node-1", "")).toBe("node-1");
    expect(objectKeyOf({ metadata: { name: "web", namespace: "default" } })).toBe("default/web");
    expect(objectKeyOf({ metadata: { name: "node-1" } })).toBe("node-1");
  });

  it("throws for a value without metadata", () => {
    for (const value of [undefined, null, "web", {}, { metadata: null }, { metadata: [] }]) {
      expect(() => objectKeyOf(value)).toThrow("object has no meta: object does not implement the Object interfaces");
    }
  });

  it("splits again", () => {
    expect(splitObjectKey("default/web")).toEqual({ namespace: "default", name: "web" });
    expect(splitObjectKey("node-1")).toEqual({ namespace: "", name: "node-1" });
    expect(splitObjectKey("")).toEqual({ namespace: "", name: "" });
    expect(() => splitObjectKey("a/b/c")).toThrow('unexpected key format: "a/b/c"');
  });

  it("splits into its parts", () => {
    const part = fc.string().filter((text) => !text.includes("/"));
    fc.assert(
      fc.property(part, part, (name, namespace) => {
        expect(splitObjectKey(objectKey(name, namespace))).toEqual({ namespace, name });
        expect(objectNameOf({ metadata: { name, namespace } })).toEqual({ namespace, name });
      }),
    );
  });

  it("is not any string", () => {
    expectTypeOf(objectKey("web")).toEqualTypeOf<ObjectKey>();
    expectTypeOf<ObjectKey>().toExtend<string>();
    expectTypeOf<string>().not.toExtend<ObjectKey>();
    expectTypeOf<DeepReadonly<ObjectKey>>().toEqualTypeOf<ObjectKey>();
  });
});
