/**
 * `npm run bench -- cache [quick | latency]`: caches of Pods against one replay server on this machine, in one run: ours, the
 * informer of @kubernetes/client-node, and client-go's with protobuf, with JSON and dynamic.
 *
 * Server and programs are separate processes in production mode: objects are not frozen. Ours is the built package
 * `drover`; client-node is installed into a temporary folder (needs a registry); client-go is built from bench/cache/go
 * (needs Go and its modules). HTTP/1.1 without TLS on loopback. Rounds alternate, and medians are printed; only ratios
 * within one run are meaningful. Exits with 1 when one of the goals does not hold.
 *
 * sync: process start to synced, import included. peak RSS: at that moment. kept: heap per Pod after GC. events:
 * MODIFIED events sent at full speed, until the last handler call; "key": the handler takes the key, "read": it reads
 * the object, "fields": it reads three fields, which ours declares and the others read from whole objects. latency (the
 * only measurement of `latency`): from the server's write to a worker behind a queue that reads the object, at 500 events
 * per second; at 10 and 5,000 only ours and client-go with protobuf. loop delay: while 20,000 Pods arrive.
 */
import { execFileSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureCache, ourCache } from "./cache/measure.ts";
import type { CacheMeasured, CacheMode, CacheStep } from "./cache/measure.ts";
import { podTemplate } from "./cache/pod-template.ts";
import { startReplayServer } from "./processes/replay-server.ts";

const root = join(import.meta.dirname, "..");
const theirPackage = "@kubernetes/client-node@1.4.0";
const isQuick = process.argv[3] === "quick";
const isLatency = process.argv[3] === "latency";
const rounds = isQuick ? 1 : 3;
const small = 5000;
const large = isQuick ? small : 20_000;
const eventCount = isQuick ? 10_000 : 20_000;
/** Events per second → how many of them. */
const latencyEvents = new Map([
  [10, 100],
  [500, isQuick ? 1000 : 2500],
  [5000, isQuick ? 10_000 : 25_000],
]);

type Name = "drover" | "client-go protobuf" | "client-go json" | "client-go dynamic" | "client-node";

interface Side {
  readonly name: Name;
  readonly command: readonly string[];
}
interface Goal {
  readonly what: string;
  readonly of: (side: Name) => number;
  readonly against?: Name;
  /** The ratio, or without `against` the value. */
  readonly atMost?: number;
  readonly atLeast?: number;
}

const allEventSteps: readonly CacheStep[] = [
  { mode: "sync", pods: small, events: 0, rate: 0 },
  ...(large === small ? [] : [{ mode: "sync", pods: large, events: 0, rate: 0 } as const]),
  { mode: "keep", pods: small, events: 0, rate: 0 },
  { mode: "key", pods: small, events: eventCount, rate: 0 },
  { mode: "read", pods: small, events: eventCount, rate: 0 },
  { mode: "fields", pods: small, events: eventCount, rate: 0 },
];
const eventSteps = isLatency ? [] : allEventSteps;
const latencySteps = [...latencyEvents].map(([rate, events]) => ({ mode: "latency", pods: small, events, rate }) as const);
/** All sides are measured at this rate. */
const commonRate = 500;

const outside = mkdtempSync(join(tmpdir(), "drover-bench-cache-"));
let server: ChildProcess | undefined;
try {
  const sides = prepare();
  const { child, url } = await startReplayServer({ outside, template: podTemplate(), objects: large });
  server = child;
  const measured = new Map<string, CacheMeasured[]>();
  for (const step of [...eventSteps, ...latencySteps]) {
    const measuredSides = step.mode === "latency" && step.rate !== commonRate ? sides.slice(0, 2) : sides;
    for (let round = 0; round < rounds; round++) {
      for (const side of round % 2 === 0 ? measuredSides : measuredSides.toReversed()) {
        const key = keyOf(side.name, step.mode, step.pods, step.rate);
        measured.set(key, [...(measured.get(key) ?? []), await measureCache(side, step, url)]);
      }
    }
    process.stdout.write(`${step.mode}, ${step.pods} Pods${step.rate === 0 ? "" : `, ${step.rate}/s`}: measured\n`);
  }
  print(sides, measured);
} finally {
  server?.kill();
  rmSync(outside, { recursive: true, force: true });
}

