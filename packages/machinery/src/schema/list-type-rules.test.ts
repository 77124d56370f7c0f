import { describe, expect, it } from "vitest";
import { printFieldError } from "../field/field-error-text.ts";
import type { FieldError } from "../field/field-error.ts";
import { checkListType, checkMapType } from "./list-type-rules.ts";
import type { UncheckedSchema } from "./schema.ts";

function texts(schema: UncheckedSchema): string[] {
  const errors: FieldError[] = [];
  checkMapType(schema, { path: "s", errors });
  checkListType(schema, { path: "s", errors });
  return errors.map(printFieldError);
}

describe("checkListType and checkMapType", () => {
  it("accept known values on lists and objects", () => {
    expect(texts({ type: "object", "x-kubernetes-list-type": "odd" })).toEqual([
      's.type: Invalid value: "object": must be array if x-kubernetes-list-type is specified',
      's.x-kubernetes-list-type: Unsupported value: "odd": supported values: "atomic", "set", "map"',
    ]);
    expect(texts({ "x-kubernetes-map-type": "odd" })).toEqual([
      "s.type: Required value: must be object if x-kubernetes-map-type is specified",
      's.x-kubernetes-map-type: Unsupported value: "odd": supported values: "atomic", "granular"',
    ]);
    expect(texts({ type: "array", "x-kubernetes-list-type": "atomic" })).toEqual([]);
  });

  it("require atomic, non-nullable items of sets", () => {
    expect(texts({ type: "array", "x-kubernetes-list-type": "set", items: { type: "object" } })).toEqual([
      "s.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kubernetes-list-type=set",
    ]);
    expect(texts({ type: "array", "x-kubernetes-list-type": "set", items: { type: "array", "x-kubernetes-list-type": "set" } })).toEqual([
      's.items.x-kubernetes-list-type: Invalid value: "set": must be atomic as item of a list with x-kubernetes-list-type=set',
    ]);
    expect(texts({ type: "array", "x-kubernetes-list-type": "set", items: { type: "string", nullable: true } })).toEqual([
      "s.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is set",
    ]);
  });

  it("require objects with required keys in maps", () => {
    const keys = ["a", "b", "b", "c", "d"];
    const listed = 's.x-kubernetes-list-map-keys: Invalid value: ["a","b","b","c","d"]';
    const items = {
      type: "object",
      required: ["b"],
      properties: { a: { type: "string", nullable: true }, b: { type: "object" }, d: { type: "string", default: "x" } },
    };
    expect(texts({ type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys, items })).toEqual([
      's.items.properties[b].type: Invalid value: "object": must be a scalar type if parent array\'s x-kubernetes-list-type is map',
      's.items.properties[b].type: Invalid value: "object": must be a scalar type if parent array\'s x-kubernetes-list-type is map',
      `${listed}: must not contain duplicate entries`,
      `${listed}: entries must all be names of item properties`,
      "s.items.properties[a].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
      "s.items.properties[a].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it cannot be nullable",
    ]);
    expect(texts({ type: "array", "x-kubernetes-list-type": "map" })).toEqual([
      "s.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map",
      "s.items: Required value: must have a schema if x-kubernetes-list-type is map",
    ]);
    expect(texts({ type: "array", "x-kubernetes-list-map-keys": ["a"] })).toEqual([
      "s.x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty",
    ]);
  });
});
