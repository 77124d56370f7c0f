/**
 * `npm run bench -- scale [quick | once | million]`: caches of 100,000 ConfigMaps of 1 KB and 100,000 Pods (quick: 20,000;
 * once: in one round; million: only 1,000,000 ConfigMaps, in one round) against one replay server on this machine: ours, and
 * client-go's with protobuf.
 *
 * Server and programs are separate processes in production mode. Ours is the built package `drover` on the Node that runs
 * this, with the heap sizes of an operator's `run()`; client-go and the server are built from bench/cache/go (needs Go and its
 * modules; client-go needs 8 GB for a million). HTTP/1.1 without TLS on loopback. Rounds alternate, and medians are printed;
 * only ratios within one run are meaningful. Exits with 1 when one of the goals does not hold.
 *
 * sync: from the start of the informer to synced; CPU: of all threads. RSS, heap and buffers: at that moment, garbage
 * included; peak: until the end. relist: from a 410 in the watch, with one object in a hundred changed, until the last change
 * was handled; both sides wait up to a second before they list. audit: a comparison of every object with the server, without
 * pauses between pages, and the wait of up to a second before it. warm: starts with the snapshot of cold, after one object in a
 * hundred has changed. bounded: keeps bodies up to 64 bytes times the number of objects. The server costs nothing, so that a
 * list is as fast as it can be.
 *
 * Event loop: how late timers are, the processor time of the main thread between two looks (which other programs on the
 * machine hardly change; Node 24), and the pauses of the garbage collector, which are part of both.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { podTemplate } from "./cache/pod-template.ts";
import { configMapTemplate } from "./controller/config-map-template.ts";
import { buildSides } from "./processes/build-sides.ts";
import { heapFlags } from "./processes/engine-flags.ts";
import { startReplayServer } from "./processes/replay-server.ts";
import { judge } from "./report/judge.ts";
import { median, medianRatio } from "./report/median.ts";
import { printTable } from "./report/table.ts";

const mode = process.argv[3];
if (mode !== undefined && !["quick", "once", "million"].includes(mode)) {
  process.stderr.write(`bench scale: unknown option "${mode}"; the options are quick, once and million.\n`);
  process.exit(2);
}
const rounds = mode === undefined ? 3 : 1;
const many = mode === "quick" ? 20_000 : 100_000;

interface Row {
  readonly kind: "ConfigMap" | "Pod";
  readonly objects: number;
  readonly rounds: number;
}

/** p50, p99 and the maximum in milliseconds. */
type Distribution = readonly [number, number, number];

/** A part of a process; what holds up its event loop: scale/loop-watch.mjs. */
interface Phase {
  readonly ms: number;
  readonly cpuMs: number;
  readonly delay: Distribution;
  readonly cpu?: Distribution;
  /** Pauses: their number, sum and maximum. */
  readonly gc: Distribution;
}

interface Measured {
  readonly objects: number;
  readonly rssBytes: number;
  readonly peakRssBytes: number;
  readonly sync: Phase;
  readonly heapBytes: number;
  readonly bufferBytes: number;
  readonly relist?: Phase;
  readonly audit?: Phase;
  readonly stop: Phase;
}

/** What a Go program measures: it has no event loop. */
type GoMeasured = Pick<Measured, "objects" | "rssBytes" | "peakRssBytes"> & { readonly syncMs: number; readonly relistMs: number };

/** One round: each process of it is new. */
interface Round {
  readonly drover: Measured;
  readonly go: GoMeasured;
  readonly audited: Measured;
  readonly bounded: Measured;
  /** Starts with an empty folder, and leaves a snapshot. */
  readonly cold: Measured;
  /** Starts with that snapshot, after one object in a hundred has changed. */
  readonly warm: Measured;
}

type Side = "drover" | "client-go";

const rows: readonly Row[] =
  mode === "million"
    ? [{ kind: "ConfigMap", objects: 1_000_000, rounds }]
    : [
        { kind: "ConfigMap", objects: many, rounds },
        { kind: "Pod", objects: many, rounds },
      ];
const templates = { ConfigMap: configMapTemplate, Pod: podTemplate };
const resources = { ConfigMap: "configmaps", Pod: "pods" };

const outside = mkdtempSync(join(tmpdir(), "drover-bench-scale-"));
try {
  buildSides({
    folder: join(import.meta.dirname, "cache", "go", "scale-replay"),
    packages: ["../scale-informer"],
    outside,
  });
  for (const row of rows) await compare(row);
} finally {
  rmSync(outside, { recursive: true, force: true });
}

