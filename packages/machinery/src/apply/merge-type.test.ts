import { describe, expect, it } from "vitest";

import type { Schema } from "../schema/schema.ts";
import { builtInMergeType, customMergeType, deducedMergeType, defaultForm, formOf, memberType } from "./merge-type.ts";
import type { MergeType } from "./merge-type.ts";

const text: Schema = { type: "string" };
const objectMeta: Schema = { type: "object", properties: { labels: { type: "object", additionalProperties: text }, name: text } };
const field = (type: MergeType | undefined, ...names: readonly string[]): MergeType | undefined =>
  names.reduce((each, name) => (each?.map === undefined ? undefined : memberType(each.map, name)), type);

describe("MergeType", () => {
  it("has sets, keyed lists and atomic lists of the schema", () => {
    const list = (more: Schema): Schema => ({ type: "array", items: text, ...more });
    const type = builtInMergeType({
      type: "object",
      properties: {
        plain: list({}),
        atomic: list({ "x-kubernetes-list-type": "atomic" }),
        set: list({ "x-kubernetes-list-type": "set" }),
        map: list({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port", "name"] }),
        merge: list({ "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name" }),
        mergeSet: list({ "x-kubernetes-patch-strategy": "merge" }),
        retain: list({ "x-kubernetes-patch-strategy": "retainKeys" }),
        typed: list({ "x-kubernetes-list-type": "atomic", "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name" }),
      },
    });
    const keys = (name: string): string | readonly string[] | undefined => {
      const found = field(type, name)?.list;
      return found?.atomic === true ? "atomic" : found?.keys.map((key) => key.name);
    };
    expect(["plain", "atomic", "set", "map", "merge", "mergeSet", "retain", "typed"].map(keys)).toEqual([
      "atomic",
      "atomic",
      [],
      ["name", "port"],
      ["name"],
      [],
      "atomic",
      "atomic",
    ]);
  });

  it("knows scalars by type and format", () => {
    const scalars = [
      text,
      { type: "string", format: "byte" },
      { type: "string", format: "date-time" },
      { type: "integer" },
      { type: "number" },
      { type: "boolean" },
      { format: "quantity", oneOf: [] },
    ].map((schema) => builtInMergeType(schema));
    expect(scalars.map(({ scalar }) => scalar)).toEqual(["string", "string", "untyped", "numeric", "numeric", "boolean", "untyped"]);
    expect(builtInMergeType({ format: "quantity" })).toEqual({ scalar: "untyped" });
  });

  it("allows unnamed fields only where the schema does", () => {
    const type = builtInMergeType({
      type: "object",
      properties: {
        strict: { type: "object", properties: { a: text } },
        map: { type: "object", additionalProperties: text },
        free: { type: "object" },
        closed: { type: "object", additionalProperties: false },
        any: { type: "object", additionalProperties: true },
      },
    });
    expect(field(type, "zzz")).toBeUndefined();
    expect([field(type, "strict", "b"), field(type, "closed", "b"), field(type, "map", "b")?.scalar]).toEqual([
      undefined,
      undefined,
      "string",
    ]);
    expect([field(type, "free", "b"), field(type, "any", "b")]).toEqual([deducedMergeType, deducedMergeType]);
  });

  it("keeps unknown fields below a schema that preserves them", () => {
    const schema: Schema = {
      type: "object",
      properties: {
        spec: {
          type: "object",
          "x-kubernetes-preserve-unknown-fields": true,
          properties: { part: { type: "object", properties: { a: text } } },
        },
      },
    };
    const type = customMergeType(schema, objectMeta);
    expect(field(type, "spec", "zzz")).toBe(deducedMergeType);
    expect(field(type, "spec", "part", "zzz")).toBe(deducedMergeType);
    expect(field(type, "zzz")).toBeUndefined();
  });

  it("gives custom and embedded resources the server's metadata", () => {
    const embedded: Schema = { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true };
    const type = customMergeType(
      { type: "object", properties: { metadata: { type: "object" }, spec: { type: "object", properties: { template: embedded } } } },
      objectMeta,
    );
    expect(field(type, "metadata", "labels", "a")?.scalar).toBe("string");
    expect(field(type, "metadata", "zzz")).toBeUndefined();
    expect(field(type, "spec", "template", "metadata", "zzz")).toBeUndefined();
    expect(field(type, "spec", "template", "apiVersion")?.scalar).toBe("string");
    expect(field(type, "spec", "template", "zzz")).toBe(deducedMergeType);
  });

  it("is deduced for a custom resource without a schema", () => {
    expect(field(customMergeType(undefined, objectMeta), "metadata")).toBe(deducedMergeType);
  });

  it("treats raw extensions as atomic, and free-form objects of custom kinds by field", () => {
    const schema: Schema = { type: "object", properties: { data: { type: "object", "x-kubernetes-preserve-unknown-fields": true } } };
    expect(field(builtInMergeType(schema), "data")?.map?.atomic).toBe(true);
    expect(field(customMergeType(schema, objectMeta), "data")?.map?.atomic).toBe(false);
  });

  it("reads a recursive schema along values only", () => {
    const properties: Record<string, Schema> = {};
    const schema: Schema = { type: "object", properties };
    properties["not"] = schema;
    const type = builtInMergeType(schema);
    expect(field(type, "not", "not", "not")).toBe(type);
  });

  it("ignores inherited members", () => {
    const type = builtInMergeType({ type: "object", properties: { a: text } });
    expect([field(type, "constructor"), field(type, "__proto__")]).toEqual([undefined, undefined]);
  });

  it("handles a value in its form, and others in the type's first", () => {
    expect([{}, [], "x", 1, true, null].map((value) => formOf(deducedMergeType, value))).toEqual([
      "map",
      "list",
      "scalar",
      "scalar",
      "scalar",
      "map",
    ]);
    expect(formOf({ scalar: "string" }, [])).toBe("scalar");
    expect(defaultForm({ list: deducedMergeType.list })).toBe("list");
  });
});
