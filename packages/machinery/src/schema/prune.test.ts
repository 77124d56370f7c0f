import { describe, expect, it } from "vitest";
import type { JsonValue } from "../json/json-value.ts";
import { compileSchema } from "./compiled-schema.ts";
import { prune } from "./prune.ts";
import type { Schema } from "./schema.ts";

const schema = compileSchema({
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: { a: { type: "string" }, list: { type: "array", items: { type: "object", properties: { x: { type: "string" } } } } },
    },
    open: {
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
      properties: { shut: { type: "object", properties: { x: { type: "string" } } } },
    },
    openList: {
      type: "array",
      "x-kubernetes-preserve-unknown-fields": true,
      items: { type: "object", properties: { shut: { type: "object" } } },
    },
    map: { type: "object", additionalProperties: { type: "object", properties: { x: { type: "string" } } } },
    anyMap: { type: "object", additionalProperties: true },
    part: { type: "object", "x-kubernetes-embedded-resource": true, properties: { spec: { type: "object" } } },
  },
});
const hostile = JSON.parse('{"__proto__":{"polluted":1},"constructor":1,"spec":{"toString":1}}') as JsonValue;

describe("prune", () => {
  it("removes unknown fields and names them in order", () => {
    expect(prune({ z: 1, spec: { a: "x", é: 1, b: 2, list: [{ y: 1, x: "1" }, 5] } }, schema)).toEqual({
      value: { spec: { a: "x", list: [{ x: "1" }, 5] } },
      pruned: ["spec.b", "spec.list[0].y", "spec.é", "z"],
    });
  });

  it("keeps type and metadata of the object and of embedded resources", () => {
    expect(prune({ apiVersion: "v1", kind: "A", metadata: { odd: 1 }, part: { kind: "B", metadata: { odd: 1 }, odd: 1 } }, schema)).toEqual(
      { value: { apiVersion: "v1", kind: "A", metadata: { odd: 1 }, part: { kind: "B", metadata: { odd: 1 } } }, pruned: ["part.odd"] },
    );
    expect(prune({ kind: "A", spec: { kind: "B" } }, schema, { root: "part" })).toEqual({ value: { spec: {} }, pruned: ["spec.kind"] });
  });

  it("stops where unknown fields are preserved, and continues where they are specified", () => {
    expect(prune({ open: { any: { x: 1 }, shut: { x: "1", y: 1 } }, openList: [{ any: 1, shut: { y: 1 } }] }, schema)).toEqual({
      value: { open: { any: { x: 1 }, shut: { x: "1" } }, openList: [{ any: 1, shut: {} }] },
      pruned: ["open.shut.y", "openList[0].shut.y"],
    });
  });

  it("prunes values of maps, to nothing without a schema", () => {
    expect(prune({ map: { k: { x: "1", y: 1 } }, anyMap: { k: { x: 1 }, s: "t", l: [{ y: 1 }] } }, schema)).toEqual({
      value: { map: { k: { x: "1" } }, anyMap: { k: {}, s: "t", l: [{}] } },
      pruned: ["anyMap.k.x", "anyMap.l[0].y", "map.k.y"],
    });
  });

  it("reads each unknown field once, however many there are", () => {
    const stepsFor = (count: number): number => {
      let steps = 0;
      const counted = new Proxy(Object.fromEntries(Array.from({ length: count }, (_, n) => [`q${n}`, 1])), {
        get: (target, name) => (steps++, Reflect.get(target, name) as JsonValue),
      });
      expect(prune({ spec: counted }, schema)).toMatchObject({ value: { spec: {} } });
      return steps;
    };
    expect(stepsFor(2000)).toBe(2 * stepsFor(1000));
  });

  it("handles hostile names", () => {
    const { value, pruned } = prune(hostile, schema);
    expect(JSON.stringify(value)).toBe('{"spec":{}}');
    expect(pruned).toEqual(["__proto__", "constructor", "spec.toString"]);
    const known = compileSchema({
      type: "object",
      properties: JSON.parse('{"__proto__":{"type":"object","properties":{"polluted":{"type":"integer"}}}}') as Record<string, Schema>,
    });
    expect(JSON.stringify(prune(hostile, known).value)).toBe('{"__proto__":{"polluted":1}}');
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("returns the same value without a change", () => {
    const value = { spec: { a: "x", list: [{ x: "1" }] }, open: { any: {} } };
    expect(prune(value, schema).value).toBe(value);
  });
});