async function compare(row: Row): Promise<void> {
  const { child, url } = await startReplayServer({ outside, template: templates[row.kind]() });
  const found: Round[] = [];
  try {
    for (let round = 0; round < row.rounds; round++) found.push(await measureRound(row, url, round));
  } finally {
    child.kill();
  }
  print(row, found);
}

async function measureRound(row: Row, url: string, round: number): Promise<Round> {
  const changes = row.objects / 100;
  const ours = (): Promise<Measured> => measure<Measured>("drover", row, url, { changes });
  const theirs = (): Promise<GoMeasured> => measure<GoMeasured>("client-go", row, url, { changes });
  const first = round % 2 === 0 ? await ours() : undefined;
  const go = await theirs();
  const drover = first ?? (await ours());
  const audited = await measure<Measured>("drover", row, url, { audits: true });
  const bounded = await measure<Measured>("drover", row, url, { changes, bodyBytesMax: 64 * row.objects });
  const folder = join(outside, `${row.kind}-${round}`);
  const cold = await measure<Measured>("drover", row, url, { folder });
  await fetch(`${url}/${row.objects}/change?count=${changes}`);
  const warm = await measure<Measured>("drover", row, url, { folder });
  rmSync(folder, { recursive: true });
  return { drover, go, audited, bounded, cold, warm };
}

interface Task {
  /** Objects that change before a relist. @default no relist */
  readonly changes?: number;
  /** Waits for an audit. @default false */
  readonly audits?: boolean;
  /** Folder of snapshots. @default no snapshot */
  readonly folder?: string;
  /** Limit of bodies. @default whole objects are kept */
  readonly bodyBytesMax?: number;
}

async function measure<M extends Pick<Measured, "objects">>(side: Side, { kind, objects }: Row, url: string, task: Task): Promise<M> {
  const command =
    side === "drover"
      ? [process.execPath, ...heapFlags, join(import.meta.dirname, "scale", "drover.mjs")]
      : [join(outside, "scale-informer")];
  const [program = "", ...args] = command;
  const settings = { url: `${url}/${objects}`, kind, resource: resources[kind], ...task };
  const { stdout } = await promisify(execFile)(program, [...args, JSON.stringify(settings)], {
    timeout: 600_000,
    cwd: join(import.meta.dirname, ".."),
    env: { ...process.env, NODE_ENV: "production" },
  });
  const measured = JSON.parse(stdout) as M;
  if (measured.objects !== objects) throw new Error(`${side} has ${measured.objects} objects after its sync instead of ${objects}`);
  return measured;
}

function nameOf({ kind, objects }: Row): string {
  return `${objects.toLocaleString("en")} ${kind}s`;
}

function megabytes(bytes: number): number {
  return bytes / 1e6;
}

/** The median of a figure; "–" where there is none. */
function cell(values: readonly (number | undefined)[], digits = 0): string {
  return values.includes(undefined) ? "–" : median(values.map((value) => value ?? NaN)).toFixed(digits);
}

function cells(values: readonly (Distribution | undefined)[], digits: Distribution = [1, 1, 1]): string {
  return ([0, 1, 2] as const)
    .map((which) =>
      cell(
        values.map((each) => each?.[which]),
        digits[which],
      ),
    )
    .join(" / ");
}

/** The rounds by what each process did. */
interface Columns {
  readonly drover: readonly Measured[];
  readonly audited: readonly Measured[];
  readonly bounded: readonly Measured[];
  readonly cold: readonly Measured[];
  readonly warm: readonly Measured[];
  readonly go: readonly GoMeasured[];
}

function print(row: Row, found: readonly Round[]): void {
  const columns: Columns = {
    drover: found.map(({ drover }) => drover),
    audited: found.map(({ audited }) => audited),
    bounded: found.map(({ bounded }) => bounded),
    cold: found.map(({ cold }) => cold),
    warm: found.map(({ warm }) => warm),
    go: found.map(({ go }) => go),
  };
  const phases = phasesOf(columns);
  printFigures(row, columns);
  printLoop(row, phases);
  process.stdout.write("\nGoals:\n");
  judgeFigures(row, columns);
  judgeLoop(row, phases);
}

