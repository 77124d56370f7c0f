import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { schemaFor } from "@drover/api/schemas";
import {
  applyStrategicMergePatch,
  createRandom,
  diffStrategicMergePatch,
  jsonEqual,
  pick,
  requireKeyUnchanged,
  requireMetadataKeyUnchanged,
  threeWayStrategicMergePatch,
} from "@drover/machinery";
import type { JsonObject, Random, Schema } from "@drover/machinery";

import { askOracle, oracleMissing, recordedAnswers } from "./oracle.ts";
import type { Answer } from "./oracle.ts";
import { linkSchema, randomEdit, randomObject, randomPatch } from "./strategic-patch-grammar.ts";
import type { DescribedType } from "./strategic-patch-grammar.ts";
import { applyTable, diffTable, threeWayTable } from "./strategic-patch-tables.ts";
import type { ApplyQuestion, DiffQuestion, ThreeWayQuestion } from "./strategic-patch-tables.ts";

const kinds = ["Sample", "Pod", "Deployment", "Service", "PodDisruptionBudget"] as const;
/** The schemas from the tags of the Go types. */
const described: ReadonlyMap<string, Schema> = new Map(
  recordedAnswers("strategic-patch-schema", kinds).map((answer, index) => [kinds[index] ?? "", linkSchema(answer.output as DescribedType)]),
);
const groups: Readonly<Record<string, string>> = { Pod: "", Service: "", Deployment: "apps", PodDisruptionBudget: "policy" };

/** The published schema, if there is one; the sample kind exists only in the oracle. */
function schemaOf(kind: string): Schema {
  const group = groups[kind];
  return (group === undefined ? described.get(kind) : schemaFor({ group, version: "v1", kind })) ?? {};
}

const preconditions = (keys: readonly string[] = []): ReturnType<typeof requireKeyUnchanged>[] =>
  keys.flatMap((key) => [requireKeyUnchanged(key), requireMetadataKeyUnchanged(key)]);

