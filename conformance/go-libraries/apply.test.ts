import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { schemaFor } from "@drover/api/schemas";
import {
  createRandom,
  customMergeType,
  decodeFieldSet,
  emptyObjectOf,
  extractItems,
  fieldPaths,
  includeFields,
  intersectFieldSets,
  jsonEqual,
  leafFieldSet,
  parentManagedFields,
  pick,
  printPath,
  removeItems,
  scaleManagedFields,
  subtractFieldSet,
  subtractFieldSetRecursively,
  toFieldSet,
  unionFieldSets,
} from "@drover/machinery";
import type { FieldSet, JsonObject, JsonValue, Random, ReplicasPaths, Schema } from "@drover/machinery";

import { randomFields, randomSample, randomSequence } from "./apply-grammar.ts";
import { sampleSchema } from "./apply-sample.ts";
import { answerApply, sampleDefinition } from "./apply-sequence.ts";
import type { ApplyOutcome, ApplyQuestion } from "./apply-sequence.ts";
import { applyTable, emptyKinds, fieldsTable, scaleTable } from "./apply-tables.ts";
import type { ScaleQuestion } from "./apply-tables.ts";
import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";
import type { Answer } from "./oracle.ts";

/** Which of several errors is named first depends on the order of a Go map, and so does the order of causes. */
function masked({ error, causes, ...outcome }: ApplyOutcome, mistakes: "exact" | "any"): ApplyOutcome {
  return {
    ...outcome,
    ...(error === undefined
      ? {}
      : {
          error:
            mistakes === "any"
              ? error
                  .replace(/(\(ns\/x; [^)]*\)): [^]*/, "$1")
                  .split("\n")
                  .toSorted()
                  .join("\n")
              : error,
        }),
    ...(causes === undefined ? {} : { causes: causes.toSorted() }),
  };
}

function compareSequence(question: ApplyQuestion, { output, error }: Answer, mistakes: "exact" | "any"): readonly ApplyOutcome[] {
  expect(error).toBeUndefined();
  const theirs = output as readonly ApplyOutcome[];
  const ours = answerApply(question);
  for (const [index, outcome] of theirs.entries()) {
    const own = masked(ours[index] ?? {}, mistakes);
    const other = masked(outcome, mistakes);
    const context = { steps: question.steps.slice(0, index + 1), before: theirs[index - 1] };
    if (!jsonEqual(own, other)) expect({ ...context, outcome: own }).toEqual({ ...context, outcome: other });
  }
  return theirs;
}

