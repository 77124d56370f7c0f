import type { JsonValue } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { writeOwn } from "./own-values.ts";
import { readOwn } from "./read-own.ts";
import { readTyped } from "./read-typed.ts";
import { typedShape, zeroOfOwn } from "@drover/api/shapes";
import type { OwnName, OwnShape } from "@drover/api/shapes";
import { newTally } from "./tally.ts";
import { writeStruct } from "./write-typed.ts";

const definition = typedShape({ group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" });
const versions = definition?.field("spec")?.shape;
const validation = versions?.kind === "struct" ? versions.field("versions")?.shape : undefined;
const schemaHolder = validation?.kind === "list" && validation.item.kind === "struct" ? validation.item.field("schema")?.shape : undefined;
const schemaShape = schemaHolder?.kind === "struct" ? schemaHolder.field("openAPIV3Schema")?.shape : undefined;
const shapeOf = (name: OwnName): OwnShape => ({
  kind: "own",
  goType: name,
  name,
  schema: schemaShape?.kind === "struct" ? schemaShape : undefined,
});

/** Returns the written value, or "surprise". */
function written(name: OwnName, value: JsonValue): JsonValue {
  const tally = newTally();
  const result = writeOwn(value, shapeOf(name), tally, writeStruct);
  return tally.surprised ? "surprise" : result;
}

const read = (name: OwnName, raw: string, old?: JsonValue): unknown =>
  readOwn(raw, shapeOf(name), old, (inner, shape) => readTyped(inner, shape).value);

const cases: readonly (readonly [OwnName, JsonValue, JsonValue])[] = [
  ["Quantity", "1000m", "1"],
  ["Quantity", "500m", "500m"],
  ["Quantity", " 1 ", "1"],
  ["Quantity", "0", "0"],
  ["Quantity", "1024Ki", "1Mi"],
  ["Quantity", "1.500Gi", "1536Mi"],
  ["Time", "2020-01-01T01:00:00.5+01:00", "2020-01-01T00:00:00Z"],
  ["Time", "0001-01-01T00:00:00Z", null],
  ["MicroTime", "2020-01-01T00:00:00.123456Z", "2020-01-01T00:00:00.123456Z"],
  ["IntOrString", 80, 80],
  ["IntOrString", "80%", "80%"],
  ["RawExtension", { a: [1, { b: null }] }, { a: [1, { b: null }] }],
  ["FieldsV1", 5, 5],
  ["JSON", false, false],
  ["JSONSchemaPropsOrBool", true, true],
  ["JSONSchemaPropsOrBool", { type: "string", title: "" }, { type: "string" }],
  ["JSONSchemaPropsOrArray", { type: "string" }, { type: "string" }],
  ["JSONSchemaPropsOrArray", [{ type: "string" }, null], [{ type: "string" }, {}]],
  ["JSONSchemaPropsOrArray", [], null],
  ["JSONSchemaPropsOrArray", 5, null],
  ["JSONSchemaPropsOrStringArray", ["a", null], ["a", ""]],
  ["JSONSchemaPropsOrStringArray", { type: "string" }, { type: "string" }],
  ["JSONSchemaPropsOrStringArray", [], null],
  ["JSONSchemaPropsOrStringArray", "x", null],
];

describe("types with their own marshaller", () => {
  it.each(cases)("a %s: %j is written as %j", (name, value, expected) => {
    expect(written(name, value)).toEqual(expected);
  });
  it.each(cases)("a %s: %j read from text is written as %j", (name, value, expected) => {
    const again = read(name, JSON.stringify(value)) as JsonValue | undefined;
    expect(again === undefined ? zeroOfOwn(name) : written(name, again)).toEqual(expected);
  });
  it.each<readonly [OwnName, JsonValue]>([
    ["Quantity", 1],
    ["Quantity", "x"],
    ["Time", "today"],
    ["Time", 5],
    ["MicroTime", "2020-01-01T00:00:00Z"],
    ["IntOrString", 1.5],
    ["IntOrString", true],
    ["IntOrString", 2 ** 31],
    ["JSONSchemaPropsOrBool", "x"],
    ["JSONSchemaPropsOrArray", [5]],
    ["JSONSchemaPropsOrStringArray", [5]],
    ["JSONSchemaPropsOrBool", { bogus: 1 }],
  ])("a %s of %j marks the tally as surprised", (name, value) => {
    expect(written(name, value)).toBe("surprise");
  });
});
