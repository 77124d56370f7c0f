/**
 * `npm run bench -- controller [quick]`: a controller of 10,000 ConfigMaps against one replay server on this machine,
 * in one run: ours, ours with its tape, with two threads, with Node's own heap sizes, and controller-runtime's with
 * protobuf (its default for built-in kinds) and with JSON (for custom resources). Takes twenty-five minutes.
 *
 * Server and programs are separate processes. Ours is the built package `drover`; controller-runtime's is built from
 * bench/controller/go (needs Go and its modules). Both run with their defaults, their metrics and without request
 * limits; ours with the heap sizes of an operator's `run()`; HTTP/1.1 without TLS on loopback. Rounds alternate, medians
 * are printed, and a ratio is the median of the ratios within each round: only ratios within one run are meaningful.
 * Exits with 1 when one of the goals does not hold: the tape costs at most 5 %, a reconcile that reads starts at most
 * twice as late as controller-runtime's, and memory is at most twice its. The other figures are printed without a goal,
 * also where ours is behind.
 *
 * start: from the start of the process until every object has been reconciled once. Then every object changes once,
 * which is not measured. read: the reconcile reads the object from the cache; one worker. patch: it also patches an
 * annotation, once per event, which causes another event and another run; eight workers. p50, p99: from the server's
 * write to the reconcile that has read the object. Two threads are measured only with patches, with four workers each.
 * CPU: of the process, per event with all its consequences. flood: every object changes at full speed, again and again.
 */
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configMapTemplate } from "./controller/config-map-template.ts";
import { controllerObjects, cpuMicros, measureController, ourController, partOf } from "./controller/measure.ts";
import type { ControllerMeasured, ControllerMode, ControllerStep } from "./controller/measure.ts";
import { buildSides } from "./processes/build-sides.ts";
import { heapFlags } from "./processes/engine-flags.ts";
import { startReplayServer } from "./processes/replay-server.ts";
import { judge } from "./report/judge.ts";
import type { Bound } from "./report/judge.ts";
import { median, medianRatio } from "./report/median.ts";
import { printTable } from "./report/table.ts";

const option = process.argv[3];
if (option !== undefined && option !== "quick") {
  process.stderr.write(`bench controller: unknown option "${option}"; the only option is quick.\n`);
  process.exit(2);
}
const isQuick = option === "quick";
const [own, taped, threaded, unsized, theirs, theirsJson] = [
  "drover",
  "with tape",
  "two threads",
  "Node's heap",
  "controller-runtime",
  "its JSON",
] as const;

type Name = typeof own | typeof taped | typeof threaded | typeof unsized | typeof theirs | typeof theirsJson;

interface Side {
  readonly name: Name;
  readonly command: readonly string[];
}
interface Step extends ControllerStep {
  readonly rounds: number;
}
interface Row {
  readonly what: string;
  readonly step: Step;
  readonly of: (one: ControllerMeasured) => number;
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
  const { child, url } = await startReplayServer({ outside, template: configMapTemplate(), objects: controllerObjects });
  server = child;
  const measured = new Map<string, ControllerMeasured[]>();
  for (const step of steps) {
    for (let round = 0; round < step.rounds; round++) {
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        if (side.name === threaded && step.mode !== "patch") continue;
        const key = keyOf(side.name, step);
        measured.set(key, [...(measured.get(key) ?? []), await measureController({ name: key, command: side.command }, step, url)]);
      }
    }
    process.stdout.write(`${step.name}: measured\n`);
  }
  print(measured);
} finally {
  server?.kill();
  rmSync(outside, { recursive: true, force: true });
}

function rates(mode: ControllerMode, asked: readonly (readonly [rate: number, events: number])[]): Step {
  return {
    name: `${mode} at four rates`,
    mode,
    parts: asked.map(([rate, events]) => ({ rate, events: isQuick ? Math.min(rate, events) : events, repeats: 1 })),
    rounds: isQuick ? 1 : 3,
  };
}

