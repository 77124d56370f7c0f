/**
 * Our types compared with Kubernetes' own: an object of our type must decode into the Go type, field by field.
 * APIService is left out, because its Go type is in a module that depends on a whole API server.
 */
import { describe, expect, it } from "vitest";
import { kinds } from "@drover/api";
import { schemaFor } from "@drover/api/schemas";
import { exampleOf } from "@drover/api/testing";
import { createRandom, decodeJson, encodeJson, isJsonObject, jsonEqual } from "@drover/machinery";
import type { JsonObject, JsonValue, Kind, Schema } from "@drover/machinery";
import { askOracle, oracleMissing } from "./oracle.ts";

const known = kinds.filter(({ kind }) => kind !== "APIService");

describe("examples of every kind", () => {
  it("are read by the Go type without complaint, and written again with the same fields", (context) => {
    if (oracleMissing !== undefined) context.skip(oracleMissing);
    const rounds = process.env["DROVER_LONG"] === "1" ? 100 : 4;
    for (let round = 0; round < rounds; round++) {
      const options = round === 0 ? { density: 1 } : {};
      const examples = known.map((kind) => ({ kind, object: exampleOf(kind, createRandom(round), options) as unknown as JsonObject }));
      const answers = askOracle(
        "api-object",
        examples.map(({ object }) => encodeJson(object)),
      );
      for (const [index, { kind, object }] of examples.entries()) expectSame(kind, object, answers[index]?.output, answers[index]?.error);
    }
  });
});

function expectSame(kind: Kind, object: JsonObject, output: unknown, error: string | undefined): void {
  const { json, strict } = (output ?? {}) as { readonly json: string; readonly strict: readonly string[] };
  expect([error, strict], `${kind.group}/${kind.version} ${kind.kind}`).toEqual([undefined, []]);
  expect(differences(object, decodeJson(json), schemaFor(kind) ?? {}, kind.kind)).toEqual([]);
}

/** Fields that one side has and the other lacks. Go omits empty values and writes some that were never set; both count as equal. */
function differences(ours: JsonValue | undefined, theirs: JsonValue | undefined, schema: Schema, path: string): readonly string[] {
  // A quantity that was never set is written as "0".
  const isUnset = schema.format === "quantity" && theirs === "0";
  if (isEmpty(ours) && (isEmpty(theirs) || isUnset)) return [];
  if (ours === undefined || theirs === undefined) return [`${path}: ${ours === undefined ? "only theirs" : "only ours"}`];
  // Go writes these in its own form; quantity.test.ts and time.test.ts compare the forms.
  if (schema.format === "quantity" || schema.format === "date-time" || schema.format === "micro-time") return [];
  if (schema.anyOf !== undefined) {
    return schema.anyOf.some((choice) => differences(ours, theirs, choice, path).length === 0)
      ? []
      : [`${path}: differs in every way it may be read`];
  }
  if (Array.isArray(ours) && Array.isArray(theirs) && ours.length === theirs.length) {
    return ours.flatMap((item, index) => differences(item, theirs[index], schema.items ?? {}, `${path}[${index}]`));
  }
  if (isJsonObject(ours) && isJsonObject(theirs) && (schema.properties !== undefined || typeof schema.additionalProperties === "object")) {
    return [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].flatMap((name) => {
      const child =
        schema.properties !== undefined && Object.hasOwn(schema.properties, name) ? schema.properties[name] : schema.additionalProperties;
      return typeof child === "object"
        ? differences(own(ours, name), own(theirs, name), child, `${path}.${name}`)
        : [`${path}.${name}: not in the schema`];
    });
  }
  return jsonEqual(ours, theirs) ? [] : [`${path}: ${encodeJson(ours)} and ${encodeJson(theirs)}`];
}

const own = (object: JsonObject, name: string): JsonValue | undefined => (Object.hasOwn(object, name) ? object[name] : undefined);

function isEmpty(value: JsonValue | undefined): boolean {
  if (typeof value !== "object" || value === null)
    return value === undefined || value === null || value === "" || value === 0 || value === false;
  return Array.isArray(value) ? value.length === 0 : Object.values(value).every(isEmpty);
}
