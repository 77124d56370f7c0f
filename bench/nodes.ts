/**
 * `npm run bench -- nodes [quick]`: Drover under each Node that is here, of 20, 22, 24 and 26, in one run and one table. Compares with
 * nothing else.
 *
 * The Nodes are those that the environment variable DROVER_NODES lists (programs or folders, separated as in PATH), then those that
 * `npm run test:node` has installed, then the one that runs this. Nothing is downloaded; a major that is not here is named as skipped.
 *
 * The programs are those of the benchmarks start, cache, controller and apiserver, from the built packages; the replay server is built
 * from bench/cache/go (needs Go and its modules). Each measurement is a new process, and what is measured beside it is the same for all:
 * the replay server, and the client that measures the API server. The Nodes take turns within each measurement, in the opposite order in
 * every second round, and medians are printed (quick: one round). Linux only. Exits with 1 when a measurement fails under a Node.
 *
 * import: without the start of Node. sync: process start to synced with 5,000 Pods, import included; peak RSS: at that moment. key, read:
 * MODIFIED events sent at full speed, the handler takes the key or reads the object. event to worker: from the server's write, at 500
 * events per second. controller: a flood of events of 10,000 ConfigMaps, reading from the cache, or also patching the object, with the heap
 * sizes of an operator's `run()`; CPU: per event with all its consequences. API server: one request after the other, over TLS.
 */
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureRequests, percentile } from "./apiserver/measures.ts";
import { Target } from "./apiserver/target.ts";
import { measureCache, ourCache } from "./cache/measure.ts";
import type { CacheMode } from "./cache/measure.ts";
import { podTemplate } from "./cache/pod-template.ts";
import { configMapTemplate } from "./controller/config-map-template.ts";
import { controllerObjects, cpuMicros, measureController, ourController, partOf } from "./controller/measure.ts";
import type { ControllerMode } from "./controller/measure.ts";
import { findNodes } from "./nodes/found-nodes.ts";
import type { FoundNode } from "./nodes/found-nodes.ts";
import { buildSides } from "./processes/build-sides.ts";
import { startOurServer } from "./processes/our-server.ts";
import { startReplayServer } from "./processes/replay-server.ts";
import { median } from "./report/median.ts";
import { printTable } from "./report/table.ts";
import { installDrover, timeImport } from "./start/import-time.ts";

const option = process.argv[3];
if (option !== undefined && option !== "quick") {
  process.stderr.write(`bench nodes: unknown option "${option}"; the only option is quick.\n`);
  process.exit(2);
}
const isQuick = option === "quick";
const rounds = isQuick ? 1 : 3;
const pods = 5000;
const events = isQuick ? 10_000 : 20_000;
const latencyEvents = isQuick ? 1000 : 2500;
const imports = isQuick ? 5 : 11;
const requests = isQuick ? { samples: 300, warmUps: 200 } : { samples: 1000, warmUps: 500 };

/** The figures of one process, by the titles of their rows. */
type Figures = Readonly<Record<string, number>>;

interface Measurement {
  readonly name: string;
  /** The titles of its rows, each with the number of digits after the point. */
  readonly rows: Readonly<Record<string, number>>;
  readonly run: (node: FoundNode) => Promise<Figures>;
}

interface Urls {
  readonly podsUrl: string;
  readonly configMapsUrl: string;
}

const { nodes, missing } = found();
const outside = mkdtempSync(join(tmpdir(), "drover-bench-nodes-"));
const servers: ChildProcess[] = [];
const failed = new Set<string>();
try {
  buildSides({ folder: join(import.meta.dirname, "cache", "go", "replay"), outside });
  installDrover(outside);
  const [podsUrl, configMapsUrl] = [await startReplay(podTemplate(), pods), await startReplay(configMapTemplate(), controllerObjects)];
  const measurements = allMeasurements({ podsUrl, configMapsUrl });
  const figures = new Map<string, number[]>();
  for (const measurement of measurements) {
    for (let round = 0; round < rounds; round++)
      for (const node of round % 2 === 0 ? nodes : nodes.toReversed()) await measure(measurement, node, figures);
    process.stdout.write(`${measurement.name}: measured\n`);
  }
  print(measurements, figures);
} finally {
  for (const server of servers) server.kill();
  rmSync(outside, { recursive: true, force: true });
}

function found(): ReturnType<typeof findNodes> {
  try {
    return findNodes({ listed: process.env["DROVER_NODES"] });
  } catch (error) {
    process.stderr.write(`bench nodes: ${String(error)}.\n`);
    return process.exit(2);
  }
}

async function startReplay(template: string, objects: number): Promise<string> {
  const { child, url } = await startReplayServer({ outside, template, objects });
  servers.push(child);
  return url;
}

/** A Node under which a measurement fails has no figure for it; the others are measured all the same. */
async function measure({ name, run }: Measurement, node: FoundNode, figures: Map<string, number[]>): Promise<void> {
  try {
    for (const [what, figure] of Object.entries(await run(node))) {
      if (!Number.isFinite(figure)) throw new Error(`the figure of ${what} is ${figure}`);
      const key = keyOf(what, node);
      figures.set(key, [...(figures.get(key) ?? []), figure]);
    }
  } catch (error) {
    process.stderr.write(`${name} fails under Node ${node.version}: ${String(error)}\n`);
    failed.add(`${name} under Node ${node.version}`);
    process.exitCode = 1;
  }
}

