/**
 * Random CEL rules in the schema of a custom resource: a real server and ours refuse the same rules, and the others
 * judge objects and changes alike, in the same words.
 */
import type { JsonObject, Schema, StatusCause, ValidationRule } from "@drover/machinery";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { definition, version } from "../apiserver/custom-definitions.ts";
import { realServerMissing } from "../servers/real-server.ts";
import { inTurns, longCases, report, seedOf, startDecidingServers } from "./decisions.ts";
import type { DecidingServers, Told } from "./decisions.ts";
import { randomRule, randomValue, ruledSchema } from "./rule-grammar.ts";

const isLong = process.env["DROVER_LONG"] === "1";
const ruleCount = isLong ? longCases() : 120;
/** Fields with rules of one definition, and the rules of each. */
const fieldCount = 4;
const rulesPerField = 10;
const batchSize = fieldCount * rulesPerField;
const createCount = 4;
const updateCount = 2;

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const objects = "/apis/ex.io/v1/namespaces/default/ruleds";

/** The rules of each field. */
type Rules = readonly (readonly ValidationRule[])[];

const fieldOf = (index: number): string => `p${index}`;

/** The number that an object must have as its mark tells when the server has come to know the rules. */
function definitionOf(rules: Rules, mark: number): JsonObject {
  const ruled = rules.map((some): Schema => ({ ...ruledSchema, ...(some.length === 0 ? {} : { "x-kubernetes-validations": some }) }));
  const schema = {
    type: "object",
    properties: {
      mark: { type: "integer", "x-kubernetes-validations": [{ rule: `self == ${mark}`, message: "no mark" }] },
      ...Object.fromEntries(ruled.map((one, index) => [fieldOf(index), one])),
    },
  };
  return definition("ruleds", "Ruled", [version("v1", schema)]);
}

const objectOf = (name: string, mark: number, values: readonly JsonObject[]): JsonObject => ({
  apiVersion: "ex.io/v1",
  kind: "Ruled",
  metadata: { name },
  mark,
  ...Object.fromEntries(values.map((value, index) => [fieldOf(index), value])),
});

const causesOf = ({ body }: Told): readonly StatusCause[] =>
  (body["details"] as { readonly causes?: readonly StatusCause[] } | undefined)?.causes ?? [];

/** What is compared. Of several syntax errors only the first: the real parser recovers in its own way, and ours stops. */
const wordsOf = (told: Told): readonly string[] => [
  String(told.status),
  ...causesOf(told)
    .map(({ reason, field, message }) => `${reason} ${field}: ${message}`.replaceAll(/selfType\d+/g, "selfType"))
    .map((cause) => (cause.includes("Syntax error: ") ? cause.split("\nERROR: ", 1).join("") : cause))
    .toSorted(),
];

/**
 * Whether the answers differ only in the rules that are named as the most expensive. Among equals of different fields the real server
 * chooses in Go's random order of maps.
 */
function areOtherEquals(told: readonly [Told, Told]): boolean {
  const [ours, theirs] = told.map((one) => new Set(wordsOf(one))) as [Set<string>, Set<string>];
  const apart = [...ours, ...theirs].filter((word) => !ours.has(word) || !theirs.has(word));
  return ours.size === theirs.size && apart.length > 0 && apart.every((word) => word.includes("contributed to estimated rule cost total"));
}

/** The rules that a server did not refuse. */
function accepted(rules: Rules, refusal: Told): Rules {
  const fields = causesOf(refusal).map(({ field = "" }) => field);
  const isRefused = (at: number, rule: number): boolean =>
    fields.some((field) => field.includes(`.properties[${fieldOf(at)}].x-kubernetes-validations[${rule}]`));
  return rules.map((some, at) => some.filter((_rule, index) => !isRefused(at, index)));
}

