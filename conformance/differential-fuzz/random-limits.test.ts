/** Random LimitRanges, ResourceQuotas, pods and services: our server and the real one refuse the same, in the same words. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { isJsonObject } from "@drover/machinery";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { valueAt } from "../differential/exchange.ts";
import { limitRange, quota } from "../differential/limit-objects.ts";
import { ourTarget } from "../differential/our-server.ts";
import { container, pod, service } from "../differential/probe-objects.ts";
import { probe } from "../differential/probe.ts";
import type { Probe } from "../differential/probe.ts";
import { startRealTarget } from "../differential/real-target.ts";
import { runProbes } from "../differential/run-probes.ts";
import { realServerMissing } from "../servers/real-server.ts";

const caseCount = process.env["DROVER_LONG"] === "1" ? 1000 : 60;
/** The services of one run must fit into the range of addresses. */
const batchSize = 100;
const runTimeoutMs = 900_000;

/** A member with one of the values, or no member. */
const perhaps = (name: string, value: fc.Arbitrary<JsonValue>, percent = 50): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    { weight: percent, arbitrary: value.map((given) => ({ [name]: given })) },
    { weight: 100 - percent, arbitrary: fc.constant({}) },
  );
const merged = (...parts: readonly fc.Arbitrary<JsonObject>[]): fc.Arbitrary<JsonObject> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as JsonObject);

const cpu = fc.constantFrom("0", "50m", "100m", "0.5", "1", "1500m", "2");
const memory = fc.constantFrom("0", "1", "64Mi", "100M", "1Gi", "1.5Gi", "2G", "1e9");
const amounts = merged(perhaps("cpu", cpu), perhaps("memory", memory), perhaps("ephemeral-storage", memory, 20));
/** Extended resources and huge pages have equal requests and limits. */
const devices = merged(
  perhaps("example.com/gpu", fc.constantFrom("1", "2"), 20),
  perhaps("hugepages-2Mi", fc.constantFrom("2Mi", "4Mi"), 20),
);
/** Requests above limits are refused by both servers. */
const resources = fc
  .record({ requests: amounts, limits: amounts, both: devices })
  .map(({ requests, limits, both }): JsonObject => ({ requests: { ...requests, ...both }, limits: { ...limits, ...both } }));

/** Each constraint has one resource: the real server has no order for several. */
const limitsOf = (type: string): fc.Arbitrary<JsonObject> =>
  fc.constantFrom("cpu", "memory").chain((name) => {
    const [low, high] = name === "cpu" ? ["100m", "1"] : ["64Mi", "1Gi"];
    const one = (amount: string): fc.Arbitrary<JsonObject> => fc.constant({ [name]: amount });
    return merged(
      fc.constant({ type }),
      perhaps("min", one(low)),
      perhaps("max", one(high)),
      perhaps("maxLimitRequestRatio", fc.constantFrom<JsonObject>({ [name]: "1.5" }, { [name]: "4" }), 20),
      ...(type === "Container" ? [perhaps("defaultRequest", one(low), 20)] : []),
    );
  });
