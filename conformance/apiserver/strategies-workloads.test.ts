/** Pods and workloads, valid and invalid, sent to a real server and validated by ours: same causes, same words, same order. */
import { checkDns1123Label, deepCopy, fieldErrorCause, isJsonObject } from "@drover/machinery";
import type { JsonObject, JsonValue, KubeObject, Kind } from "@drover/machinery";
import type { Pod } from "@drover/api/core/v1";
import type { PodDisruptionBudget } from "@drover/api/policy/v1";
import { ManualClock } from "@drover/machinery/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setDefaultsOf } from "../../packages/apiserver/src/builtin/defaults/defaults.ts";
import { workloadStrategies } from "../../packages/apiserver/src/builtin/strategies/workload-strategies.ts";
import { builtInCodec } from "../../packages/apiserver/src/codec/built-in-codec.ts";
import type { Strategy, StrategyContext } from "../../packages/apiserver/src/registry/strategy.ts";
import { bindPod, refuseBinding } from "../../packages/apiserver/src/builtin/strategies/pod/pod-binding.ts";
import { checkDisruptionBudgets } from "../../packages/apiserver/src/builtin/strategies/pod/pod-eviction.ts";
import type { StatusError } from "../../packages/apiserver/src/status-error.ts";
import { kindOf } from "./kind-requests.ts";
import { realServer, realServerMissing } from "../servers/real-server.ts";
import type { RealResponse, RealServer } from "../servers/real-server.ts";
import { podCases, podWith, workloadCases } from "./workload-cases.ts";
import { updateCases } from "./workload-updates.ts";

let server: RealServer;
const namespace = "strategies-workloads";
const context: StrategyContext = { now: 0, user: { name: "admin", groups: [] }, dryRun: true };

beforeAll(async () => {
  if (realServerMissing !== undefined) return;
  server = await realServer();
  await server.send({ method: "POST", path: "/api/v1/namespaces", headers: json, body: JSON.stringify({ metadata: { name: namespace } }) });
}, 90_000);
afterAll(() => (realServerMissing === undefined ? server.stop() : undefined), 30_000);

const json = { "content-type": "application/json" };

/** The result of a request: causes, or the part of the object that the strategy sets; and warnings. */
interface Outcome {
  readonly causes?: unknown;
  readonly object?: unknown;
  readonly warnings: readonly string[];
}

function pathOf({ group, version, plural }: Kind): string {
  return `${group === "" ? "/api" : `/apis/${group}`}/${version}/namespaces/${namespace}/${plural}`;
}

function strategyOf(key: string): Strategy {
  const strategy = workloadStrategies.get(key);
  if (strategy === undefined) throw new Error(`no strategy for ${key}`);
  return strategy;
}

/** The template, which decoding always creates, without fields that admission adds to pods or that differ in every run. */
function strategyPart(object: JsonObject): unknown {
  const { spec, status, metadata, template, data, revision } = deepCopy(object);
  if (isJsonObject(spec)) for (const field of ["priority", "preemptionPolicy", "tolerations"]) delete spec[field];
  const annotations = isJsonObject(metadata) ? metadata["annotations"] : undefined;
  const uid = isJsonObject(metadata) && typeof metadata["uid"] === "string" ? metadata["uid"] : "";
  const text = JSON.stringify({ spec, status, annotations, template, data, revision });
  return JSON.parse(
    (uid === "" ? text : text.replaceAll(uid, "UID")).replaceAll(/"lastTransitionTime":"[^"]*"/g, '"lastTransitionTime":"T"'),
  ) as unknown;
}