describe("random rules of a schema", () => {
  let servers: DecidingServers;
  const both = async (method: string, path: string, body: JsonObject): Promise<readonly [ours: Told, real: Told]> => {
    const [ours, real] = await Promise.all([servers.ours(method, path, body), servers.real(method, path, body)]);
    return [ours, real];
  };
  beforeAll(async () => {
    if (realServerMissing !== undefined) return;
    servers = await startDecidingServers("AlwaysAllow");
    const none = Array.from({ length: fieldCount }, () => []);
    for (const { status, message } of await both("POST", definitions, definitionOf(none, 0))) expect(status, message).toBe(201);
  }, 90_000);
  afterAll(() => (realServerMissing === undefined ? servers.stop() : undefined), 30_000);

  it(`are decided alike by both servers: ${ruleCount}`, { timeout: isLong ? 3_600_000 : 120_000 }, async (ctx) => {
    if (realServerMissing !== undefined) ctx.skip(realServerMissing);
    const knows = (mark: number): Promise<void> =>
      expect
        .poll(async () => (await servers.real("POST", `${objects}?dryRun=All`, objectOf("probe", mark, []))).status, {
          timeout: 20_000,
          interval: 10,
        })
        .toBe(201);
    await knows(0);
    const rules = fc.sample(randomRule, { numRuns: ruleCount, seed: seedOf() });
    const batches = Array.from({ length: Math.ceil(ruleCount / batchSize) }, (_none, at) =>
      Array.from({ length: fieldCount }, (_no, field) => rules.slice(at * batchSize + field * rulesPerField).slice(0, rulesPerField)),
    );
    const perObject = fc.array(randomValue, { minLength: fieldCount, maxLength: fieldCount });
    const olds = fc.sample(perObject, { numRuns: updateCount, seed: seedOf() });
    const stored = await Promise.all(olds.map((values, index) => both("POST", objects, objectOf(`old${index}`, 0, values))));
    for (const { status, message } of stored.flat()) expect(status, message).toBe(201);
    const values = fc.sample(perObject, { numRuns: batches.length * (createCount + updateCount), seed: seedOf() + 1 });

    const differences: string[] = [];
    const counts = { uncompiled: 0, violated: 0, failed: 0 };
    const compare = (batch: Rules, told: readonly [Told, Told], given: readonly JsonObject[] = []): void => {
      const [ours, theirs] = told.map(wordsOf);
      const only = (some: readonly string[] = [], others: readonly string[] = []): string[] =>
        some.filter((word) => !others.includes(word));
      const apart = [...only(ours, theirs).map((word) => `ours: ${word}`), ...only(theirs, ours).map((word) => `theirs: ${word}`)];
      if (apart.length === 0) return;
      differences.push([JSON.stringify(given.length === 0 ? batch : given), ...apart].join("\n"));
    };
    for (const [at, batch] of batches.entries()) {
      const mark = at + 1;
      let now: Rules = batch;
      const path = `${definitions}/ruleds.ex.io`;
      for (let tries = 0; tries < 3; tries++) {
        const change = { spec: definitionOf(now, mark)["spec"] ?? null };
        let told = await both("PATCH", `${path}?dryRun=All`, change);
        for (let again = 0; again < 60 && areOtherEquals(told); again++)
          told = [told[0], await servers.real("PATCH", `${path}?dryRun=All`, change)];
        compare(now, told);
        if (told[1].status === 200) break;
        now = accepted(now, told[1]);
      }
      counts.uncompiled += batch.flat().length - now.flat().length;
      const written = await both("PATCH", path, { spec: definitionOf(now, mark)["spec"] ?? null });
      for (const { status, message } of written) expect(status, message).toBe(200);
      await knows(mark);
      const given = values.slice(at * (createCount + updateCount), (at + 1) * (createCount + updateCount));
      await inTurns([...given.entries()], 3, async ([index, one]) => {
        const told =
          index < createCount
            ? await both("POST", `${objects}?dryRun=All`, objectOf("new", mark, one))
            : await both("PATCH", `${objects}/old${index - createCount}?dryRun=All`, objectOf(`old${index - createCount}`, mark, one));
        compare(now, told, one);
        for (const { message = "" } of causesOf(told[1])) counts[/ evaluating rule: |no such/.test(message) ? "failed" : "violated"]++;
      });
    }
    expect(differences.slice(0, 5).join("\n\n"), `${differences.length} differences`).toBe("");
    // Every kind of answer is frequent.
    const verdicts = ruleCount * (createCount + updateCount);
    expect(counts.uncompiled / ruleCount).toBeLessThan(0.5);
    for (const kind of ["violated", "failed"] as const) expect(counts[kind] / verdicts, kind).toBeGreaterThan(0.05);
    report(`random schema rules: ${ruleCount} rules, ${verdicts} verdicts, all alike on both servers ${JSON.stringify(counts)}`);
  });
});