const quotaAmounts: readonly (readonly [string, fc.Arbitrary<string>])[] = [
  ...["cpu", "requests.cpu", "limits.cpu"].map((name) => [name, fc.constantFrom("1", "2500m", "4")] as const),
  ...["memory", "requests.memory", "limits.memory", "requests.ephemeral-storage", "limits.ephemeral-storage"].map(
    (name) => [name, fc.constantFrom("1Gi", "3G", "6Gi")] as const,
  ),
  ...["pods", "count/pods", "requests.example.com/gpu", "services", "services.nodeports"].map(
    (name) => [name, fc.constantFrom("2", "4")] as const,
  ),
  ["hugepages-2Mi", fc.constant("8Mi")],
];
const initContainer = merged(
  resources.map((given) => ({ resources: given })),
  perhaps("restartPolicy", fc.constant("Always"), 20),
);
const podSpec = merged(
  fc.array(resources, { minLength: 1, maxLength: 2 }).map((all) => ({
    containers: all.map((given, index) => container({ name: `c${index}`, resources: given })),
  })),
  perhaps(
    "initContainers",
    fc.array(initContainer, { maxLength: 2 }).map((all) => all.map((given, index) => container({ name: `i${index}`, ...given }))),
    30,
  ),
  perhaps(
    "resources",
    fc.oneof(
      amounts.map((limits) => ({ limits })),
      amounts.map((requests) => ({ requests })),
    ),
    30,
  ),
  perhaps("activeDeadlineSeconds", fc.constant(60), 20),
);
const write = fc.oneof(
  { weight: 6, arbitrary: podSpec.map((spec) => ({ what: "pods", spec })) },
  { weight: 1, arbitrary: fc.constantFrom<JsonObject>({}, { type: "NodePort" }).map((spec) => ({ what: "services", spec })) },
  { weight: 1, arbitrary: cpu.map((amount) => ({ what: "resize", spec: { requests: { cpu: amount }, limits: { cpu: "2" } } })) },
);
const setUp = fc.record({
  limits: fc.option(
    fc.tuple(limitsOf("Container"), limitsOf("Pod")).chain((items) => fc.subarray(items)),
    { freq: 2, nil: undefined },
  ),
  hard: fc.option(merged(...quotaAmounts.map(([name, amount]) => perhaps(name, amount, 20))), { freq: 3, nil: undefined }),
  writes: fc.array(write, { minLength: 4, maxLength: 10 }),
});

/** A refusal by admission as it is; of an object what it asks for. Problems that validation finds have no order on the real server. */
function verdict(body: JsonValue): JsonValue {
  if (isJsonObject(body) && body["kind"] === "Status") return body["code"] === 422 ? (body["reason"] ?? null) : body;
  return [valueAt({ body }, "metadata", "annotations") ?? null, valueAt({ body }, "spec", "containers", "0", "resources") ?? null];
}

const probeOf = ({ limits, hard, writes }: typeof setUp extends fc.Arbitrary<infer T> ? T : never, index: number): Probe =>
  probe(`limits-${index} random limits`, async (s) => {
    if (limits !== undefined) await limitRange(s, "range", limits);
    if (hard !== undefined) await quota(s, "quota", hard);
    for (const [at, { what, spec }] of writes.entries()) {
      if (what === "pods") await s.post(s.in("pods"), pod(`p${at}`, spec), { view: verdict });
      else if (what === "services") await s.post(s.in("services"), service(`s${at}`, spec), { view: verdict });
      else
        await s.patch(
          "strategic",
          `${s.in("pods", `p${at - 1}`)}/resize`,
          { spec: { containers: [{ name: "c0", resources: spec }] } },
          {
            view: verdict,
          },
        );
    }
    if (hard !== undefined) await s.get(s.in("resourcequotas", "quota"), { view: (body) => valueAt({ body }, "status") ?? null });
  });

describe("random LimitRanges and ResourceQuotas", () => {
  it(
    `decide alike on our server and on the real one: ${caseCount} cases`,
    async ({ skip }) => {
      if (realServerMissing !== undefined) skip(realServerMissing);
      const cases = fc.sample(setUp, { numRuns: caseCount, seed: 19 });
      const differences: string[] = [];
      const reasons = new Set<string>();
      for (let from = 0; from < cases.length; from += batchSize) {
        const probes = cases.slice(from, from + batchSize).map((one, index) => probeOf(one, from + index));
        const target = await startRealTarget();
        const [real, ours] = await Promise.all([runProbes(probes, target), runProbes(probes, ourTarget())]);
        await target.stop();
        for (const { name } of probes)
          for (const [at, answer] of (real.get(name) ?? []).entries()) {
            const [expected, found] = [JSON.stringify(answer), JSON.stringify(ours.get(name)?.[at])];
            if (expected !== found) differences.push(`${name}, answer ${at}\n  real ${expected}\n  ours ${found}`);
            for (const reason of ["exceeded quota", "failed quota", "minimum", "maximum", "ratio", "limit-ranger"])
              if (expected.includes(reason)) reasons.add(reason);
          }
      }
      expect(differences.join("\n")).toBe("");
      expect([...reasons].toSorted()).toEqual(["exceeded quota", "failed quota", "limit-ranger", "maximum", "minimum", "ratio"]);
    },
    runTimeoutMs,
  );
});