function keyOf(what: string, { version }: FoundNode): string {
  return `${what}, ${version}`;
}

function allMeasurements({ podsUrl, configMapsUrl }: Urls): readonly Measurement[] {
  return [
    {
      name: "import",
      rows: { 'import "drover" ms': 1 },
      run: ({ program }) => {
        const times = Array.from({ length: imports }, () => timeImport("drover", { node: program, folder: outside }).ms);
        return Promise.resolve({ 'import "drover" ms': median(times) });
      },
    },
    syncMeasurement(podsUrl),
    eventMeasurement("key", "events/s by key", podsUrl),
    eventMeasurement("read", "events/s reading all", podsUrl),
    latencyMeasurement(podsUrl),
    floodMeasurement("read", "reading", isQuick ? 2 : 10, configMapsUrl),
    floodMeasurement("patch", "patching", isQuick ? 2 : 3, configMapsUrl),
    serverMeasurement(),
  ];
}

function syncMeasurement(url: string): Measurement {
  const [syncMs, peak] = [`sync of ${pods} Pods ms`, `sync of ${pods} Pods peak RSS MB`];
  return {
    name: "cache sync",
    rows: { [syncMs]: 0, [peak]: 0 },
    run: async (node) => {
      const measured = await measureCache(cacheOn(node), { mode: "sync", pods, events: 0, rate: 0 }, url);
      return { [syncMs]: measured.syncMs, [peak]: measured.peakRssBytes / 1e6 };
    },
  };
}

function eventMeasurement(mode: CacheMode, title: string, url: string): Measurement {
  return {
    name: title,
    rows: { [title]: 0 },
    run: async (node) => {
      const { eventsPerSecond = Number.NaN } = await measureCache(cacheOn(node), { mode, pods, events, rate: 0 }, url);
      return { [title]: eventsPerSecond };
    },
  };
}

function latencyMeasurement(url: string): Measurement {
  const [middle, high] = ["event to worker p50 µs", "event to worker p99 µs"];
  return {
    name: "event to worker",
    rows: { [middle]: 0, [high]: 0 },
    run: async (node) => {
      const step = { mode: "latency", pods, events: latencyEvents, rate: 500 } as const;
      const { latencies = [Number.NaN, Number.NaN] } = await measureCache(cacheOn(node), step, url);
      return { [middle]: latencies[0], [high]: latencies[1] };
    },
  };
}

function floodMeasurement(mode: ControllerMode, title: string, repeats: number, url: string): Measurement {
  const part = { rate: 0, events: controllerObjects, repeats };
  const [perSecond, cpu] = [`controller ${title} reconciles/s`, `controller ${title} CPU µs`];
  return {
    name: `controller ${title}`,
    rows: { [perSecond]: 0, [cpu]: 1 },
    run: async ({ version, program }) => {
      const side = { name: `Node ${version}`, command: ourController(program) };
      const measured = await measureController(side, { name: title, mode, parts: [part] }, url);
      const { runs, seconds } = partOf(measured, 0);
      return { [perSecond]: runs / seconds, [cpu]: cpuMicros(measured, 0, part) };
    },
  };
}

function serverMeasurement(): Measurement {
  return {
    name: "API server",
    rows: { "API server create p50 ms": 2, "API server get p50 ms": 2 },
    run: async ({ version, program }) => {
      const { child, started } = await startOurServer({}, { node: program });
      const target = new Target({ name: `Node ${version}`, ...started, processMark: "our-server.mjs" });
      try {
        const { create, get } = await measureRequests(target, requests);
        return { "API server create p50 ms": percentile(create, 0.5), "API server get p50 ms": percentile(get, 0.5) };
      } finally {
        target.close();
        child.kill();
      }
    },
  };
}

function cacheOn({ version, program }: FoundNode): { readonly name: string; readonly command: readonly string[] } {
  return { name: `Node ${version}`, command: ourCache(program) };
}

function print(measurements: readonly Measurement[], figures: ReadonlyMap<string, readonly number[]>): void {
  const cell = (what: string, digits: number, node: FoundNode): string => {
    const values = figures.get(keyOf(what, node));
    return values === undefined ? "failed" : median(values).toFixed(digits);
  };
  printTable([
    ["", ...nodes.map(({ version }) => `Node ${version}`)],
    ...measurements.flatMap(({ rows }) =>
      Object.entries(rows).map(([what, digits]) => [what, ...nodes.map((node) => cell(what, digits, node))]),
    ),
  ]);
  process.stdout.write(isQuick ? "One round.\n" : `Medians of ${rounds} rounds.\n`);
  for (const major of missing)
    process.stdout.write(`Node ${major}: skipped, not found; \`npm run test:node -- ${major}\` installs it, or list it in DROVER_NODES\n`);
  for (const what of failed) process.stdout.write(`FAILED: ${what}\n`);
}