function flood(mode: ControllerMode, repeats: number): Step {
  return {
    name: `${mode} flood`,
    mode,
    parts: [{ rate: 0, events: controllerObjects, repeats: isQuick ? 2 : repeats }],
    rounds: isQuick ? 1 : 5,
  };
}

function rateRows(step: Step, bound?: Bound): readonly Row[] {
  return step.parts.flatMap((part, index) => {
    const name = `${step.mode} ${part.rate}/s`;
    return [
      {
        what: `${name} p50 µs`,
        step,
        of: (one: ControllerMeasured) => partOf(one, index).latencies[0],
        digits: 0,
        ...(bound === undefined ? {} : { bound }),
      },
      { what: `${name} p99 µs`, step, of: (one: ControllerMeasured) => partOf(one, index).latencies[1], digits: 0 },
      { what: `${name} CPU µs`, step, of: (one: ControllerMeasured) => cpuMicros(one, index, part), digits: 0 },
    ];
  });
}

function floodRows(step: Step): readonly Row[] {
  return step.parts.flatMap((part, index) => [
    {
      what: `${step.name} reconciles/s`,
      step,
      of: (one: ControllerMeasured) => partOf(one, index).runs / partOf(one, index).seconds,
      digits: 0,
    },
    { what: `${step.name} CPU µs`, step, of: (one: ControllerMeasured) => cpuMicros(one, index, part), digits: 1, tape: { atMost: 1.05 } },
    { what: `${step.name} RSS MB after it`, step, of: (one: ControllerMeasured) => one.rssAfterBytes / 1e6, digits: 0 },
  ]);
}

function keyOf(name: Name, step: Step): string {
  return `${name}, ${step.name}`;
}

function prepare(): readonly Side[] {
  buildSides({ folder: join(import.meta.dirname, "controller", "go"), packages: ["drover/bench/cache/replay"], outside });
  const program = join(import.meta.dirname, "controller", "drover.mjs");
  const controller = join(outside, "controller");
  return [
    { name: own, command: ourController(process.execPath) },
    { name: taped, command: ourController(process.execPath, "tape") },
    { name: threaded, command: [process.execPath, ...heapFlags, join(import.meta.dirname, "controller", "drover-threads.mjs")] },
    { name: unsized, command: [process.execPath, program, "plain"] },
    { name: theirs, command: [controller, "protobuf"] },
    { name: theirsJson, command: [controller, "json"] },
  ];
}

function print(measured: ReadonlyMap<string, readonly ControllerMeasured[]>): void {
  const names: readonly Name[] = [own, taped, threaded, unsized, theirs, theirsJson];
  const values = ({ step, of }: Row, name: Name): readonly number[] => (measured.get(keyOf(name, step)) ?? []).map(of);
  const ratio = (row: Row, name: Name, against: Name): number => medianRatio(values(row, name), values(row, against));
  const isMeasured = (row: Row, name: Name): boolean => values(row, name).length > 0;
  printTable([
    ["", ...names, `${own} ÷ ${theirs}`, `${threaded} ÷ ${theirs}`, "tape on ÷ off"],
    ...rows.map((row) => [
      row.what,
      ...names.map((name) => (isMeasured(row, name) ? median(values(row, name)).toFixed(row.digits) : "")),
      ratio(row, own, theirs).toFixed(2),
      isMeasured(row, threaded) ? ratio(row, threaded, theirs).toFixed(2) : "",
      ratio(row, taped, own).toFixed(2),
    ]),
  ]);
  process.stdout.write("\nGoals:\n");
  for (const row of rows) {
    if (row.bound !== undefined) judge(row.what, ratio(row, own, theirs), `× ${theirs}`, row.bound);
    if (row.tape !== undefined) judge(`${row.what}, ${taped}`, ratio(row, taped, own), `× ${own}`, row.tape);
  }
}