function attempt(make: () => unknown): Answer {
  try {
    return { output: make() };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

interface SetQuestion {
  readonly op: string;
  readonly a: JsonValue;
  readonly b: JsonValue;
  readonly patterns?: readonly (readonly string[])[];
}

const operations: Readonly<Record<string, (a: FieldSet, b: FieldSet, patterns: readonly (readonly string[])[]) => FieldSet>> = {
  union: unionFieldSets,
  intersection: intersectFieldSets,
  difference: subtractFieldSet,
  recursive: subtractFieldSetRecursively,
  leaves: (a, b) => leafFieldSet(unionFieldSets(a, b)),
  include: (a, _, patterns) => includeFields(...patterns)(a),
};

function randomSetQuestion(random: Random): SetQuestion {
  const a = randomFields(random, 0);
  const elements = fieldPaths(decodeFieldSet(a));
  const pattern = (): string[] =>
    (elements.length === 0 ? ["*"] : pick(random, elements))
      .slice(0, 1 + random.int(3))
      .map((element) => (random.int(3) === 0 ? "*" : element));
  return {
    op: pick(random, Object.keys(operations)),
    a,
    b: randomFields(random, 0),
    patterns: Array.from({ length: 1 + random.int(2) }, pattern),
  };
}

const runs = (factor: number, max: number): number => Math.min((fc.readConfigureGlobal()?.numRuns ?? 200) * factor, max);
const seeded = (name: string): Random => createRandom(`${name} ${fc.readConfigureGlobal()?.seed ?? 20}`);
const answerScale = ({ parent, scale, apiVersion, paths }: ScaleQuestion): JsonValue => {
  const mapped: ReplicasPaths = new Map(
    Object.entries(paths).map(([version, path]) => [version, path?.map((name) => `f:${name}`) ?? null]),
  );
  return { scale: scaleManagedFields(parent, mapped) ?? null, parent: parentManagedFields(parent, scale, apiVersion, mapped) ?? null };
};

describe("server-side apply, compared with Kubernetes' own library", () => {
  it("answers a table of sequences the same way, with the same messages and the same FieldsV1", () => {
    const [, ...answers] = recordedAnswers("apply", [sampleDefinition, ...applyTable]);
    for (const [index, question] of applyTable.entries()) compareSequence(question, answers[index] ?? {}, "exact");
  });

  it("reads FieldsV1 in any form into the same canonical form", () => {
    const answers = recordedAnswers("apply-fields", fieldsTable);
    for (const [index, fields] of fieldsTable.entries()) {
      const { output, error } = answers[index] ?? {};
      const own = attempt(() => JSON.stringify(decodeFieldSet(fields)));
      expect({ fields, output: own.output, failed: own.error !== undefined }).toEqual({ fields, output, failed: error !== undefined });
    }
  });

  it("knows which parts of a built-in kind are there before anybody has set them", () => {
    const answers = recordedAnswers("apply-empty", emptyKinds);
    const differences = emptyKinds.flatMap((kind, index) =>
      differingParts(
        emptyObjectOf(schemaFor(kind) ?? {}, "", "") as JsonValue,
        answers[index]?.output as JsonValue,
        schemaFor(kind) ?? {},
        kind.kind,
      ),
    );
    // A required list that is omitted when empty; its schema does not distinguish it from one that is written.
    expect(differences).toEqual(["ValidatingAdmissionPolicyBinding.spec.validationActions"]);
  });

  it("moves the number of replicas between an object and its Scale", () => {
    const answers = recordedAnswers("apply-scale", scaleTable);
    for (const [index, question] of scaleTable.entries())
      expect({ question, output: answerScale(question) }).toEqual({ question, output: answers[index]?.output });
  });

  it("agrees on random sequences of requests", { timeout: 300_000 }, (context) => {
    if (oracleMissing !== undefined) context.skip(oracleMissing);
    const random = seeded("apply");
    const seen = { done: 0, conflicts: 0, errors: 0 };
    const questions = Array.from({ length: runs(3, 6000) }, () => randomSequence(random));
    for (const [index, answer] of askOracle("apply", [sampleDefinition, ...questions])
      .slice(1)
      .entries()) {
      const question = questions[index];
      if (question === undefined) continue;
      for (const { error, reason } of compareSequence(question, answer, "any"))
        seen[error === undefined ? "done" : reason === "Conflict" ? "conflicts" : "errors"]++;
    }
    expect(seen.conflicts).toBeGreaterThan(questions.length / 3);
    expect(seen.errors).toBeLessThan(questions.length);
    expect(seen.done).toBeGreaterThan(questions.length * 3);
  });

  it("agrees on what is in random sets of fields, and in what order", (context) => {
    if (oracleMissing !== undefined) context.skip(oracleMissing);
    const random = seeded("apply-sets");
    const questions = Array.from({ length: runs(10, 50_000) }, () => randomSetQuestion(random));
    for (const [index, { output, error }] of askOracle("apply-sets", questions).entries()) {
      const question = questions[index];
      if (question === undefined) continue;
      const set = operations[question.op]?.(decodeFieldSet(question.a), decodeFieldSet(question.b), question.patterns ?? []) ?? {};
      const own = { set: JSON.stringify(set), paths: fieldPaths(set).map((path) => printPath(path, { integers: false })) };
      expect(error).toBeUndefined();
      if (!jsonEqual(own, output)) expect({ question, ...own }).toEqual({ question, ...(output as object) });
    }
  });

  it("agrees on taking random fields out of random objects, and on keeping only them", (context) => {
    if (oracleMissing !== undefined) context.skip(oracleMissing);
    const random = seeded("apply-items");
    const type = customMergeType(sampleSchema, schemaFor({ group: "", version: "v1", kind: "ConfigMap" })?.properties?.["metadata"] ?? {});
    const questions = Array.from({ length: runs(3, 20_000) }, () => {
      const value = randomSample(random);
      const fields = random.int(2) === 0 ? toFieldSet(randomSample(random), type) : randomFields(random, 0);
      return { value, fields, keys: random.int(2) === 0 };
    });
    for (const [index, { output, error }] of askOracle("apply-items", [{ schema: sampleSchema }, ...questions])
      .slice(1)
      .entries()) {
      const question = questions[index];
      if (question === undefined || error !== undefined) continue;
      const set = decodeFieldSet(question.fields);
      const own = {
        removed: removeItems(question.value, set, type),
        extracted: extractItems(question.value, set, type, { keyFields: question.keys }),
      };
      if (!jsonEqual(own, output)) expect({ question, ...own }).toEqual({ question, ...(output as object) });
    }
  });
});

/** Where two empty objects have different parts, as far as ownership shows. */
function differingParts(ours: JsonValue | undefined, theirs: JsonValue | undefined, schema: Schema, path: string): string[] {
  const owned =
    schema.type === "array"
      ? ["set", "map"].includes(schema["x-kubernetes-list-type"] ?? "")
      : schema.type === "object" && schema.properties !== undefined && schema["x-kubernetes-map-type"] !== "atomic";
  if (!owned) return [];
  if ((ours === undefined) !== (theirs === undefined)) return [path];
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    differingParts(memberOf(ours, name), memberOf(theirs, name), property, `${path}.${name}`),
  );
}

const memberOf = (value: JsonValue | undefined, name: string): JsonValue | undefined => (value as JsonObject | null | undefined)?.[name];
