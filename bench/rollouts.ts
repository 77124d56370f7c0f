/**
 * `npm run bench -- rollouts [pods] [rounds]`: heap and buffers of our whole cluster, in one process from the built packages, after each
 * rollout of a Deployment, when garbage is collected and the history of the store is compacted. It compares with nothing: the later half
 * of the rollouts must not need more than the first half, except for what the engine itself varies by. Exits with 1 if it does.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { engineFlags } from "./processes/engine-flags.ts";
import { judge } from "./report/judge.ts";
import { median } from "./report/median.ts";
import { printTable } from "./report/table.ts";

const pods = Number(process.argv[3] ?? 300);
const rounds = Number(process.argv[4] ?? 12);

interface Reported {
  readonly what: string;
  readonly heapBytes: number;
  readonly externalBytes: number;
  /** Pods and ReplicaSets. */
  readonly objects: number;
}

const program = join(import.meta.dirname, "rollouts", "cluster.mjs");
const { stdout } = await promisify(execFile)(process.execPath, [...engineFlags, program, String(pods), String(rounds)]);
const reported = stdout
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Reported);
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
printTable([
  [`a Deployment of ${pods} pods`, "heap MB", "external MB", "Pods and ReplicaSets"],
  ...reported.map(({ what, heapBytes, externalBytes, objects }) => [what, megabytes(heapBytes), megabytes(externalBytes), String(objects)]),
]);
const sums = reported.filter(({ what }) => what.startsWith("rollout")).map(({ heapBytes, externalBytes }) => heapBytes + externalBytes);
const half = sums.length >> 1;
process.stdout.write("\nGoals:\n");
judge("memory in the later half of the rollouts", median(sums.slice(half)) / median(sums.slice(0, half)), "× the first half", {
  atMost: 1.1,
});
