/**
 * Our codec of built-in kinds compared with Kubernetes' own decoder: the same bodies give the same objects, problems
 * and messages. Checks the tables of Go types as well, and writes them with DROVER_RECORD=1.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { kinds } from "@drover/api";
import { exampleOf } from "@drover/api/testing";
import { createRandom, decodeJson, isJsonObject, jsonEqual, setOwn } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { builtInCodec } from "../../packages/apiserver/src/codec/built-in-codec.ts";
import { DecodeError } from "../../packages/apiserver/src/codec/codec.ts";
import { printChanged } from "./codec-grammar.ts";
import { questions } from "./codec-questions.ts";
import type { Question } from "./codec-questions.ts";
import { printShapeFiles } from "./codec-shapes.ts";
import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";
import type { Answer } from "./oracle.ts";

const folder = join(import.meta.dirname, "../../packages/api/src/shapes/tables");

/** Our result for a body, in the form of the oracle's answers. */
function ours({ text, yaml = false, ...kind }: Question): {
  readonly object?: JsonObject;
  readonly strict?: readonly string[];
  readonly error?: string;
} {
  try {
    const { object, problems } = builtInCodec(kind, () => undefined).decodeBody(text, yaml ? "application/yaml" : "application/json");
    return { object, strict: problems };
  } catch (error) {
    if (error instanceof DecodeError)
      return {
        error: error.message
          .replace(/^the object provided is unrecognized \(must be of type \w+\): (.*) \([^]*\)$/s, "$1")
          .replace(/^.*? in version ".*?" cannot be handled as a \w+: /s, ""),
      };
    throw error;
  }
}

function expectSame(question: Question, { output, error }: Answer): void {
  const mine = ours(question);
  const about = `${question.group}/${question.version} ${question.kind}: ${question.text}`;
  // The oracle decodes into the kind that a body names.
  if (mine.error?.startsWith("converting (") === true || mine.error?.includes("does not match the expected") === true) return;
  // Go keeps untyped values as text, including numbers that we cannot represent.
  if (mine.error === "json: cannot unmarshal number 1e400 into Go value of type float64") return;
  expect(mine.error, about).toBe(error);
  if (output === undefined) return;
  const { json, strict } = output as { readonly json: string; readonly strict: readonly string[] };
  expect(mine.strict, about).toEqual(strict);
  const theirs = withoutEmptyItems(decodeJson(json));
  if (!jsonEqual(withoutNoManagers(mine.object ?? null), theirs)) expect(withoutNoManagers(mine.object ?? null), about).toEqual(theirs);
  const again = builtInCodec(question, () => undefined).decodeValue(mine.object ?? null);
  if (!jsonEqual(again.object, mine.object ?? null)) expect(again.object, `${about}, read again`).toEqual(mine.object);
}

/** Ours keeps an explicitly empty list of managers for ownership tracking; Go drops it when writing. */
function withoutNoManagers(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNoManagers);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => !(key === "managedFields" && Array.isArray(member) && member.length === 0))
      .map(([key, member]) => [key, withoutNoManagers(member)]),
  );
}

/**
 * Go writes null for a pointer to an empty value, such as `items: []` of a schema; we omit the field, which decoding
 * that null gives as well.
 */
function withoutEmptyItems(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutEmptyItems);
  if (!isJsonObject(value)) return value;
  const result: JsonObject = {};
  for (const [key, member] of Object.entries(value)) if (key !== "items" || member !== null) setOwn(result, key, withoutEmptyItems(member));
  return result;
}

describe("the tables of Go types in api/shapes/tables", () => {
  it("equal Kubernetes' own", (ctx) => {
    if (oracleMissing !== undefined) ctx.skip(oracleMissing);
    for (const [name, text] of printShapeFiles()) {
      if (process.env["DROVER_RECORD"] === "1") writeFileSync(join(folder, name), text);
      expect(readFileSync(join(folder, name), "utf8"), name).toBe(text);
    }
  });
});

describe("decoding of unusual bodies", () => {
  const answers = recordedAnswers("codec", questions);
  it.each(questions.map((question, index) => [question.kind, question.text, index] as const))(
    "a %s: %j is read as Go reads it",
    (_kind, _text, index) => {
      expectSame(questions[index] as Question, answers[index] as Answer);
    },
  );
});

describe("decoding of bodies of every kind", () => {
  const rounds = process.env["DROVER_LONG"] === "1" ? 200 : 10;
  it.for([0, 0.002, 0.02, 0.2])("equals Go's, with every piece changed with probability %d", (probability, ctx) => {
    if (oracleMissing !== undefined) ctx.skip(oracleMissing);
    const bodies = Array.from({ length: rounds }, (_, round) =>
      kinds.map((kind, index): Question => {
        const random = createRandom(1000 * round + index);
        const { apiVersion, kind: name, ...rest } = exampleOf(kind, random, { density: round === 0 ? 1 : random.next() / 2 });
        // A change of the kind hides all other problems.
        const example = round % 4 === 1 ? { apiVersion, kind: name, ...rest } : rest;
        return {
          group: kind.group,
          version: kind.version,
          kind: kind.kind,
          text: printChanged(example as unknown as JsonValue, random, probability),
        };
      }),
    ).flat();
    for (const [index, answer] of askOracle("codec", bodies).entries()) expectSame(bodies[index] as Question, answer);
  });
});
