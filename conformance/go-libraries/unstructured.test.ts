import {
  isJsonObject,
  nestedBool,
  nestedField,
  nestedInt64,
  nestedMap,
  nestedNumber,
  nestedSlice,
  nestedString,
  nestedStringMap,
  nestedStringSlice,
  removeNestedField,
  setNestedField,
} from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";
import type { Answer } from "./oracle.ts";

const readers = {
  field: nestedField,
  string: nestedString,
  bool: nestedBool,
  int64: nestedInt64,
  number: nestedNumber,
  slice: nestedSlice,
  stringSlice: nestedStringSlice,
  map: nestedMap,
  stringMap: nestedStringMap,
};

interface Question {
  readonly object: JsonObject;
  readonly path: string[];
  readonly read?: keyof typeof readers;
  readonly set?: JsonValue;
  readonly remove?: true;
}

const key = fc.constantFrom("a", "b", "", "a.b", "__proto__", "toString");
const scalar = fc.constantFrom<JsonValue>(null, true, false, 0, -7, 42, 1.5, -0.25, 1e-7, 0.0001, 1234567.5, 1e21, 1e300, "", "x", 'q"');
const { value } = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof({ maxDepth: 3, depthSize: "medium" }, scalar, fc.array(tie("value"), { maxLength: 2 }), tie("object"), tie("object")),
  object: fc
    .array(fc.tuple(key, tie("value")), { maxLength: 3 })
    .map(
      (entries) =>
        JSON.parse(`{${entries.map(([name, part]) => `${JSON.stringify(name)}:${JSON.stringify(part)}`).join(",")}}`) as JsonObject,
    ),
}));
/** An object, and a path that follows its keys for a while before it may leave them. */
const place = fc
  .tuple(
    value.filter((part) => isJsonObject(part)),
    fc.array(fc.nat(2), { minLength: 1, maxLength: 3 }),
    fc.array(key, { maxLength: 1 }),
  )
  .map(([object, turns, more]) => {
    const path: string[] = [];
    let at: JsonValue | undefined = object;
    for (const turn of turns) {
      const name: string | undefined = isJsonObject(at) ? Object.keys(at)[turn % Object.keys(at).length] : undefined;
      if (name === undefined) break;
      path.push(name);
      at = (at as JsonObject)[name];
    }
    return { object, path: path.length === 0 ? ["a", ...more] : [...path, ...more] };
  });
const question: fc.Arbitrary<Question> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(place, fc.constantFrom(...(Object.keys(readers) as (keyof typeof readers)[])))
      .map(([where, read]) => ({ ...where, read })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        place,
        scalar.filter((part) => part !== null),
      )
      .map(([where, set]) => ({ ...where, set })),
  },
  { weight: 1, arbitrary: place.map((where) => ({ ...where, remove: true as const })) },
);

function ours({ object: target, path: where, read, set, remove }: Question): unknown {
  try {
    if (read !== undefined) {
      const found = readers[read](target, ...where);
      return found === undefined ? { found: false } : { found: true, value: found };
    }
    if (remove) removeNestedField(target, ...where);
    else setNestedField(target, set ?? null, ...where);
    return { object: target };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** With several invalid entries, theirs reports a random one. */
function isBlameRandom({ object: target, path: where, read }: Question): boolean {
  if (read !== "stringMap") return false;
  try {
    return Object.values(nestedMap(target, ...where) ?? {}).filter((part) => typeof part !== "string").length > 1;
  } catch {
    return false;
  }
}

function compare(questions: readonly Question[], answers: readonly Answer[]): void {
  for (const [index, one] of questions.entries()) {
    if (!isBlameRandom(one)) expect(ours(structured(one)), JSON.stringify(one)).toEqual(answers[index]?.output);
  }
}

/** A mutable copy; the question is kept for the message. */
const structured = (one: Question): Question => ({ ...one, object: JSON.parse(JSON.stringify(one.object)) as JsonObject });

describe("fields by path", () => {
  it("are read and written as apimachinery does, with its messages", () => {
    const questions = fc.sample(question, { numRuns: 300, seed: 3 }).filter((one) => !isBlameRandom(one));
    compare(questions, recordedAnswers("unstructured", questions));
  });

  it("are read and written as apimachinery does, whatever the object", (context) => {
    if (oracleMissing !== undefined) context.skip(oracleMissing);
    const questions = fc.sample(question, process.env["DROVER_LONG"] === "1" ? 50_000 : 5_000);
    compare(questions, askOracle("unstructured", questions));
  });
});