function realOutcome(response: RealResponse): Outcome {
  const body = JSON.parse(response.body) as JsonObject;
  const header = response.headers["warning"];
  const lines = Array.isArray(header) ? header : header === undefined ? [] : [header];
  const warnings = lines.flatMap((line) =>
    [...line.matchAll(/299 - ("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) => JSON.parse(text) as string),
  );
  if (response.status < 300) return { object: strategyPart(body), warnings };
  const { causes } = (body["details"] ?? {}) as { readonly causes?: readonly { readonly message: string }[] };
  // This real server runs without --allow-privileged, which real clusters set, as does ours.
  const allowed = causes?.filter(({ message }) => !message.endsWith("disallowed by cluster policy"));
  return { causes: withoutUids(allowed ?? body["message"]), warnings };
}

function causesOf(errors: readonly Parameters<typeof fieldErrorCause>[0][]): unknown {
  return withoutUids(errors.map(fieldErrorCause));
}

/** Each side generates its own value. */
function withoutUids(causes: unknown): unknown {
  return JSON.parse(JSON.stringify(causes).replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, "UID")) as unknown;
}

function ourCreate(key: string, body: JsonObject): Outcome {
  const kind = kindOf(key);
  const strategy = strategyOf(key);
  const { object } = builtInCodec(kind, setDefaultsOf(kind, { clock: new ManualClock() })).decodeBody(
    JSON.stringify(body),
    "application/json",
  );
  const ours = object as unknown as KubeObject;
  Object.assign(ours.metadata, { namespace, uid: "0b1f9c4e-0000-4000-8000-000000000000", generation: 1 });
  strategy.prepareForCreate?.(ours, context);
  const errors = strategy.validate?.(ours) ?? [];
  return errors.length > 0
    ? { causes: causesOf(errors), warnings: [] }
    : { object: strategyPart(object), warnings: strategy.warningsOnCreate?.(ours) ?? [] };
}

describe.skipIf(realServerMissing !== undefined)("strategies of pods and workloads, compared with a real server", () => {
  describe.each(Object.entries({ "/v1/Pod": podCases, ...workloadCases }))("%s on create", (key, cases) => {
    it.each(Object.entries(cases))("%s", async (_title, body) => {
      const response = await server.send({
        method: "POST",
        path: `${pathOf(kindOf(key))}?dryRun=All`,
        headers: json,
        body: JSON.stringify(body),
      });
      expect(ourCreate(key, body)).toEqual(realOutcome(response));
    });
  });

  describe.each(Object.entries(updateCases))("%s on update", (key, groups) => {
    describe.each(Object.entries(groups))("%s", (_group, { start, subresource, status, changes }) => {
      it.each(Object.entries(changes))("%s", async (title, change) => {
        const kind = kindOf(key);
        const name = `u-${title
          .toLowerCase()
          .replaceAll(/[^a-z0-9]+/g, "-")
          .slice(0, 30)}`.replace(/-+$/, "");
        expect(checkDns1123Label(name)).toEqual([]);
        const made = await server.send({
          method: "POST",
          path: pathOf(kind),
          headers: json,
          body: JSON.stringify({ ...start, metadata: { ...(start["metadata"] as JsonObject), name } }),
        });
        expect(made.status, made.body).toBe(201);
        let old = JSON.parse(made.body) as JsonObject;
        const path = `${pathOf(kind)}/${name}`;
        try {
          if (status !== undefined) {
            const told = await server.send({
              method: "PUT",
              path: `${path}/status`,
              headers: json,
              body: JSON.stringify({ ...old, status: { ...(old["status"] as JsonObject), ...status } }),
            });
            expect(told.status, told.body).toBe(200);
            old = JSON.parse(told.body) as JsonObject;
          }
          const next = deepCopy(old);
          change(next);
          const end = subresource === undefined ? "" : `/${subresource}`;
          const response = await server.send({
            method: "PUT",
            path: `${path}${end}?dryRun=All`,
            headers: json,
            body: JSON.stringify(next),
          });
          expect(ourUpdate(key, old, next, subresource)).toEqual(realOutcome(response));
        } finally {
          await server.send({ method: "DELETE", path: `${path}?gracePeriodSeconds=0&propagationPolicy=Background` });
        }
      });
    });
  });

  it("reports the same causes for objects with two errors", async () => {
    const cases = Object.entries(podCases);
    for (const [index, [title, pod]] of cases.entries()) {
      const [otherTitle, other] = cases[(index * 7 + 3) % cases.length] ?? [title, pod];
      const body = merged(pod, other) as JsonObject;
      const response = await server.send({
        method: "POST",
        path: `${pathOf(kindOf("/v1/Pod"))}?dryRun=All`,
        headers: json,
        body: JSON.stringify(body),
      });
      // Entries of one map are validated in any order.
      expect(sorted(ourCreate("/v1/Pod", body)), `${title} + ${otherTitle}`).toEqual(sorted(realOutcome(response)));
    }
  });

  it("binds a pod once, and not while a scheduling gate holds it", async () => {
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const bind = async (name: string): Promise<unknown> =>
      (
        JSON.parse(
          (await send("POST", `${pods}/${name}/binding`, { metadata: { name }, target: { kind: "Node", name: "n" } })).body,
        ) as JsonObject
      )["message"];
    const ours = (pod: JsonObject): unknown => {
      try {
        bindPod(pod as unknown as Pod, { metadata: {}, target: { name: "n" } }, 0);
        return undefined;
      } catch (error) {
        return (error as StatusError).status.message;
      }
    };
    for (const spec of [{}, { schedulingGates: [{ name: "a" }] }]) {
      const pod = JSON.parse((await send("POST", pods, podWith(spec, { name: "bound" }))).body) as JsonObject;
      expect(ours(pod)).toEqual(await bind("bound"));
      expect(ours(pod)).toEqual(await bind("bound"));
      const stored = JSON.parse((await send("GET", `${pods}/bound`)).body) as JsonObject;
      expect(strategyPart(pod)).toEqual(strategyPart(stored));
      await send("DELETE", `${pods}/bound?gracePeriodSeconds=0`);
    }
    expect(refused(() => refuseBinding({ metadata: {}, target: { kind: "Pod" } }))).toEqual(
      JSON.parse((await send("POST", `${pods}/x/binding`, { metadata: { name: "x" }, target: { kind: "Pod" } })).body),
    );
  });

  it("checks disruption budgets before a pod is evicted", async () => {
    const [pods, budgets] = [`/api/v1/namespaces/${namespace}/pods`, `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`];
    const made = JSON.parse((await send("POST", pods, podWith({}, { name: "guarded", labels: { guarded: "yes" } }))).body) as JsonObject;
    const pod = JSON.parse(
      (
        await send("PUT", `${pods}/guarded/status`, {
          ...made,
          status: { ...(made["status"] as JsonObject), phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
        })
      ).body,
    ) as JsonObject;
    for (const status of [
      { currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, disruptionsAllowed: 0, observedGeneration: 1 },
      { currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, disruptionsAllowed: 0, observedGeneration: 0 },
      { currentHealthy: 2, desiredHealthy: 1, expectedPods: 1, disruptionsAllowed: 0, observedGeneration: 1 },
      {
        currentHealthy: 2,
        desiredHealthy: 1,
        expectedPods: 1,
        disruptionsAllowed: 0,
        observedGeneration: 1,
        conditions: [
          { type: "DisruptionAllowed", status: "False", reason: "SyncFailed", message: "oh", lastTransitionTime: "2024-01-01T00:00:00Z" },
        ],
      },
    ]) {
      const budget = JSON.parse(
        (
          await send("POST", budgets, {
            metadata: { name: "guard" },
            spec: { minAvailable: 1, selector: { matchLabels: { guarded: "yes" } } },
          })
        ).body,
      ) as JsonObject;
      const told = JSON.parse((await send("PUT", `${budgets}/guard/status`, { ...budget, status })).body) as JsonObject;
      const answer = JSON.parse(
        (await send("POST", `${pods}/guarded/eviction`, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "guarded" } })).body,
      ) as JsonObject;
      const verdict = checkDisruptionBudgets(pod as unknown as Pod, [told as unknown as PodDisruptionBudget]);
      expect(verdict).toEqual({ kind: "refused", status: answer });
      await send("DELETE", `${budgets}/guard`);
    }
    await send("DELETE", `${pods}/guarded?gracePeriodSeconds=0`);
  });
});

/** Lists are merged item by item. */
function merged(a: JsonValue | undefined, b: JsonValue | undefined): JsonValue {
  if (a === undefined || b === undefined) return b ?? a ?? null;
  if (Array.isArray(a) && Array.isArray(b))
    return Array.from({ length: Math.max(a.length, b.length) }, (_, index) => merged(a[index], b[index]));
  if (!isJsonObject(a) || !isJsonObject(b)) return b;
  return Object.fromEntries([...new Set([...Object.keys(a), ...Object.keys(b)])].map((key) => [key, merged(a[key], b[key])]));
}

/** A refused object causes no warnings; the real server warns about one annotation while it prepares a pod. */
function sorted(outcome: Outcome): unknown {
  const { causes } = outcome;
  return Array.isArray(causes) ? causes.map((cause) => JSON.stringify(cause)).toSorted() : outcome;
}

async function send(method: string, path: string, body?: JsonObject): Promise<RealResponse> {
  return server.send({ method, path, ...(body === undefined ? {} : { headers: json, body: JSON.stringify(body) }) });
}

function refused(act: () => void): unknown {
  try {
    act();
    return undefined;
  } catch (error) {
    return (error as StatusError).status;
  }
}

/** Does what the verbs do around a strategy. */
function ourUpdate(key: string, old: JsonObject, next: JsonObject, subresource: string | undefined): Outcome {
  const kind = kindOf(key);
  const strategy = strategyOf(key);
  const steps = subresource === undefined ? strategy : strategy.subresources?.[subresource];
  const codec = builtInCodec(kind, setDefaultsOf(kind, { clock: new ManualClock() }));
  const before = codec.decodeBody(JSON.stringify(old), "application/json").object;
  const after = codec.decodeBody(JSON.stringify(next), "application/json").object;
  const kept = subresource === "status" ? "spec" : "status";
  if (before[kept] === undefined) delete after[kept];
  else after[kept] = deepCopy(before[kept]);
  const object = after as unknown as KubeObject;
  const was = before as unknown as KubeObject;
  steps?.prepareForUpdate?.(object, was, context);
  const changed = JSON.stringify(after["spec"] ?? after["template"]) !== JSON.stringify(before["spec"] ?? before["template"]);
  if (changed) object.metadata.generation = (was.metadata.generation ?? 0) + 1;
  const errors = steps?.validateUpdate?.(object, was) ?? [];
  return errors.length > 0
    ? { causes: causesOf(errors), warnings: [] }
    : { object: strategyPart(after), warnings: steps?.warningsOnUpdate?.(object, was) ?? [] };
}
