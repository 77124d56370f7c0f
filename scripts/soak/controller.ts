/**
 * One controller over keys that come and go, on the real clock; the last line says whether the heap grew.
 *
 *     npm run soak -- controller --reconciles 1e6 --keys 1e5
 */
import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createClock, createLog, createMetrics, createRandom } from "@drover/machinery";
import type { Runtime } from "@drover/machinery";
import { soakController } from "../../packages/controller/src/reconcile/testing/controller-soak.ts";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { seed: { type: "string" }, reconciles: { type: "string" }, keys: { type: "string" } },
});

function wholeNumber(option: "seed" | "reconciles" | "keys", byDefault: number): number {
  const text = values[option];
  const number = text === undefined ? byDefault : Number(text);
  if (!Number.isSafeInteger(number) || number <= 0) {
    process.stderr.write(`--${option} must be a whole number above 0, not "${text}".\n`);
    process.exit(2);
  }
  return number;
}

setFlagsFromString("--expose_gc");
const collect = runInNewContext("gc") as () => void;
const heap = (): number => {
  collect();
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

const clock = createClock({
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
});
const runtime: Runtime = {
  clock,
  random: createRandom(wholeNumber("seed", 1)),
  uid: randomUUID,
  log: createLog({ clock, write: () => undefined }),
  metrics: createMetrics(),
};

const heaps: number[] = [];
const began = performance.now();
const report = await soakController({
  runtime,
  reconciles: wholeNumber("reconciles", 1_000_000),
  keys: wholeNumber("keys", 100_000),
  onRest: (count) => {
    heaps.push(heap());
    process.stdout.write(`${count} reconciles, heap ${heaps.at(-1)?.toFixed(1)} MiB\n`);
  },
});
const first = heaps[0] ?? 0;
const last = heaps.at(-1) ?? 0;
const isFlat = report.left === 0 && last <= first * 1.1;
process.stdout.write(
  `${report.reconciles} reconciles of ${report.distinctKeys} keys in ${((performance.now() - began) / 1000).toFixed(0)} s, heap ${first.toFixed(1)} → ${last.toFixed(1)} MiB, ${report.left} keys left behind: ${isFlat ? "flat" : "it leaks"}\n`,
);
if (!isFlat) process.exitCode = 1;
