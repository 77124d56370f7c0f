/**
 * `npm run bench -- apply [rounds]`: the cost of recording field ownership for a Pod of 6.8 KB with two managers,
 * compared with parsing that Pod.
 *
 * Every write of the embedded server pays for `recordUpdate`, every server-side apply for `applyPatch`. Objects are
 * parsed again for each case, so that no comparison is short-cut by identity. Rounds are short and alternate in order;
 * a ratio is the median of the ratios within each round, because the machine's speed varies. Exits with 1 when a bound
 * does not hold.
 */
import { schemaFor } from "@drover/api/schemas";
import { applyPatch, builtInMergeType, emptyObjectOf, recordUpdate } from "@drover/machinery";
import type { ApplyScope, JsonObject } from "@drover/machinery";
import { podText } from "./wire/pod.ts";

interface Case {
  readonly name: string;
  readonly run: () => unknown;
  /** Maximum ratio to parsing. */
  readonly bound?: number;
}

const parsing = "JSON.parse of the pod";
const rounds = Number(process.argv[3] ?? 400);
const warmUpRounds = 100;
const callsPerRound = 20;

const schema = schemaFor({ group: "", version: "v1", kind: "Pod" }) ?? {};
const type = builtInMergeType(schema);
const scope: ApplyScope = {
  apiVersion: "v1",
  kind: "Pod",
  typeOf: (apiVersion) => (apiVersion === "v1" ? type : undefined),
  emptyObject: emptyObjectOf(schema, "v1", "Pod"),
};
const parsed = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;

const pod = JSON.parse(podText(0)) as JsonObject;
const { name, namespace, labels } = pod["metadata"] as JsonObject;
const status = parsed({ ...pod, status: { ...(pod["status"] as JsonObject), phase: "Failed", message: "evicted" } });
const config = parsed({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace, labels }, spec: pod["spec"] });
const other = parsed({ ...config, metadata: { name, namespace } });
const applied = apply(pod, config);

const text = podText(0);
const cases: readonly Case[] = [
  { name: parsing, run: () => JSON.parse(text) as unknown },
  { name: "create", run: () => recordUpdate({ scope, live: undefined, object: config, manager: "kubectl", now: 0 }), bound: 3 },
  {
    name: "update of the status",
    run: () => recordUpdate({ scope: { ...scope, subresource: "status" }, live: pod, object: status, manager: "kubelet", now: 0 }),
    bound: 3,
  },
  {
    name: "update that changes nothing",
    run: () => recordUpdate({ scope, live: pod, object: parsedPod, manager: "kubectl", now: 0 }),
    bound: 3,
  },
  { name: "apply, the first", run: () => apply(pod, config) },
  { name: "apply that changes nothing", run: () => apply(applied, config) },
  { name: "apply that gives up its labels", run: () => apply(applied, other) },
];
const parsedPod = parsed(pod);

const times = new Map<string, number[]>(cases.map((each) => [each.name, []]));
for (let round = 0; round < warmUpRounds + rounds; round++) {
  for (const each of round % 2 === 0 ? cases : cases.toReversed()) {
    const start = process.hrtime.bigint();
    for (let call = 0; call < callsPerRound; call++) each.run();
    if (round >= warmUpRounds) times.get(each.name)?.push(Number(process.hrtime.bigint() - start) / callsPerRound / 1000);
  }
}

const base = times.get(parsing) ?? [];
const rows = cases.map((each) => {
  const own = times.get(each.name) ?? [];
  const ratio = Math.round(100 * median(own.map((time, index) => time / (base[index] ?? Number.NaN)))) / 100;
  return { ...each, microseconds: median(own), ratio, holds: each.bound === undefined || ratio <= each.bound };
});
process.stdout.write(`pod ${text.length} characters; ${rounds} rounds of ${callsPerRound}\n`);
for (const { name: label, microseconds, ratio, bound, holds } of rows) {
  process.stdout.write(
    `${label.padEnd(36)}${microseconds.toFixed(1).padStart(9)} µs ${ratio.toFixed(2).padStart(8)} × parsing  ${bound === undefined ? "" : `${holds ? "≤" : "EXCEEDS"} ${bound}`}\n`,
  );
}
process.exitCode = rows.every(({ holds }) => holds) ? 0 : 1;

function apply(live: JsonObject, wanted: JsonObject): JsonObject {
  const result = applyPatch({ scope, live, config: wanted, manager: "bench", force: true, now: 0 });
  if (result.kind === "refused") throw new Error(`refused: ${result.status.message ?? ""}`);
  return result.object;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}
