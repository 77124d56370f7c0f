/**
 * `npm run bench -- scale [quick | once | million]`: caches of 100,000 ConfigMaps of 1 KB and 100,000 Pods (quick: 20,000;
 * once: in one round; million: also 1,000,000 ConfigMaps) against one replay server on this machine: ours, and client-go's with protobuf.
 *
 * Server and programs are separate processes in production mode. Ours is the built package `drover`; client-go and the
 * server are built from bench/cache/go (needs Go and its modules). HTTP/1.1 without TLS on loopback. Rounds alternate, and
 * medians are printed; only ratios within one run are meaningful. Exits with 1 when one of the goals does not hold.
 *
 * sync: from the start of the informer to synced. RSS: at that moment; peak: until the end. relist: from a 410 in the
 * watch, with one object in a hundred changed, until the last change was handled; both sides wait up to a second before
 * they list. loop: delays of the event loop during each; Go has none. warm: a second process starts with the snapshot of a
 * first, after one object in a hundred has changed; cold: the first. Their server costs nothing, so that a list is as fast
 * as it can be. bodies: all, or up to 64 bytes times the number of objects,
 * with `acquireBounded`.
 */
import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { podTemplate } from "./cache/pod-template.ts";
import { configMapTemplate } from "./controller/config-map-template.ts";
import { buildSides } from "./processes/build-sides.ts";
import { judge } from "./report/judge.ts";
import { median, medianRatio } from "./report/median.ts";
import { printTable } from "./report/table.ts";

const mode = process.argv[3];
const rounds = mode === "quick" || mode === "once" ? 1 : 3;
const many = mode === "quick" ? 20_000 : 100_000;

interface Row {
  readonly kind: "ConfigMap" | "Pod";
  readonly objects: number;
  readonly rounds: number;
}

/** p50, p99 and the maximum in milliseconds. */
type Delay = readonly [number, number, number];

interface Measured {
  readonly objects: number;
  readonly syncMs: number;
  readonly relistMs: number;
  readonly rssBytes: number;
  readonly peakRssBytes: number;
  readonly syncCpuMs?: number;
  readonly syncDelay?: Delay;
  readonly stopMs?: number;
  readonly stopDelay?: Delay;
  readonly relistDelay?: Delay;
}

/** Two processes of ours, the second with the snapshot of the first. */
interface Restart {
  readonly cold: Measured;
  readonly warm: Measured;
}

type Side = "drover" | "client-go";

const rows: readonly Row[] = [
  { kind: "ConfigMap", objects: many, rounds },
  { kind: "Pod", objects: many, rounds },
  // The largest exceeds the time and the memory of several rounds.
  ...(mode === "million" ? [{ kind: "ConfigMap", objects: 1_000_000, rounds: 1 } as const] : []),
];
const templates = { ConfigMap: configMapTemplate, Pod: podTemplate };
const resources = { ConfigMap: "configmaps", Pod: "pods" };

const titles = ["sync ms", "RSS MB", "peak MB", "relist ms", "sync loop p50 / p99 / max ms", "relist loop p50 / p99 / max ms"];

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
  const { child, url } = await startServer(row);
  const found: Record<Side, Measured[]> = { drover: [], "client-go": [] };
  const restarts: Restart[] = [];
  const bounded: Measured[] = [];
  try {
    for (let round = 0; round < row.rounds; round++) {
      const sides: readonly Side[] = round % 2 === 0 ? ["drover", "client-go"] : ["client-go", "drover"];
      for (const side of sides) found[side].push(await measure(side, row, url, { changes: row.objects / 100 }));
      bounded.push(await measure("drover", row, url, { changes: row.objects / 100, bodyBytesMax: 64 * row.objects }));
      restarts.push(await restart(row, url, join(outside, `${row.kind}-${round}`)));
    }
  } finally {
    child.kill();
  }
  print(row, found);
  printBounded(row, found.drover, bounded);
  printRestarts(row, restarts);
}

async function restart(row: Row, url: string, folder: string): Promise<Restart> {
  const cold = await measure("drover", row, url, { changes: 0, folder });
  await fetch(`${url}/${row.objects}/change?count=${row.objects / 100}`);
  const warm = await measure("drover", row, url, { changes: 0, folder });
  rmSync(folder, { recursive: true });
  return { cold, warm };
}

async function startServer({ kind }: Row): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const template = join(outside, `${kind}.json`);
  writeFileSync(template, templates[kind]());
  const child = spawn(join(outside, "scale-replay"), ["-template", template], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const chunk of child.stdout) return { child, url: String(chunk).trim() };
  throw new Error("the replay server ended before it listened");
}

interface Task {
  /** Objects that change before a relist; 0 for no relist. */
  readonly changes: number;
  /** Folder of snapshots. @default no snapshot */
  readonly folder?: string;
  /** Limit of bodies. @default whole objects are kept */
  readonly bodyBytesMax?: number;
}

