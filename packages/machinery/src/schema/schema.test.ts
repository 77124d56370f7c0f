/** What holds for every schema and every value: the walks of this folder together. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { setOwn } from "../json/own.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { compileSchema } from "./compiled-schema.ts";
import { applyDefaults, dropNulls } from "./defaults.ts";
import { coerceObjectMeta } from "./object-meta.ts";
import { prune } from "./prune.ts";
import type { Schema } from "./schema.ts";
import { checkStructural } from "./structural.ts";
import { validate } from "./validate.ts";

const names = ["a", "b", "spec", "kind", "__proto__", "constructor", "x.y", "é"] as const;

/** Schemas and values from a seed: many small choices, which arbitraries would make slowly. */
class Maker {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  int(bound: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * bound);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(list.length)] as T;
  }

  schema(
    depth: number,
    type = this.pick(["string", "integer", "number", "boolean", "enum", "date", "object", "map", "array", "set", "intOrString"]),
  ): Schema {
    switch (depth === 0 && ["object", "map", "array"].includes(type) ? "string" : type) {
      case "integer":
        return { type: "integer", minimum: -this.int(5), maximum: this.int(5), ...(this.int(2) === 0 ? { format: "int32" } : {}) };
      case "number":
        return { type: "number", exclusiveMaximum: true, maximum: 10 };
      case "boolean":
        return { type: "boolean" };
      case "enum":
        return { type: "string", enum: ["one", "two"] };
      case "date":
        return { type: "string", format: "date", nullable: true };
      case "intOrString":
        return { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] };
      case "set":
        return { type: "array", "x-kubernetes-list-type": "set", items: { type: "integer" }, maxItems: 3 };
      case "array":
        return { type: "array", items: this.schema(depth - 1), maxItems: 3 };
      case "map":
        return { type: "object", additionalProperties: this.schema(depth - 1), ...this.#open() };
      case "object":
        return this.#object(depth);
      default:
        return { type: "string", maxLength: 3, pattern: "^[a-z😀]*$" };
    }
  }

  #open(): Schema {
    return this.int(5) === 0 ? { "x-kubernetes-preserve-unknown-fields": true } : {};
  }

  #object(depth: number): Schema {
    const properties: Record<string, Schema> = {};
    const required: string[] = [];
    for (let count = this.int(4); count > 0; count--) {
      const child = this.schema(depth - 1);
      const name = this.pick(names);
      setOwn(properties, name, this.int(3) === 0 ? { ...child, default: this.value(child) } : child);
      if (this.int(3) === 0) required.push(name);
    }
    return { type: "object", properties, required, ...this.#open() };
  }

  /** A value the schema accepts. */
  value(schema: Schema): JsonValue {
    if (schema.nullable === true && this.int(4) === 0) return null;
    if (schema["x-kubernetes-int-or-string"] === true) return this.pick([5, "5%"]);
    if (schema.enum !== undefined) return this.pick(schema.enum);
    switch (schema.type ?? "object") {
      case "string":
        return schema.format === "date" ? "2020-02-29" : this.pick(["", "a", "abc", "😀😀😀"]);
      case "integer":
        return (schema.minimum ?? 0) + this.int((schema.maximum ?? 9) - (schema.minimum ?? 0) + 1);
      case "number":
        return this.pick([0.5, -3, 9.9]);
      case "boolean":
        return this.int(2) === 0;
      case "array":
        return schema["x-kubernetes-list-type"] === "set"
          ? [1, 2, 3].slice(this.int(4))
          : Array.from({ length: this.int(4) }, () => this.value(schema.items ?? {}));
      default:
        return this.#objectValue(schema);
    }
  }

  #objectValue(schema: Schema): JsonObject {
    const object: JsonObject = {};
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (schema.required?.includes(name) === true || this.int(3) > 0) setOwn(object, name, this.value(property));
    }
    const { additionalProperties } = schema;
    if (typeof additionalProperties === "object")
      for (let count = this.int(3); count > 0; count--) setOwn(object, this.pick(names), this.value(additionalProperties));
    return object;
  }

  /** A value with mistakes: unknown fields, nulls and values of other types. */
  messy(value: JsonValue): JsonValue {
    if (this.int(8) === 0) return this.pick<JsonValue>([null, 1, "x", true, [], {}, [{ a: 1 }], { b: { c: 1 } }]);
    if (Array.isArray(value)) return value.map((item) => this.messy(item));
    if (typeof value !== "object" || value === null) return value;
    const object: JsonObject = {};
    for (const [name, field] of Object.entries(value)) setOwn(object, name, this.messy(field));
    if (this.int(3) === 0) setOwn(object, this.pick([...names, "metadata", "unknown"]), { deep: [{ x: null }] });
    return object;
  }
}

