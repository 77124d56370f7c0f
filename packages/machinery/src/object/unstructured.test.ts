import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json/json-value.ts";
import { deepFreeze } from "../json/readonly.ts";
import {
  nestedBool,
  nestedField,
  nestedInt64,
  nestedMap,
  nestedNumber,
  nestedSlice,
  nestedString,
  nestedStringMap,
  nestedStringSlice,
  removeNestedField,
  setNestedField,
} from "./unstructured.ts";

const object = deepFreeze({
  spec: {
    replicas: 3,
    paused: false,
    ratio: 0.5,
    name: "web",
    nothing: null,
    args: ["a", "b"],
    mixed: ["a", 1],
    labels: { app: "web" },
    odd: { app: 1 },
    big: 2n ** 60n,
    huge: 2n ** 53n + 1n,
  },
});

describe("nestedField and the like", () => {
  it("return the value", () => {
    expect(nestedInt64(object, "spec", "replicas")).toBe(3);
    expect(nestedInt64(object, "spec", "big")).toBe(2n ** 60n);
    expect(nestedBool(object, "spec", "paused")).toBe(false);
    expect(nestedNumber(object, "spec", "ratio")).toBe(0.5);
    expect(nestedNumber(object, "spec", "big")).toBe(2 ** 60);
    expect(nestedString(object, "spec", "name")).toBe("web");
    expect(nestedSlice(object, "spec", "mixed")).toEqual(["a", 1]);
    expect(nestedStringSlice(object, "spec", "args")).toEqual(["a", "b"]);
    expect(nestedMap(object, "spec", "odd")).toEqual({ app: 1 });
    expect(nestedStringMap(object, "spec", "labels")).toEqual({ app: "web" });
    expect(nestedField(object, "spec", "nothing")).toBeNull();
    expect(nestedField(object)).toBe(object);
  });

  it("return undefined for a missing path, also through null", () => {
    for (const read of [
      nestedField,
      nestedInt64,
      nestedBool,
      nestedNumber,
      nestedString,
      nestedSlice,
      nestedStringSlice,
      nestedMap,
      nestedStringMap,
    ]) {
      expect(read(object, "spec", "absent")).toBeUndefined();
      expect(read(object, "status", "absent", "far")).toBeUndefined();
      expect(read(object, "spec", "nothing", "more")).toBeUndefined();
      for (const key of ["__proto__", "constructor", "toString", "hasOwnProperty"]) expect(read(object, "spec", key)).toBeUndefined();
    }
  });

  it.each([
    [
      () => nestedInt64({ spec: { replicas: "foo" } }, "spec", "replicas"),
      ".spec.replicas accessor error: foo is of the type string, expected int64",
    ],
    [() => nestedInt64(object, "spec", "ratio"), ".spec.ratio accessor error: 0.5 is of the type float64, expected int64"],
    [() => nestedString(object, "spec", "nothing"), ".spec.nothing accessor error: <nil> is of the type <nil>, expected string"],
    [
      () => nestedBool(object, "spec", "labels"),
      ".spec.labels accessor error: map[app:web] is of the type map[string]interface {}, expected bool",
    ],
    [() => nestedNumber(object, "spec", "name"), ".spec.name accessor error: web is of the type string, expected float64 or int64"],
    [
      () => nestedNumber(object, "spec", "huge"),
      ".spec.huge accessor error: int64 value 9007199254740993 cannot be losslessly converted to float64",
    ],
    [() => nestedSlice(object, "spec", "name"), ".spec.name accessor error: web is of the type string, expected []interface{}"],
    [
      () => nestedStringSlice(object, "spec", "mixed"),
      ".spec.mixed accessor error: contains non-string key in the slice: 1 is of the type int64, expected string",
    ],
    [
      () => nestedMap(object, "spec", "args"),
      ".spec.args accessor error: [a b] is of the type []interface {}, expected map[string]interface{}",
    ],
    [
      () => nestedStringMap(object, "spec", "odd"),
      '.spec.odd accessor error: contains non-string value in the map under key "app": 1 is of the type int64, expected string',
    ],
    [
      () => nestedString(object, "spec", "args", "0"),
      ".spec.args.0 accessor error: [a b] is of the type []interface {}, expected map[string]interface{}",
    ],
  ])("name the value of another type: case %#", (read, message) => {
    expect(read).toThrow(message);
  });
});

describe("setNestedField", () => {
  it("creates objects on the way and copies the value", () => {
    const target = {};
    const value = deepFreeze({ a: [1] });
    setNestedField(target, value, "spec", "deep", "field");
    expect(target).toEqual({ spec: { deep: { field: { a: [1] } } } });
    expect(Object.isFrozen(nestedField(target, "spec", "deep", "field"))).toBe(false);
    setNestedField(target, 1, "spec", "deep");
    expect(target).toEqual({ spec: { deep: 1 } });
  });

  it("refuses to pass through anything but an object, and sets nothing then", () => {
    const target = { a: { b: [1], c: null } };
    expect(() => setNestedField(target, 1, "a", "b", "c", "d")).toThrow("value cannot be set because .a.b is not a map[string]interface{}");
    expect(() => setNestedField(target, 1, "a", "c", "d")).toThrow("value cannot be set because .a.c is not a map[string]interface{}");
    expect(target).toEqual({ a: { b: [1], c: null } });
  });

  it("lets removeNestedField remove a field if it exists", () => {
    const target = { a: { b: 1, c: [1] } };
    removeNestedField(target, "a", "x", "y");
    removeNestedField(target, "a", "c", "0");
    removeNestedField(target, "a", "b");
    expect(target).toEqual({ a: { c: [1] } });
    for (const key of ["__proto__", "toString"]) removeNestedField(target, key, "polluted");
    expect(typeof target.toString).toBe("function");
  });

  it("requires a path", () => {
    expect(() => setNestedField({}, 1)).toThrow("a path to a field needs at least one key");
    expect(() => removeNestedField({})).toThrow("a path to a field needs at least one key");
  });

  it("writes own keys, never to a prototype", () => {
    const key = fc.oneof(
      fc.constantFrom("__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "", "a.b"),
      fc.string({ maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(key, { minLength: 1, maxLength: 4 }), fc.constantFrom("polluted", "x"), (path, value) => {
        const target: JsonObject = {};
        setNestedField(target, { polluted: value }, ...path);
        expect(nestedMap(target, ...path)).toEqual({ polluted: value });
        expect(Object.keys(target)).toEqual(path.slice(0, 1));
        expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
        expect(({} as JsonObject)["polluted"]).toBeUndefined();
        removeNestedField(target, ...path);
        expect(nestedField(target, ...path)).toBeUndefined();
      }),
    );
  });
});