async function measure(side: Side, { kind, objects }: Row, url: string, task: Task): Promise<Measured> {
  const [program, ...args] =
    side === "drover" ? [process.execPath, join(import.meta.dirname, "scale", "drover.mjs")] : [join(outside, "scale-informer")];
  const settings = { url: `${url}/${objects}`, kind, resource: resources[kind], ...task };
  const { stdout } = await promisify(execFile)(program ?? "", [...args, JSON.stringify(settings)], {
    timeout: 600_000,
    cwd: join(import.meta.dirname, ".."),
    env: { ...process.env, NODE_ENV: "production" },
  });
  const measured = JSON.parse(stdout) as Measured;
  if (measured.objects !== objects) throw new Error(`${side} has ${measured.objects} objects after its sync instead of ${objects}`);
  return measured;
}

function nameOf({ kind, objects }: Row): string {
  return `${objects.toLocaleString("en")} ${kind}s`;
}

function cell(values: readonly number[], digits = 0): string {
  return median(values).toFixed(digits);
}

function delays(values: readonly (Delay | undefined)[]): string {
  if (values.includes(undefined)) return "–";
  const column = (which: number): number[] => values.map((delay) => delay?.[which] ?? NaN);
  return [0, 1, 2].map((which) => cell(column(which), 1)).join(" / ");
}

function cellsOf(measured: readonly Measured[]): string[] {
  return [
    cell(measured.map(({ syncMs }) => syncMs)),
    cell(measured.map(({ rssBytes }) => rssBytes / 1e6)),
    cell(measured.map(({ peakRssBytes }) => peakRssBytes / 1e6)),
    cell(measured.map(({ relistMs }) => relistMs)),
    delays(measured.map(({ syncDelay }) => syncDelay)),
    delays(measured.map(({ relistDelay }) => relistDelay)),
  ];
}

function print(row: Row, found: Readonly<Record<Side, readonly Measured[]>>): void {
  const { objects } = row;
  const name = nameOf(row);
  process.stdout.write("\n");
  printTable([[name, ...titles], ...Object.entries(found).map(([side, of]) => [side, ...cellsOf(of)])]);
  const ours = found.drover;
  const ratio = (pick: (one: Measured) => number): number => medianRatio(ours.map(pick), found["client-go"].map(pick));
  process.stdout.write("\nGoals:\n");
  judge(
    `${name}: sync`,
    ratio(({ syncMs }) => syncMs),
    "× client-go",
    { atMost: 1 },
  );
  // Below, the engine itself is most of it.
  if (objects >= 100_000) {
    judge(
      `${name}: RSS after the sync`,
      ratio(({ rssBytes }) => rssBytes),
      "× client-go",
      { atMost: 0.6 },
    );
    judge(
      `${name}: peak RSS`,
      ratio(({ peakRssBytes }) => peakRssBytes),
      "× client-go",
      { atMost: 0.6 },
    );
  }
  judge(
    `${name}: relist`,
    ratio(({ relistMs }) => relistMs),
    "× client-go",
    { atMost: 1 },
  );
  judge(`${name}: loop p99 while syncing`, median(ours.map(({ syncDelay }) => syncDelay?.[1] ?? NaN)), "ms", { atMost: 20 });
  judge(`${name}: loop p99 while relisting`, median(ours.map(({ relistDelay }) => relistDelay?.[1] ?? NaN)), "ms", { atMost: 20 });
}

function printBounded(row: Row, whole: readonly Measured[], bounded: readonly Measured[]): void {
  const name = nameOf(row);
  process.stdout.write("\n");
  printTable([
    [`${name}, bodies`, ...titles],
    ...Object.entries({ all: whole, [`${(64 * row.objects) / 1e6} MB`]: bounded }).map(([bodies, of]) => [bodies, ...cellsOf(of)]),
  ]);
}

function printRestarts(row: Row, restarts: readonly Restart[]): void {
  const name = nameOf(row);
  const cold = restarts.map((each) => each.cold);
  const warm = restarts.map((each) => each.warm);
  process.stdout.write("\n");
  printTable([
    [
      `${name}, restarted`,
      "sync ms",
      "CPU ms",
      "RSS MB",
      "peak MB",
      "sync loop p50 / p99 / max ms",
      "stop ms",
      "stop loop p50 / p99 / max ms",
    ],
    ...Object.entries({ cold, warm }).map(([start, of]) => [
      start,
      cell(of.map(({ syncMs }) => syncMs)),
      cell(of.map(({ syncCpuMs }) => syncCpuMs ?? NaN)),
      cell(of.map(({ rssBytes }) => rssBytes / 1e6)),
      cell(of.map(({ peakRssBytes }) => peakRssBytes / 1e6)),
      delays(of.map(({ syncDelay }) => syncDelay)),
      cell(of.map(({ stopMs }) => stopMs ?? NaN)),
      delays(of.map(({ stopDelay }) => stopDelay)),
    ]),
  ]);
  process.stdout.write("\nGoals:\n");
  const sync = ({ syncMs }: Measured): number => syncMs;
  judge(`${name}: warm start`, medianRatio(warm.map(sync), cold.map(sync)), "× cold", { atMost: 0.2 });
  judge(`${name}: loop p99 of a warm start`, median(warm.map(({ syncDelay }) => syncDelay?.[1] ?? NaN)), "ms", { atMost: 20 });
  judge(`${name}: loop p99 while writing the snapshot`, median(cold.map(({ stopDelay }) => stopDelay?.[1] ?? NaN)), "ms", { atMost: 20 });
}
