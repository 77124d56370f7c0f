/**
 * `npm run bench -- controller [quick]`: a controller of 10,000 ConfigMaps against one replay server on this machine,
 * in one run: ours, ours with its tape, and controller-runtime's with protobuf (its default for built-in kinds) and
 * with JSON (for custom resources). Takes a quarter of an hour.
 *
 * Server and programs are separate processes. Ours is the built package `drover`; controller-runtime's is built from
 * bench/controller/go (needs Go and its modules). Both run with their defaults, their metrics and without request
 * limits; HTTP/1.1 without TLS on loopback. Rounds alternate, medians are printed, and a ratio is the median of the
 * ratios within each round: only ratios within one run are meaningful. Exits with 1 when one of the goals does not
 * hold: the tape costs at most 5 %, a reconcile that reads starts at most twice as late as controller-runtime's, and
 * memory is at most twice its. The other figures are printed without a goal, also where ours is behind.
 *
 * start: from the start of the process until every object has been reconciled once. Then every object changes once,
 * which is not measured. read: the reconcile reads the object from the cache; one worker. patch: it also patches an
 * annotation, once per event, which causes another event and another run; eight workers. p50, p99: from the server's
 * write to the reconcile that has read the object. CPU: of the process, per event with all its consequences. flood:
 * every object changes at full speed, again and again.
 */
import { execFile, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { configMapTemplate } from "./controller/config-map-template.ts";
import { buildSides } from "./processes/build-sides.ts";
import { judge } from "./report/judge.ts";
import type { Bound } from "./report/judge.ts";
import { median, medianRatio } from "./report/median.ts";
import { printTable } from "./report/table.ts";

const root = join(import.meta.dirname, "..");
const option = process.argv[3];
if (option !== undefined && option !== "quick") {
  process.stderr.write(`bench controller: unknown option "${option}"; the only option is quick.\n`);
  process.exit(2);
}
const isQuick = option === "quick";
const objects = 10_000;
const [own, taped, theirs, theirsJson] = ["drover", "with tape", "controller-runtime", "its JSON"] as const;

type Name = typeof own | typeof taped | typeof theirs | typeof theirsJson;
type Mode = "read" | "patch";

interface MeasuredPart {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly runs: number;
  readonly patches: number;
  /** p50 and p99 in microseconds. */
  readonly latencies: readonly [number, number];
}
interface Measured {
  readonly syncMs: number;
  readonly rssBytes: number;
  readonly rssAfterBytes: number;
  readonly parts: readonly MeasuredPart[];
}
interface Side {
  readonly name: Name;
  readonly command: readonly string[];
}
interface Part {
  /** Events per second; 0 for full speed. */
  readonly rate: number;
  readonly events: number;
  readonly repeats: number;
}
/** One measurement of a process. */
interface Step {
  readonly name: string;
  readonly mode: Mode;
  readonly parts: readonly Part[];
  readonly rounds: number;
}
interface Row {
  readonly what: string;
  readonly step: Step;
  readonly of: (one: Measured) => number;
  readonly digits: number;
  /** Of ours, as a share of controller-runtime's. */
  readonly bound?: Bound;
  /** Of ours with the tape, as a share of ours without. */
  readonly tape?: Bound;
}

const readRates = rates("read", [
  [10, 100],
  [100, 600],
  [500, 2000],
  [2000, 8000],
]);
const readFlood = flood("read", 10);
const patchRates = rates("patch", [
  [10, 60],
  [100, 400],
  [500, 1500],
  [2000, 4000],
]);
const patchFlood = flood("patch", 3);
const steps: readonly Step[] = [readRates, readFlood, patchRates, patchFlood];
const rows: readonly Row[] = [
  { what: "start ms", step: readFlood, of: (one) => one.syncMs, digits: 0 },
  { what: "RSS MB after it", step: readFlood, of: (one) => one.rssBytes / 1e6, digits: 0, bound: { atMost: 2 } },
  ...rateRows(readRates, { atMost: 2 }),
  ...floodRows(readFlood),
  ...rateRows(patchRates),
  ...floodRows(patchFlood),
];

const outside = mkdtempSync(join(tmpdir(), "drover-bench-controller-"));
let server: ChildProcess | undefined;
try {
  const sides = prepare();
  const url = await startServer();
  const measured = new Map<string, Measured[]>();
  for (const step of steps) {
    for (let round = 0; round < step.rounds; round++) {
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const key = keyOf(side.name, step);
        measured.set(key, [...(measured.get(key) ?? []), await measure(side, step, url)]);
      }
    }
    process.stdout.write(`${step.name}: measured\n`);
  }
  print(measured);
} finally {
  server?.kill();
  rmSync(outside, { recursive: true, force: true });
}

function rates(mode: Mode, asked: readonly (readonly [rate: number, events: number])[]): Step {
  return {
    name: `${mode} at four rates`,
    mode,
    parts: asked.map(([rate, events]) => ({ rate, events: isQuick ? Math.min(rate, events) : events, repeats: 1 })),
    rounds: isQuick ? 1 : 3,
  };
}

