import { describe, expect, it } from "vitest";

import type { Schema } from "../schema/schema.ts";
import { fieldSetOf } from "./field-set.ts";
import { builtInMergeType, customMergeType } from "./merge-type.ts";
import { reconcileFields } from "./reconcile-fields.ts";
import sampleSchema from "./sample-schema.vectors.json" with { type: "json" };

const type = builtInMergeType(sampleSchema as Schema);

describe("reconcileFields", () => {
  it("makes an owner of a part own all of a value that became atomic", () => {
    const set = fieldSetOf(
      ["f:spec", "f:atomicMap", "f:a"],
      ["f:spec", "f:atomicWords", 'v:"x"'],
      ["f:spec", "f:text"],
      ["f:spec", "f:atomicMap"],
    );
    expect(reconcileFields(set, type)).toEqual(fieldSetOf(["f:spec", "f:atomicMap"], ["f:spec", "f:atomicWords"], ["f:spec", "f:text"]));
  });

  it("descends into items and entries", () => {
    const nested: Schema = {
      type: "object",
      properties: {
        list: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: {
            type: "object",
            properties: { whole: { type: "object", "x-kubernetes-map-type": "atomic", properties: { a: { type: "string" } } } },
          },
        },
      },
    };
    expect(
      reconcileFields(fieldSetOf(["f:list", 'k:{"name":"a"}'], ["f:list", 'k:{"name":"a"}', "f:whole", "f:a"]), builtInMergeType(nested)),
    ).toEqual(fieldSetOf(["f:list", 'k:{"name":"a"}'], ["f:list", 'k:{"name":"a"}', "f:whole"]));
  });

  it("returns the set itself without a change, or without a schema", () => {
    for (const path of [
      ["f:spec", "f:items"],
      ["f:spec", "f:items", 'k:{"name":"a"}', "f:value"],
      ["f:spec", "f:free", "f:a"],
      ["f:zzz", "f:a"],
      ["f:spec", "f:atomicMap"],
    ]) {
      const set = fieldSetOf(path);
      expect(reconcileFields(set, type)).toBe(set);
    }
  });

  it("cannot tell for maps of untyped values", () => {
    const schema: Schema = {
      type: "object",
      properties: {
        map: { type: "object", "x-kubernetes-map-type": "atomic", additionalProperties: { "x-kubernetes-int-or-string": true } },
      },
    };
    const set = fieldSetOf(["f:map", "f:a"]);
    expect(reconcileFields(set, customMergeType(schema, { type: "object" }))).toBe(set);
  });
});
