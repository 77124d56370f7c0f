/** Random validating policies and objects: a real server and ours decide alike, in the same words. */
import type { JsonObject, StatusCause } from "@drover/machinery";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { definition, version } from "../apiserver/custom-definitions.ts";
import { realServerMissing } from "../servers/real-server.ts";
import { inTurns, longCases, report, seedOf, startDecidingServers } from "./decisions.ts";
import type { Ask, DecidingServers, Told } from "./decisions.ts";
import { randomPolicy, randomSpec } from "./random-expressions.ts";
import type { RandomPolicy } from "./random-expressions.ts";

const isLong = process.env["DROVER_LONG"] === "1";
const ruleCount = isLong ? longCases() : 160;
const rulesPerPolicy = 8;
const policyCount = Math.ceil(ruleCount / rulesPerPolicy);
/** Policies that are on the servers at the same time; each matches its own objects by name. */
const batchSize = 60;
const objectsPerPolicy = 4;
const atOnce = 8;

const base = "/apis/admissionregistration.k8s.io/v1";
const objects = "/apis/ex.io/v1/namespaces/default/shapes";
const label = "drover.dev/batch";

const nameOf = (id: string, index: number): string => `${id}-${index}`;

function policyOf({ variable, boolean, validations }: RandomPolicy, id: string): JsonObject {
  const resourceNames = Array.from({ length: objectsPerPolicy }, (_none, index) => nameOf(id, index));
  return {
    metadata: { name: id, labels: { [label]: "1" } },
    spec: {
      matchConstraints: {
        resourceRules: [{ operations: ["CREATE"], apiGroups: ["ex.io"], apiVersions: ["v1"], resources: ["shapes"], resourceNames }],
      },
      variables: [
        { name: "v", expression: variable },
        { name: "w", expression: boolean },
      ],
      validations: validations.map(({ expression, message }) => ({
        expression,
        ...(message === undefined ? {} : { messageExpression: message }),
      })),
    },
  };
}

/** A refusal names only the first validation that is false; warnings name all. */
const bindingOf = (id: string, action: "Deny" | "Warn"): JsonObject => ({
  metadata: { name: id, labels: { [label]: "1" } },
  spec: { policyName: id, validationActions: [action] },
});

const objectOf = (spec: JsonObject, name: string): JsonObject => ({ apiVersion: "ex.io/v1", kind: "Shape", metadata: { name }, spec });

/** Of several syntax errors only the first is compared: the real parser recovers in its own way, and ours stops. */
const firstProblem = (message: string): string => (message.includes("Syntax error: ") ? message.split("\nERROR: ", 1).join("") : message);

const compared = ({ status, message, body, warnings }: Told): string =>
  JSON.stringify([
    status,
    firstProblem(message),
    causesOf(body).map((cause) => ({ ...cause, message: firstProblem(cause.message ?? "") })),
    warnings,
  ]);

const causesOf = (body: JsonObject): readonly StatusCause[] =>
  (body["details"] as { readonly causes?: readonly StatusCause[] } | undefined)?.causes ?? [];

/** The policy without the expressions that a server refused. */
function accepted(policy: RandomPolicy, refusal: Told): RandomPolicy {
  const fields = causesOf(refusal.body).map(({ field = "" }) => field);
  const isRefused = (path: string): boolean => fields.some((field) => field.startsWith(path));
  return {
    variable: isRefused("spec.variables[0]") ? "dyn(1)" : policy.variable,
    boolean: isRefused("spec.variables[1]") ? "true" : policy.boolean,
    validations: [
      ...policy.validations.filter((_rule, index) => !isRefused(`spec.validations[${index}]`)),
      { expression: "true", message: undefined },
    ],
  };
}

async function clear(ask: Ask): Promise<void> {
  for (const plural of ["validatingadmissionpolicybindings", "validatingadmissionpolicies"])
    await ask("DELETE", `${base}/${plural}?labelSelector=${encodeURIComponent(label)}`);
}

const untyped = { type: "object", properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } } };

describe("random validating policies", () => {
  let servers: DecidingServers;
  beforeAll(async () => {
    if (realServerMissing !== undefined) return;
    servers = await startDecidingServers("AlwaysAllow");
    for (const ask of [servers.ours, servers.real])
      await ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition("shapes", "Shape", [version("v1", untyped)]));
  }, 90_000);
  afterAll(() => (realServerMissing === undefined ? servers.stop() : undefined), 30_000);

  it(`are decided alike by both servers: ${ruleCount} rules`, { timeout: isLong ? 3_600_000 : 120_000 }, async (ctx) => {
    if (realServerMissing !== undefined) ctx.skip(realServerMissing);
    const { ours, real } = servers;
    const both = (method: string, path: string, body: JsonObject): Promise<Told[]> =>
      Promise.all([ours, real].map((ask) => ask(method, path, body)));
    const create = (name: string, spec: JsonObject): Promise<Told> => real("POST", `${objects}?dryRun=All`, objectOf(spec, name));
    await expect.poll(async () => (await create("probe", {})).status, { timeout: 20_000, interval: 50 }).toBe(201);

    const policies = fc.sample(randomPolicy(rulesPerPolicy), { numRuns: policyCount, seed: seedOf() });
    const specs = fc.sample(randomSpec, { numRuns: policyCount * objectsPerPolicy, seed: seedOf() });
    const differences: string[] = [];
    const counts = { uncompiled: 0, false: 0, failed: 0 };
    const compare = (question: object, [mine, theirs]: readonly Told[]): void => {
      const [ourWords, theirWords] = [mine, theirs].map((told) => told && compared(told));
      if (ourWords !== theirWords) differences.push([JSON.stringify(question), ourWords, theirWords].join("\n"));
    };
    const enact = async (policy: RandomPolicy, id: string, action: "Deny" | "Warn"): Promise<void> => {
      const path = `${base}/validatingadmissionpolicies`;
      let told = await both("POST", path, policyOf(policy, id));
      compare({ policy }, told);
      const [, theirs] = told;
      // Validations that use a refused variable are refused only once it is right.
      let now = policy;
      for (let refusal = theirs, tries = 0; refusal?.status === 422 && tries < 3; tries++) {
        now = accepted(now, refusal);
        told = await both("POST", path, policyOf(now, id));
        compare({ policy: now }, told);
        refusal = told[1];
      }
      counts.uncompiled += policy.validations.filter((rule) => !now.validations.includes(rule)).length;
      for (const { status } of await both("POST", `${base}/validatingadmissionpolicybindings`, bindingOf(id, action)))
        expect(status).toBe(201);
    };
    for (let from = 0; from < policies.length; from += batchSize) {
      const batch = policies.slice(from, from + batchSize).map((policy, index) => ({ policy, at: from + index }));
      await inTurns(batch, atOnce, ({ policy, at }) => enact(policy, `p${at}`, at % 4 === 0 ? "Deny" : "Warn"));
      const end = `end${from}`;
      await enact({ variable: "1", boolean: "true", validations: [{ expression: "false", message: undefined }] }, end, "Deny");
      await expect.poll(async () => (await create(nameOf(end, 0), {})).status, { timeout: 20_000, interval: 20 }).toBe(422);
      const asked = batch.flatMap(({ policy, at }) =>
        Array.from({ length: objectsPerPolicy }, (_none, index) => ({
          policy,
          spec: specs[at * objectsPerPolicy + index] ?? {},
          name: nameOf(`p${at}`, index),
        })),
      );
      await inTurns(asked, atOnce, async ({ policy, spec, name }) => {
        const told = await both("POST", `${objects}?dryRun=All`, objectOf(spec, name));
        compare({ policy, spec }, told);
        for (const text of [told[1]?.message ?? "", ...(told[1]?.warnings ?? [])])
          if (text !== "") counts[text.includes("resulted in error") ? "failed" : "false"]++;
      });
      await Promise.all([ours, real].map(clear));
    }
    expect(differences.slice(0, 3).join("\n\n"), `${differences.length} differences`).toBe("");
    // Every kind of answer is frequent.
    const all = policyCount * objectsPerPolicy;
    for (const kind of ["false", "failed"] as const) expect(counts[kind] / all, kind).toBeGreaterThan(0.5);
    expect(counts.uncompiled / ruleCount).toBeLessThan(0.5);
    report(`random policies: ${ruleCount} rules on ${all} objects, all alike on both servers ${JSON.stringify(counts)}`);
  });
});