function attempt(make: () => JsonObject): Answer {
  try {
    return { output: make() };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

const apply = ({ kind, original, patch }: ApplyQuestion): Answer =>
  attempt(() => applyStrategicMergePatch(original, patch, schemaOf(kind)));
const diff = ({ kind, original, modified, unchanged }: DiffQuestion): Answer =>
  attempt(() => diffStrategicMergePatch(original, modified, schemaOf(kind), { preconditions: preconditions(unchanged) }));
const threeWay = ({ kind, overwrite, unchanged, ...states }: ThreeWayQuestion): Answer =>
  attempt(() =>
    threeWayStrategicMergePatch(states, schemaOf(kind), {
      conflicts: overwrite ? "overwrite" : "refuse",
      preconditions: preconditions(unchanged),
    }),
  );

/** The library shows conflicts as YAML, ours as JSON. */
const withoutDocuments = ({ output, error }: Answer): Answer =>
  error === undefined ? { output } : { error: error.startsWith("patch:\n") ? "conflict" : error };

function checkTable<Q>(subject: string, table: readonly Q[], ours: (question: Q) => Answer): void {
  const answers = recordedAnswers(subject, table);
  for (const [index, question] of table.entries()) {
    const answer = answers[index] ?? {};
    // Where the library panics we refuse with our own message.
    if (answer.error?.startsWith("panic") === true) expect({ question, ...ours(question) }).toHaveProperty("error");
    else expect({ question, ...withoutDocuments(ours(question)) }).toEqual({ question, ...withoutDocuments(answer) });
  }
}

/**
 * Both fail, or both give the same answer. Which of several errors is reported depends on the order of a Go map, so
 * messages are compared only in the tables.
 */
function checkRandom<Q>(
  subject: string,
  make: (random: Random) => Q,
  ours: (question: Q) => Answer,
  ask = (questions: readonly Q[]): Answer[] => askOracle(subject, questions),
): void {
  const { numRuns = 200, seed = 20 } = fc.readConfigureGlobal();
  const random = createRandom(`${subject} ${seed}`);
  const questions = Array.from({ length: Math.min(numRuns * 10, 60_000) }, () => make(random));
  const answers = ask(questions);
  let answered = 0;
  for (const [index, question] of questions.entries()) {
    const answer = answers[index] ?? {};
    const own = ours(question);
    if (answer.error === undefined) answered++;
    if ((own.error === undefined) !== (answer.error === undefined) || !jsonEqual(own.output, answer.output))
      expect({ question, ...own }).toEqual({ question, ...answer });
  }
  expect(answered).toBeGreaterThan(questions.length / 3);
}

/** Every path below an object where two schemas differ about patching. */
function differences(ours: Schema, theirs: Schema, path: string): string[] {
  const names = [...new Set([...Object.keys(ours.properties ?? {}), ...Object.keys(theirs.properties ?? {})])];
  return names.flatMap((name): string[] => {
    const left = ours.properties?.[name];
    const right = theirs.properties?.[name];
    const place = `${path}.${name}`;
    if (left === undefined || right === undefined) return [`${place}: ${left === undefined ? "missing" : "unknown to Go"}`];
    const said = (schema: Schema): string =>
      [goKindOf(schema), schema["x-kubernetes-patch-strategy"], schema["x-kubernetes-patch-merge-key"]].join(" ");
    return [
      ...(said(left) === said(right) ? [] : [`${place}: ${said(left)} instead of ${said(right)}`]),
      ...differences(left.items ?? left, right.items ?? right, place),
    ];
  });
}

const goKindOf = ({ type, properties, additionalProperties }: Schema): string =>
  properties !== undefined ? "struct" : additionalProperties !== undefined ? "map" : type === "array" ? "list" : "other";

/**
 * While it looks for conflicts, the library sorts lists of scalars inside the patch it returns, which may reorder a
 * command line. Ours does not: without a conflict the patch is the one made without that check.
 */
function askWithoutSorting(questions: readonly ThreeWayQuestion[]): Answer[] {
  const unsorted = askOracle(
    "strategic-patch-three-way",
    questions.map((question) => ({ ...question, overwrite: true })),
  );
  return askOracle("strategic-patch-three-way", questions).map((answer, index) =>
    answer.error === undefined ? (unsorted[index] ?? answer) : answer,
  );
}

describe("strategic merge patches, compared with Kubernetes' own library", () => {
  it("reads from the shipped schemas what the tags of the Go types say", () => {
    for (const kind of Object.keys(groups)) expect(differences(schemaOf(kind), described.get(kind) ?? {}, kind)).toEqual([]);
  });

  it("applies a table of hard cases the same way, with the same messages", () => checkTable("strategic-patch", applyTable, apply));
  it("computes the same patches for a table of hard cases", () => checkTable("strategic-patch-diff", diffTable, diff));
  it("computes the same three-way patches for a table of hard cases", () =>
    checkTable("strategic-patch-three-way", threeWayTable, threeWay));

  it("agrees on applying random patches", (context) => {
    if (oracleMissing !== undefined) context.skip(oracleMissing);
    checkRandom(
      "strategic-patch",
      (random): ApplyQuestion => {
        const kind = pick(random, kinds);
        return { kind, original: randomObject(random, schemaOf(kind)), patch: randomPatch(random, schemaOf(kind)) };
      },
      apply,
    );
  });

  it("agrees on the patch between random objects", (context) => {
    if (oracleMissing !== undefined) context.skip(oracleMissing);
    checkRandom(
      "strategic-patch-diff",
      (random): DiffQuestion => {
        const kind = pick(random, kinds);
        const original = randomObject(random, schemaOf(kind));
        return { kind, original, modified: randomEdit(random, original, schemaOf(kind)) };
      },
      diff,
    );
  });

  it("agrees on three-way patches between random objects", (context) => {
    if (oracleMissing !== undefined) context.skip(oracleMissing);
    checkRandom(
      "strategic-patch-three-way",
      (random): ThreeWayQuestion => {
        const kind = pick(random, kinds);
        const original = randomObject(random, schemaOf(kind));
        return {
          kind,
          original,
          modified: randomEdit(random, original, schemaOf(kind)),
          current: randomEdit(random, original, schemaOf(kind)),
          overwrite: random.int(2) === 0,
        };
      },
      threeWay,
      askWithoutSorting,
    );
  });
});
