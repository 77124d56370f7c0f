import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRandom, jsonEqual } from "@drover/machinery";
import type { JsonValue, Kind, Schema } from "@drover/machinery";
import { CustomResourceDefinition } from "../apiextensions/v1.ts";
import { ConfigMap, Namespace, Pod } from "../core/v1.ts";
import { kinds } from "../kind-list.ts";
import { schemaFor } from "../schemas.ts";
import { exampleOf } from "./example-object.ts";

const schemaOf = (kind: Kind): Schema => schemaFor(kind) ?? expect.fail(`no schema for ${kind.kind}`);

describe("exampleOf", () => {
  it("follows the schema of any kind", () => {
    // An object may have thousands of fields.
    const numRuns = 50 + Math.floor((fc.readConfigureGlobal().numRuns ?? 100) / 5);
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.nat(), (kind, seed) => {
        expect(mistakes(exampleOf(kind, createRandom(seed)), schemaOf(kind))).toEqual([]);
      }),
      { numRuns },
    );
  });

  it("has unique entries in sets and maps", () => {
    for (let seed = 0; seed < 500; seed++)
      expect(mistakes(exampleOf(ConfigMap, createRandom(seed), { density: 0.9 }), schemaOf(ConfigMap))).toEqual([]);
  });

  it("has kind, name, and namespace if namespaced", () => {
    expect(exampleOf(Pod, createRandom(1))).toMatchObject({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: expect.any(String) as string, namespace: expect.any(String) as string },
    });
    expect(exampleOf(Namespace, createRandom(1), { density: 1 }).metadata).not.toHaveProperty("namespace");
  });

  it("has every field at density 1, and as few as possible at 0", () => {
    for (const kind of kinds) expect(missing(exampleOf(kind, createRandom(3), { density: 1 }), schemaOf(kind)), kind.kind).toEqual([]);
    expect(Object.keys(exampleOf(Pod, createRandom(3), { density: 0 }))).toEqual(["apiVersion", "kind", "metadata"]);
  });

  it("ends for a recursive schema", () => {
    const { spec } = exampleOf(CustomResourceDefinition, createRandom(3), { density: 1 });
    const schema = spec.versions[0]?.schema?.openAPIV3Schema;
    expect(schema?.not?.title).toBeTypeOf("string");
    expect(schema?.not?.not).toEqual({});
  });

  it("is equal for the same seed", () => {
    expect(jsonEqual(exampleOf(Pod, createRandom(7)), exampleOf(Pod, createRandom(7)))).toBe(true);
    expect(jsonEqual(exampleOf(Pod, createRandom(7), { density: 0.9 }), exampleOf(Pod, createRandom(8), { density: 0.9 }))).toBe(false);
  });

  it("uses keys that every object inherits and integers beyond 2^53, and leaves prototypes alone", () => {
    const examples = Array.from({ length: 100 }, (_, seed) => exampleOf(ConfigMap, createRandom(seed), { density: 0.9 }));
    expect(examples.some(({ data = {} }) => Object.hasOwn(data, "__proto__"))).toBe(true);
    expect(examples.every(({ data = {} }) => Object.getPrototypeOf(data) === Object.prototype)).toBe(true);
    expect(examples.some(({ metadata }) => typeof metadata.generation === "bigint")).toBe(true);
  });

  it("throws for a kind that is not built in", () => {
    expect(() => exampleOf({ ...Pod, group: "example.com" }, createRandom(1))).toThrow("no schema for Pod of example.com/v1");
  });
});

/** An independent checker: returns where the value violates the schema. */
function mistakes(value: unknown, schema: Schema, path = ""): readonly string[] {
  if (schema.enum !== undefined && !schema.enum.includes(value as string)) return [`${path}: not in the enum`];
  if (schema.items !== undefined) {
    if (!Array.isArray(value)) return [`${path}: no list`];
    const { items, "x-kubernetes-list-map-keys": keys, "x-kubernetes-list-type": listType } = schema;
    const nameOf = (item: Record<string, JsonValue>): string =>
      JSON.stringify(keys?.map((key) => item[key] ?? items.properties?.[key]?.default) ?? item);
    const doubles =
      (listType === "map" || listType === "set") && new Set(value.map(nameOf)).size !== value.length ? [`${path}: entries twice`] : [];
    return [...doubles, ...value.flatMap((item, index) => mistakes(item, items, `${path}[${index}]`))];
  }
  if (schema.anyOf !== undefined)
    return schema.anyOf.some((choice) => mistakes(value, choice).length === 0) ? [] : [`${path}: fits no choice`];
  if (schema.properties === undefined && typeof schema.additionalProperties !== "object")
    return hasType(value, schema) ? [] : [`${path}: not ${schema.type ?? schema.format}`];
  if (typeof value !== "object" || value === null) return [`${path}: no object`];
  const absent = (schema.required ?? []).filter((name) => !Object.hasOwn(value, name)).map((name) => `${path}.${name}: missing`);
  return [
    ...absent,
    ...Object.entries(value).flatMap(([name, child]) => {
      const childSchema = schema.properties?.[name] ?? schema.additionalProperties;
      return typeof childSchema === "object" ? mistakes(child, childSchema, `${path}.${name}`) : [`${path}.${name}: unknown`];
    }),
  ];
}

function hasType(value: unknown, { type, format }: Schema): boolean {
  switch (type) {
    case "integer":
      return typeof value === "bigint" ? format === "int64" : Number.isSafeInteger(value);
    case "string":
    case "boolean":
    case "number":
    case "object":
      return typeof value === type;
    case undefined:
    default:
      return format !== "quantity" || typeof value === "string" || typeof value === "number";
  }
}

/** Returns schema fields that the value lacks; follows cycles once. */
function missing(value: unknown, schema: Schema, around: readonly unknown[] = [], path = ""): readonly string[] {
  const { properties, items, additionalProperties } = schema;
  const [first] = typeof value === "object" && value !== null ? (Object.values(value) as unknown[]) : [];
  if (items !== undefined) return missing(first, items, around, `${path}[]`);
  if (typeof additionalProperties === "object") return missing(first, additionalProperties, around, `${path}{}`);
  if (properties === undefined || around.includes(properties)) return value === undefined ? [path] : [];
  return Object.entries(properties).flatMap(([name, child]) => {
    const clusterNamespace = path === ".metadata" && name === "namespace";
    return clusterNamespace
      ? []
      : missing((value as Record<string, unknown> | undefined)?.[name], child, [...around, properties], `${path}.${name}`);
  });
}
