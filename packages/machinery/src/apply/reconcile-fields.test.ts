import { describe, expect, it } from "vitest";

import type { Schema } from "../schema/schema.ts";
import { fieldSetOf } from "./field-set.ts";
import { builtInMergeType, customMergeType } from "./merge-type.ts";
import { reconcileFields } from "./reconcile-fields.ts";
import sampleSchema from "./sample-schema.vectors.json" with { type: "json" };

const type = builtInMergeType(sampleSchema as Schema);

describe("reconcileFields", () => {
  it("makes whoever owned a part of what is owned whole today own all of it", () => {
    const set = fieldSetOf(
      ["f:spec", "f:atomicMap", "f:a"],
      ["f:spec", "f:atomicWords", 'v:"x"'],
      ["f:spec", "f:text"],
      ["f:spec", "f:atomicMap"],
    );
    expect(reconcileFields(set, type)).toEqual(fieldSetOf(["f:spec", "f:atomicMap"], ["f:spec", "f:atomicWords"], ["f:spec", "f:text"]));
  });

  it("looks into items and entries", () => {
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

  it("gives back the very set where nothing has changed, or nothing is known", () => {
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

  it("cannot tell for maps of values without a type", () => {
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