function printFigures(row: Row, { drover, audited, bounded, cold, warm, go }: Columns): void {
  process.stdout.write("\n");
  printTable([
    [nameOf(row), "sync ms", "CPU ms", "RSS MB", "peak MB", "heap B/object", "buffers B/object", "relist ms", "audit ms"],
    ...Object.entries({ drover, "drover, audited": audited, "drover, bounded": bounded, "drover, cold": cold, "drover, warm": warm }).map(
      ([side, measured]) => [
        side,
        cell(measured.map(({ sync }) => sync.ms)),
        cell(measured.map(({ sync }) => sync.cpuMs)),
        cell(measured.map(({ rssBytes }) => megabytes(rssBytes))),
        cell(measured.map(({ peakRssBytes }) => megabytes(peakRssBytes))),
        cell(measured.map(({ heapBytes }) => heapBytes / row.objects)),
        cell(measured.map(({ bufferBytes }) => bufferBytes / row.objects)),
        cell(measured.map(({ relist }) => relist?.ms)),
        cell(measured.map(({ audit }) => audit?.ms)),
      ],
    ),
    [
      "client-go",
      cell(go.map(({ syncMs }) => syncMs)),
      "–",
      cell(go.map(({ rssBytes }) => megabytes(rssBytes))),
      cell(go.map(({ peakRssBytes }) => megabytes(peakRssBytes))),
      "–",
      "–",
      cell(go.map(({ relistMs }) => relistMs)),
      "–",
    ],
  ]);
}

type Phases = Readonly<Record<string, readonly (Phase | undefined)[]>>;

function phasesOf({ drover, audited, cold, warm }: Columns): Phases {
  return {
    sync: drover.map(({ sync }) => sync),
    relist: drover.map(({ relist }) => relist),
    audit: audited.map(({ audit }) => audit),
    "warm start": warm.map(({ sync }) => sync),
    "stop with a snapshot": cold.map(({ stop }) => stop),
  };
}

function printLoop(row: Row, phases: Phases): void {
  process.stdout.write("\n");
  printTable([
    [`${nameOf(row)}, event loop`, "delay p50 / p99 / max ms", "of it CPU p50 / p99 / max ms", "GC pauses / sum / max ms"],
    ...Object.entries(phases).map(([phase, measured]) => [
      phase,
      cells(measured.map((each) => each?.delay)),
      cells(measured.map((each) => each?.cpu)),
      cells(
        measured.map((each) => each?.gc),
        [0, 0, 1],
      ),
    ]),
  ]);
}

function judgeFigures(row: Row, { drover, cold, warm, go }: Columns): void {
  const ratio = <A, B>(what: string, ours: readonly A[], others: readonly B[], how: Comparison<A, B>): void =>
    judge(`${nameOf(row)}: ${what}`, medianRatio(ours.map(how.ours), others.map(how.others)), `× ${how.against}`, { atMost: how.atMost });
  const against = "client-go";
  ratio("sync", drover, go, { ours: ({ sync }) => sync.ms, others: ({ syncMs }) => syncMs, against, atMost: 1 });
  ratio("relist", drover, go, { ours: ({ relist }) => relist?.ms ?? NaN, others: ({ relistMs }) => relistMs, against, atMost: 1 });
  // Below, the engine itself is most of it.
  if (row.objects >= 100_000) {
    const atMost = row.objects >= 1_000_000 ? 0.35 : 0.6;
    const [rss, peak] = [({ rssBytes }: GoMeasured) => rssBytes, ({ peakRssBytes }: GoMeasured) => peakRssBytes];
    ratio("RSS after the sync", drover, go, { ours: ({ rssBytes }) => rssBytes, others: rss, against, atMost });
    ratio("peak RSS", drover, go, { ours: ({ peakRssBytes }) => peakRssBytes, others: peak, against, atMost });
  }
  const [time, cpu] = [({ sync }: Measured) => sync.ms, ({ sync }: Measured) => sync.cpuMs];
  ratio("warm start", warm, cold, { ours: time, others: time, against: "cold", atMost: 0.2 });
  ratio("CPU of a warm start", warm, cold, { ours: cpu, others: cpu, against: "cold", atMost: 0.2 });
}

interface Comparison<A, B> {
  readonly ours: (measured: A) => number;
  readonly others: (measured: B) => number;
  readonly against: string;
  readonly atMost: number;
}

function judgeLoop(row: Row, phases: Phases): void {
  for (const [phase, measured] of Object.entries(phases)) {
    judge(`${nameOf(row)}: loop p99, ${phase}`, median(measured.map((each) => each?.delay[1] ?? NaN)), "ms", { atMost: 20 });
    const spent = measured.map((each) => each?.cpu?.[1]);
    if (!spent.includes(undefined))
      judge(`${nameOf(row)}: of it CPU, ${phase}`, median(spent.map((ms) => ms ?? NaN)), "ms", { atMost: 20 });
  }
}