function prepare(): readonly Side[] {
  execFileSync("npm", ["run", "-s", "build"], { cwd: root, stdio: "inherit" });
  execFileSync("go", ["build", "-o", outside + "/", "./..."], {
    cwd: join(import.meta.dirname, "cache", "go"),
    stdio: "inherit",
    env: { ...process.env, CGO_ENABLED: "0" },
  });
  const folder = join(outside, "client-node");
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  execFileSync("npm", ["install", "--prefer-offline", theirPackage, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  copyFileSync(join(import.meta.dirname, "cache", "client-node.mjs"), join(folder, "client-node.mjs"));
  const informer = join(outside, "informer");
  return [
    { name: "drover", command: ourCache(process.execPath) },
    { name: "client-go protobuf", command: [informer, "protobuf"] },
    { name: "client-go json", command: [informer, "json"] },
    { name: "client-go dynamic", command: [informer, "dynamic"] },
    { name: "client-node", command: [process.execPath, "--expose-gc", join(folder, "client-node.mjs")] },
  ];
}

function keyOf(name: Name, mode: CacheMode, pods: number, rate: number): string {
  return `${name} ${mode} ${pods} ${rate}`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

function print(sides: readonly Side[], measured: ReadonlyMap<string, readonly CacheMeasured[]>): void {
  const of =
    (mode: CacheMode, pods: number, pick: (one: CacheMeasured) => number | undefined, rate = 0) =>
    (name: Name): number =>
      median((measured.get(keyOf(name, mode, pods, rate)) ?? []).map((one) => pick(one) ?? NaN));
  const columns: readonly (readonly [string, (name: Name) => number, number])[] = [
    [`sync ${small} ms`, of("sync", small, (one) => one.syncMs), 0],
    ["of it import", of("sync", small, (one) => one.importMs), 0],
    ...(large === small ? [] : [[`sync ${large} ms`, of("sync", large, (one: CacheMeasured) => one.syncMs), 0] as const]),
    ["peak RSS MB", of("sync", small, (one) => one.peakRssBytes / 1e6), 0],
    ["kept KB", of("keep", small, (one) => (one.keptBytes ?? NaN) / 1000), 1],
    ["looked KB", of("keep", small, (one) => (one.lookedBytes ?? NaN) / 1000), 1],
    ["key events/s", of("key", small, (one) => one.eventsPerSecond), 0],
    ["read events/s", of("read", small, (one) => one.eventsPerSecond), 0],
    ["fields events/s", of("fields", small, (one) => one.eventsPerSecond), 0],
    ["CPU s key", of("key", small, (one) => one.cpuSeconds), 2],
    ...latencySteps.flatMap(({ rate }) => [
      [`${rate}/s p50 µs`, of("latency", small, (one) => one.latencies?.[0], rate), 0] as const,
      ["p99 µs", of("latency", small, (one) => one.latencies?.[1], rate), 0] as const,
    ]),
    ["loop p99 ms", of("sync", large, (one) => one.loopDelayP99Ms), 1],
  ];
  const rows = [
    ["", ...columns.map(([title]) => title)],
    ...sides.map(({ name }) => [name, ...columns.map(([, read, digits]) => (Number.isNaN(read(name)) ? "–" : read(name).toFixed(digits)))]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of rows)
    process.stdout.write(
      `${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join("  ")}\n`,
    );
  const goals: readonly Goal[] = [
    { what: "sync ms", of: of("sync", small, (one) => one.syncMs), against: "client-go protobuf", atMost: 1 },
    { what: "sync ms", of: of("sync", small, (one) => one.syncMs), against: "client-go json", atMost: 0.15 },
    { what: "sync ms", of: of("sync", small, (one) => one.syncMs), against: "client-node", atMost: 0.2 },
    ...(large === small
      ? []
      : [{ what: `sync ${large} ms`, of: of("sync", large, (one) => one.syncMs), against: "client-go protobuf", atMost: 0.6 } as const]),
    { what: "peak RSS", of: of("sync", small, (one) => one.peakRssBytes), against: "client-go protobuf", atMost: 0.8 },
    { what: "kept", of: of("keep", small, (one) => one.keptBytes), against: "client-go protobuf", atMost: 0.35 },
    { what: "looked", of: of("keep", small, (one) => one.lookedBytes), against: "client-go protobuf", atMost: 0.55 },
    { what: "key events/s", of: of("key", small, (one) => one.eventsPerSecond), against: "client-go protobuf", atLeast: 2.5 },
    { what: "read events/s", of: of("read", small, (one) => one.eventsPerSecond), against: "client-go protobuf", atLeast: 1 },
    { what: "read events/s", of: of("read", small, (one) => one.eventsPerSecond), against: "client-go json", atLeast: 6 },
    { what: "fields events/s", of: of("fields", small, (one) => one.eventsPerSecond), against: "client-go protobuf", atLeast: 1.5 },
    ...latencySteps.flatMap(({ rate }): readonly Goal[] => [
      { what: `${rate}/s p50`, of: of("latency", small, (one) => one.latencies?.[0], rate), against: "client-go protobuf", atMost: 1 },
      { what: `${rate}/s p99`, of: of("latency", small, (one) => one.latencies?.[1], rate), against: "client-go protobuf", atMost: 1.5 },
    ]),
    { what: "loop p99 ms", of: of("sync", large, (one) => one.loopDelayP99Ms), atMost: 50 },
  ];
  process.stdout.write("\nGoals:\n");
  for (const { what, of: read, against, atMost, atLeast } of goals) {
    const ours = read("drover") / (against === undefined ? 1 : read(against));
    if (isLatency && Number.isNaN(ours)) continue;
    const holds = ours <= (atMost ?? Infinity) && ours >= (atLeast ?? 0);
    if (!holds) process.exitCode = 1;
    const bound = atMost === undefined ? `at least ${atLeast}` : `at most ${atMost}`;
    process.stdout.write(
      `${holds ? "  holds " : "  FAILS "} ${what}: ${ours.toFixed(2)}${against === undefined ? "" : ` × ${against}`}, ${bound}\n`,
    );
  }
}