function flood(mode: Mode, repeats: number): Step {
  return { name: `${mode} flood`, mode, parts: [{ rate: 0, events: objects, repeats: isQuick ? 2 : repeats }], rounds: isQuick ? 1 : 5 };
}

function rateRows(step: Step, bound?: Bound): readonly Row[] {
  return step.parts.flatMap((part, index) => {
    const name = `${step.mode} ${part.rate}/s`;
    return [
      {
        what: `${name} p50 µs`,
        step,
        of: (one: Measured) => partOf(one, index).latencies[0],
        digits: 0,
        ...(bound === undefined ? {} : { bound }),
      },
      { what: `${name} p99 µs`, step, of: (one: Measured) => partOf(one, index).latencies[1], digits: 0 },
      { what: `${name} CPU µs`, step, of: (one: Measured) => cpuMicros(one, index, part), digits: 0 },
    ];
  });
}

function floodRows(step: Step): readonly Row[] {
  return step.parts.flatMap((part, index) => [
    { what: `${step.name} reconciles/s`, step, of: (one: Measured) => partOf(one, index).runs / partOf(one, index).seconds, digits: 0 },
    { what: `${step.name} CPU µs`, step, of: (one: Measured) => cpuMicros(one, index, part), digits: 1, tape: { atMost: 1.05 } },
    { what: `${step.name} RSS MB after it`, step, of: (one: Measured) => one.rssAfterBytes / 1e6, digits: 0 },
  ]);
}

function partOf({ parts }: Measured, index: number): MeasuredPart {
  const part = parts[index];
  if (part === undefined) throw new Error(`part ${index} was not measured`);
  return part;
}

function cpuMicros(one: Measured, index: number, { events, repeats }: Part): number {
  return (partOf(one, index).cpuSeconds * 1e6) / (events * repeats);
}

function keyOf(name: Name, step: Step): string {
  return `${name}, ${step.name}`;
}

function prepare(): readonly Side[] {
  buildSides({ folder: join(import.meta.dirname, "controller", "go"), packages: ["drover/bench/cache/replay"], outside });
  const ours = [process.execPath, join(import.meta.dirname, "controller", "drover.mjs")];
  const controller = join(outside, "controller");
  return [
    { name: own, command: [...ours, "plain"] },
    { name: taped, command: [...ours, "tape"] },
    { name: theirs, command: [controller, "protobuf"] },
    { name: theirsJson, command: [controller, "json"] },
  ];
}

async function startServer(): Promise<string> {
  const template = join(outside, "config-map.json");
  writeFileSync(template, configMapTemplate());
  server = spawn(join(outside, "replay"), ["-template", template, "-objects", String(objects)], { stdio: ["ignore", "pipe", "inherit"] });
  const { stdout } = server;
  if (stdout === null) throw new Error("the replay server has no output");
  for await (const chunk of stdout) return String(chunk).trim();
  throw new Error("the replay server ended before it listened");
}

async function measure({ name, command }: Side, step: Step, url: string): Promise<Measured> {
  const [program = "", ...args] = command;
  const { mode, parts } = step;
  // The request for events says how many, and how fast.
  const settings = {
    url: `${url}/s/${objects}/0/0`,
    objects,
    mode,
    workers: mode === "patch" ? 8 : 1,
    parts,
    startedMs: performance.timeOrigin + performance.now(),
  };
  const { stdout, stderr } = await promisify(execFile)(program, [...args, JSON.stringify(settings)], {
    timeout: 300_000,
    cwd: root,
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (stderr !== "") process.stderr.write(`${keyOf(name, step)}: ${stderr}`);
  const result = JSON.parse(stdout) as Measured;
  for (const [index, { rate, events, repeats }] of parts.entries()) {
    const found = partOf(result, index);
    const patches = mode === "patch" ? events * repeats : 0;
    const runs = events * repeats + patches;
    if (found.runs !== runs || found.patches !== patches)
      throw new Error(`${keyOf(name, step)}, ${rate}/s: ${found.runs} runs and ${found.patches} patches instead of ${runs} and ${patches}`);
  }
  return result;
}

function print(measured: ReadonlyMap<string, readonly Measured[]>): void {
  const names: readonly Name[] = [own, taped, theirs, theirsJson];
  const values = ({ step, of }: Row, name: Name): readonly number[] => (measured.get(keyOf(name, step)) ?? []).map(of);
  const ratio = (row: Row, name: Name, against: Name): number => medianRatio(values(row, name), values(row, against));
  printTable([
    ["", ...names, `${own} ÷ ${theirs}`, "tape on ÷ off"],
    ...rows.map((row) => [
      row.what,
      ...names.map((name) => median(values(row, name)).toFixed(row.digits)),
      ratio(row, own, theirs).toFixed(2),
      ratio(row, taped, own).toFixed(2),
    ]),
  ]);
  process.stdout.write("\nGoals:\n");
  for (const row of rows) {
    if (row.bound !== undefined) judge(row.what, ratio(row, own, theirs), `× ${theirs}`, row.bound);
    if (row.tape !== undefined) judge(`${row.what}, ${taped}`, ratio(row, taped, own), `× ${own}`, row.tape);
  }
}