function deepFreeze(value: JsonValue): JsonValue {
  if (typeof value === "object" && value !== null) for (const child of Object.values(Object.freeze(value))) deepFreeze(child);
  return value;
}

const seeds = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const property = (check: (maker: Maker, schema: Schema) => void): void => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const maker = new Maker(seed);
      check(maker, maker.schema(3, "object"));
    }),
  );
};

describe("any schema", () => {
  it("accepts a value made from it", () => {
    property((maker, schema) =>
      expect(validate(deepFreeze(maker.value(schema)), compileSchema(schema)), JSON.stringify(schema)).toEqual([]),
    );
  });

  it("reports a wrong value by its path, and nothing else", () => {
    property((maker, inner) => {
      const path = ["spec", "__proto__", "x.y"].slice(0, 1 + maker.int(3));
      let schema: Schema = inner;
      let value: JsonValue = maker.pick<JsonValue>([5, "x", true, [1]]);
      for (const name of path.toReversed()) {
        const properties: Record<string, Schema> = {};
        const object: JsonObject = {};
        setOwn(properties, name, schema);
        setOwn(object, name, value);
        schema = { type: "object", properties };
        value = object;
      }
      expect(new Set(validate(deepFreeze(value), compileSchema(schema)).map(({ field, type }) => `${type} ${field}`))).toEqual(
        new Set([`TypeInvalid ${path.join(".")}`]),
      );
    });
  });

  it("ignores on updates exactly what has not changed, if it knows the fields", () => {
    property((maker, schema) => {
      const compiled = compileSchema(schema);
      const value = deepFreeze(prune(maker.messy(maker.value(schema)), compiled, { root: "part" }).value);
      const errors = validate(value, compiled, { old: value });
      if (!JSON.stringify(schema).includes("preserve"))
        expect(errors.filter(({ field }) => field !== "kind" && !field.startsWith("kind."))).toEqual([]);
      expect(errors.length).toBeLessThanOrEqual(validate(value, compiled).length);
    });
  });

  it("gives the same defaults the second time", () => {
    property((maker, schema) => {
      const compiled = compileSchema(schema);
      const once = applyDefaults(deepFreeze(maker.messy(maker.value(schema))), compiled);
      expect(applyDefaults(deepFreeze(once), compiled)).toBe(once);
    });
  });

  it("keeps a valid value valid with defaults", () => {
    property((maker, schema) => {
      const compiled = compileSchema(schema);
      expect(validate(applyDefaults(deepFreeze(maker.value(schema)), compiled), compiled)).toEqual([]);
    });
  });

  it("prunes nothing the second time, and no defaults", () => {
    property((maker, schema) => {
      const compiled = compileSchema(schema);
      const { value: once } = prune(deepFreeze(maker.messy(maker.value(schema))), compiled);
      expect(prune(deepFreeze(once), compiled)).toEqual({ value: once, pruned: [] });
      const defaulted = applyDefaults(once, compiled);
      expect(prune(defaulted, compiled).value).toBe(defaulted);
    });
  });

  it("gives the same result the second time on the whole way from the wire to validation", () => {
    property((maker, schema) => {
      const compiled = compileSchema(schema);
      const settle = (value: JsonValue): JsonValue => applyDefaults(dropNulls(prune(value, compiled).value, compiled), compiled);
      const once = settle(deepFreeze(maker.messy(maker.value(schema))));
      expect(settle(deepFreeze(once))).toBe(once);
    });
  });

  it("keeps normalized metadata as it is", () => {
    property((maker, schema) => {
      const coerced = coerceObjectMeta(
        deepFreeze({ metadata: maker.messy({ name: "a", labels: { a: "b" }, ownerReferences: [{ name: "x" }] }) }),
        compileSchema(schema),
        { malformed: "drop" },
      );
      if (!("type" in coerced))
        expect(coerceObjectMeta(deepFreeze(coerced.value), compileSchema(schema), { malformed: "drop" })).toEqual({
          value: coerced.value,
          unknown: [],
        });
    });
  });

  it("never changes Object.prototype (X1)", () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(
      checkStructural({ type: "object", properties: JSON.parse('{"__proto__":{"type":"string"}}') as Record<string, Schema> }, "x"),
    ).toEqual([]);
  });
});
