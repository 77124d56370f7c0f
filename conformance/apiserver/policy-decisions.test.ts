/** Random validating policies and objects: a real server and ours decide alike, in the same words. */
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import type { JsonObject } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { realServerMissing, startRealServer } from "../servers/real-server.ts";
import type { RealRequest, RealServer } from "../servers/real-server.ts";
import { definition, version } from "./custom-definitions.ts";
import { randomPolicy, randomSpec } from "./random-expressions.ts";
import type { RandomPolicy } from "./random-expressions.ts";

const isLong = process.env["DROVER_LONG"] === "1";
const policyCount = isLong ? Number(process.env["DROVER_CASES"] ?? 10_000) : 60;
/** Policies that are on the servers at the same time; each matches its own objects by name. */
const batchSize = 60;
const objectsPerPolicy = 4;

const base = "/apis/admissionregistration.k8s.io/v1";
const objects = "/apis/ex.io/v1/namespaces/default/shapes";
const label = "drover.dev/batch";

type Send = (request: RealRequest) => Promise<{ readonly status: number; readonly body: string }>;

/** What a server answers: the code and the message. */
interface Told {
  readonly status: number;
  readonly message: string;
}

async function tell(send: Send, method: string, path: string, body?: JsonObject): Promise<Told> {
  const answer = await send({
    method,
    path,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const parsed = (answer.body.startsWith("{") ? JSON.parse(answer.body) : {}) as { readonly message?: string };
  return { status: answer.status, message: parsed.message ?? "" };
}

const nameOf = (id: string, index: number): string => `${id}-${index}`;

function policyOf({ variable, boolean, expression, message }: RandomPolicy, id: string): JsonObject {
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
      validations: [{ expression, ...(message === undefined ? {} : { messageExpression: message }) }],
    },
  };
}

const bindingOf = (id: string): JsonObject => ({
  metadata: { name: id, labels: { [label]: "1" } },
  spec: { policyName: id, validationActions: ["Deny"] },
});

const objectOf = (spec: JsonObject, name: string): JsonObject => ({ apiVersion: "ex.io/v1", kind: "Shape", metadata: { name }, spec });

async function enact(send: Send, policy: JsonObject, id: string): Promise<Told> {
  const told = await tell(send, "POST", `${base}/validatingadmissionpolicies`, policy);
  if (told.status === 201)
    expect(await tell(send, "POST", `${base}/validatingadmissionpolicybindings`, bindingOf(id))).toMatchObject({ status: 201 });
  return { status: told.status, message: firstProblem(told.message) };
}

/** Of several syntax errors only the first is compared: the real parser recovers in its own way, and ours stops. */
const firstProblem = (message: string): string => (message.includes("Syntax error: ") ? message.split("\nERROR: ", 1).join("") : message);

async function clear(send: Send): Promise<void> {
  for (const plural of ["validatingadmissionpolicybindings", "validatingadmissionpolicies"])
    await tell(send, "DELETE", `${base}/${plural}?labelSelector=${encodeURIComponent(label)}`);
}

describe("random validating policies", () => {
  let real: RealServer;
  let ours: Send;
  beforeAll(async () => {
    if (realServerMissing !== undefined) return;
    real = await startRealServer({ authorization: "AlwaysAllow" });
    const server = await createApiServer({ runtime: testRuntime(), host: nodeHost });
    ours = async ({ headers = {}, ...request }) => {
      const { status, body } = await server.handle({ ...request, headers });
      return { status, body: body as string };
    };
    const schema = { type: "object", properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } } };
    for (const send of [ours, real.send])
      await tell(
        send,
        "POST",
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        definition("shapes", "Shape", [version("v1", schema)]),
      );
  }, 90_000);
  afterAll(() => (realServerMissing === undefined ? real.stop() : undefined), 30_000);

  it("are decided alike by both servers", { timeout: isLong ? 3_600_000 : 120_000 }, async (ctx) => {
    if (realServerMissing !== undefined) ctx.skip(realServerMissing);
    await expect
      .poll(async () => (await tell(real.send, "POST", `${objects}?dryRun=All`, objectOf({}, "probe"))).status, {
        timeout: 20_000,
        interval: 50,
      })
      .toBe(201);
    const seed = Number(process.env["DROVER_SEED"] ?? 1);
    const policies = fc.sample(randomPolicy, { numRuns: policyCount, seed });
    const specs = fc.sample(randomSpec, { numRuns: policyCount * objectsPerPolicy, seed });
    const differences: object[] = [];
    const counts = { accepted: 0, allowed: 0, refused: 0, failed: 0 };
    for (let from = 0; from < policies.length; from += batchSize) {
      const batch = policies
        .slice(from, from + batchSize)
        .map((policy, index) => ({ policy: policyOf(policy, `p${from + index}`), at: from + index }));
      const written = await Promise.all(
        [ours, real.send].map(async (send) => {
          const told: Told[] = [];
          for (const { policy, at } of batch) told.push(await enact(send, policy, `p${at}`));
          await enact(
            send,
            policyOf({ variable: "1", boolean: "true", expression: "false", message: undefined }, `end${from}`),
            `end${from}`,
          );
          return told;
        }),
      );
      const compare = (at: number, index: number, mine: Told | undefined, theirs: Told | undefined): void => {
        if (JSON.stringify(mine) !== JSON.stringify(theirs))
          differences.push({ policy: policies[at], spec: specs[at * objectsPerPolicy + index], mine, theirs });
      };
      for (const [index, { at }] of batch.entries()) compare(at, 0, written[0]?.[index], written[1]?.[index]);
      counts.accepted += written[1]?.filter(({ status }) => status === 201).length ?? 0;
      await expect
        .poll(async () => (await tell(real.send, "POST", `${objects}?dryRun=All`, objectOf({}, nameOf(`end${from}`, 0)))).status, {
          timeout: 20_000,
          interval: 20,
        })
        .toBe(422);
      for (const { at } of batch) {
        for (let index = 0; index < objectsPerPolicy; index++) {
          const object = objectOf(specs[at * objectsPerPolicy + index] ?? {}, nameOf(`p${at}`, index));
          const [mine, theirs] = await Promise.all([ours, real.send].map((send) => tell(send, "POST", `${objects}?dryRun=All`, object)));
          compare(at, index, mine, theirs);
          const kind = theirs?.status === 201 ? "allowed" : theirs?.message.includes("resulted in error") === true ? "failed" : "refused";
          counts[kind]++;
        }
      }
      for (const send of [ours, real.send]) await clear(send);
    }
    expect(differences.slice(0, 5), `${differences.length} differences`).toEqual([]);
    // Every kind of answer is frequent.
    const all = policyCount * objectsPerPolicy;
    expect(counts.accepted / policyCount).toBeGreaterThan(0.5);
    for (const kind of ["allowed", "refused", "failed"] as const) expect(counts[kind] / all, kind).toBeGreaterThan(0.05);
  });
});
