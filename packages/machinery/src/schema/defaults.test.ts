import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json/json-value.ts";
import { compileSchema } from "./compiled-schema.ts";
import { applyDefaults, dropNulls } from "./defaults.ts";
import type { Schema } from "./schema.ts";

const schema = compileSchema({
  type: "object",
  properties: {
    size: { type: "integer", default: 1 },
    mode: { type: "string", nullable: true, default: "a" },
    nested: { type: "object", properties: { x: { type: "integer", default: 7 } } },
    filled: { type: "object", default: {}, properties: { x: { type: "integer", default: 7 } } },
    list: { type: "array", items: { type: "object", default: { y: 1 }, properties: { x: { type: "integer", default: 7 } } } },
    map: { type: "object", additionalProperties: { type: "object", properties: { x: { type: "integer", default: 7 } } } },
  },
});
const all = { size: 1, mode: "a", filled: { x: 7 } };

describe("applyDefaults", () => {
  it("fills missing fields, and missing objects only if they have a default", () => {
    expect(applyDefaults({}, schema)).toEqual(all);
    expect(applyDefaults({ nested: {} }, schema)).toEqual({ ...all, nested: { x: 7 } });
  });

  it("replaces a null that is not allowed", () => {
    expect(applyDefaults({ size: null, mode: null }, schema)).toEqual({ ...all, mode: null });
    expect(applyDefaults({ list: [null, {}] }, schema)).toEqual({ ...all, list: [{ y: 1, x: 7 }, { x: 7 }] });
  });

  it("descends into values of maps", () => {
    expect(applyDefaults({ map: { a: {}, b: { x: 1 }, c: null } }, schema)).toEqual({ ...all, map: { a: { x: 7 }, b: { x: 1 }, c: null } });
  });

  it("copies defaults, so that a result can be changed", () => {
    const result = applyDefaults({}, schema) as { filled: JsonObject };
    result.filled["x"] = 8;
    expect(applyDefaults({}, schema)).toEqual(all);
    const plain = compileSchema({ type: "object", properties: { a: { type: "object", default: { b: [1] } } } });
    (applyDefaults({}, plain) as { a: { b: number[] } }).a.b.push(2);
    expect(applyDefaults({}, plain)).toEqual({ a: { b: [1] } });
  });

  it("fills a field called __proto__ like any other", () => {
    const hostile = compileSchema({
      type: "object",
      properties: JSON.parse('{"__proto__":{"type":"object","default":{"polluted":true}}}') as Record<string, Schema>,
    });
    expect(JSON.stringify(applyDefaults({}, hostile))).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("returns the same value without a change, and shares unchanged parts", () => {
    const value = { ...all, nested: { x: 1 } };
    expect(applyDefaults(value, schema)).toBe(value);
    const nested = { x: 1 };
    expect((applyDefaults({ nested }, schema) as { nested: JsonObject }).nested).toBe(nested);
  });
});

describe("dropNulls", () => {
  it("removes nulls that are neither allowed nor replaced", () => {
    expect(dropNulls({ size: null, mode: null, nested: null, map: { a: null }, unknown: null, list: [null, { x: null }] }, schema)).toEqual(
      { size: null, mode: null, map: {}, unknown: null, list: [null, { x: null }] },
    );
    expect(dropNulls({ nested: { x: 1, y: null } }, schema)).toEqual({ nested: { x: 1, y: null } });
  });

  it("returns the same value without a change", () => {
    const value = { size: null, list: [null], nested: { x: 1 } };
    expect(dropNulls(value, schema)).toBe(value);
  });
});
