/**
 * `npm run bench -- patterns [quick | rounds]`: an operator with three children for each of 5,000 objects, ours and
 * controller-runtime's with controllerutil.CreateOrUpdate, in one run: creating everything, a reconcile that finds
 * nothing to do, and a restart. Takes a quarter of an hour.
 *
 * Each side has its own API server: ours, a process over TLS, new in each round. Ours is the built package `drover`;
 * controller-runtime's is built from bench/patterns/go (needs Go and its modules). Both run with their defaults and
 * without request limits, except protobuf, which this server does not accept. Both set the same fields of the same
 * children, and write the status only when it changes. Rounds alternate, medians are printed, and a ratio is the median
 * of the ratios within each round. Exits with 1 when one of the goals does not hold.
 *
 * first: from the start of the process until every object has its children and its status, and the operator is idle.
 * restart: the same for a new process when all of that exists. no-op: every object enqueued five times more. The
 * process and the server count requests; watches are not counted.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openScene, requestsSince } from "./patterns/scene.ts";
import type { Requests, Scene } from "./patterns/scene.ts";
import { SideProcess } from "./patterns/side-process.ts";
import type { Told } from "./patterns/side-process.ts";
import { buildSides } from "./processes/build-sides.ts";
import { judge } from "./report/judge.ts";
import { median, medianRatio } from "./report/median.ts";
import { printTable } from "./report/table.ts";

const option = process.argv[3];
if (option !== undefined && option !== "quick" && !/^[1-9]$/.test(option)) {
  process.stderr.write(`bench patterns: unknown option "${option}"; use quick or a number of rounds (default 3).\n`);
  process.exit(2);
}
const isQuick = option === "quick";
const objects = isQuick ? 500 : 5000;
const repeats = isQuick ? 2 : 5;
const rounds = isQuick ? 1 : Number(option ?? 3);
const quietMs = 1000;
const [own, theirs] = ["drover", "controller-runtime"] as const;

interface Side {
  readonly name: typeof own | typeof theirs;
  readonly command: readonly string[];
}
/** One process over the objects that the previous one left. */
interface Step {
  readonly name: "first" | "restart";
  readonly workers: number;
}
interface Phase extends Told {
  /** Counted by the server. */
  readonly served: Requests;
}
interface Measured {
  readonly start: Phase;
  readonly again: Phase;
}
interface Row {
  readonly what: string;
  readonly step: Step;
  readonly of: (one: Measured) => number;
  readonly digits: number;
  /** Of ours, as a share of controller-runtime's. */
  readonly ratioMax?: number;
  /** Of ours, in every round. */
  readonly max?: number;
}

const first: Step = { name: "first", workers: 8 };
const restartOne: Step = { name: "restart", workers: 1 };
const restartEight: Step = { name: "restart", workers: 8 };
const steps: readonly Step[] = [first, restartOne, restartEight];
const reconciles = objects * repeats;
const rows: readonly Row[] = [
  { what: "first, 8 workers: ms", step: first, of: ({ start }) => start.seconds * 1e3, digits: 0 },
  { what: "first: CPU µs an object", step: first, of: ({ start }) => (start.cpuSeconds * 1e6) / objects, digits: 0 },
  { what: "first: requests an object", step: first, of: ({ start }) => sum(start.served) / objects, digits: 2 },
  { what: "first: RSS MB after it", step: first, of: ({ start }) => start.rssBytes / 1e6, digits: 0 },
  ...[restartOne, restartEight].flatMap(rowsOf),
];

function rowsOf(step: Step): readonly Row[] {
  const about = step.workers === 1 ? "1 worker" : `${step.workers} workers`;
  return [
    { what: `restart, ${about}: ms`, step, of: ({ start }) => start.seconds * 1e3, digits: 0 },
    { what: `restart, ${about}: CPU µs an object`, step, of: ({ start }) => (start.cpuSeconds * 1e6) / objects, digits: 0 },
    { what: `restart, ${about}: writes`, step, of: ({ start }) => writes(start.served), digits: 0, max: 0 },
    { what: `no-op, ${about}: µs`, step, of: ({ again }) => (again.seconds * 1e6) / reconciles, digits: 1, ratioMax: 3 },
    { what: `no-op, ${about}: CPU µs`, step, of: ({ again }) => (again.cpuSeconds * 1e6) / reconciles, digits: 1 },
    {
      what: `no-op, ${about}: requests, by the process`,
      step,
      of: ({ again }) => sum(new Map(Object.entries(again.requests))),
      digits: 0,
      max: 0,
    },
    { what: `no-op, ${about}: requests, by the server`, step, of: ({ again }) => sum(again.served), digits: 0, max: 0 },
    { what: `no-op, ${about}: RSS MB after it`, step, of: ({ again }) => again.rssBytes / 1e6, digits: 0 },
  ];
}

const outside = mkdtempSync(join(tmpdir(), "drover-bench-patterns-"));
try {
  const folder = join(import.meta.dirname, "patterns");
  buildSides({ folder: join(folder, "go"), outside });
  const ours = [process.execPath, join(folder, "drover.mjs")];
  const definition = execFileSync(process.execPath, [join(folder, "drover.mjs"), "definition"], { encoding: "utf8" });
  const sides: readonly Side[] = [
    { name: own, command: ours },
    { name: theirs, command: [join(outside, "patterns")] },
  ];
  const measured = new Map<string, Measured[]>();
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      for (const [step, one] of await measureAll(side, definition)) {
        const key = keyOf(side.name, step);
        measured.set(key, [...(measured.get(key) ?? []), one]);
      }
      process.stdout.write(`round ${round + 1} of ${rounds}, ${side.name}: measured\n`);
    }
  }
  print(measured);
} finally {
  rmSync(outside, { recursive: true, force: true });
}

async function measureAll(side: Side, definition: string): Promise<ReadonlyMap<Step, Measured>> {
  const scene = await openScene(definition, objects);
  try {
    const found = new Map<Step, Measured>();
    for (const step of steps) found.set(step, await measure(side, step, scene));
    const counts = await scene.counts();
    if (counts.some((count) => count !== objects))
      throw new Error(`${side.name} created ${counts.join(", ")} children of the three kinds instead of ${objects} of each kind`);
    return found;
  } finally {
    scene.close();
  }
}

async function measure({ name, command }: Side, step: Step, scene: Scene): Promise<Measured> {
  const before = await scene.requests();
  const { url, ca, token } = scene.address;
  const side = new SideProcess(command, {
    url,
    ca,
    token,
    objects,
    workers: step.workers,
    repeats,
    quietMs,
    startedMs: performance.timeOrigin + performance.now(),
  });
  try {
    const start = await side.next();
    const atRest = await scene.requests();
    const again = await side.again();
    if (again.runs !== reconciles) throw new Error(`${keyOf(name, step)}: ${again.runs} reconciles instead of ${reconciles}`);
    return {
      start: { ...start, served: requestsSince(before, atRest) },
      again: { ...again, served: requestsSince(atRest, await scene.requests()) },
    };
  } finally {
    await side.end();
  }
}

function keyOf(name: Side["name"], { name: step, workers }: Step): string {
  return `${name}, ${step}, ${workers}`;
}

function sum(requests: Requests): number {
  return [...requests.values()].reduce((total, count) => total + count, 0);
}

/** Requests for the objects and their children; requests before the start are not counted. */
function writes(requests: Requests): number {
  return sum(
    new Map(
      [...requests].filter(([what]) => !/^(?:GET|LIST) /.test(what) && / (?:webapps|configmaps|services|deployments)(?:\/|$)/.test(what)),
    ),
  );
}

function print(measured: ReadonlyMap<string, readonly Measured[]>): void {
  const values = ({ step, of }: Row, name: Side["name"]): readonly number[] => (measured.get(keyOf(name, step)) ?? []).map(of);
  printTable([
    ["", own, theirs, `${own} ÷ ${theirs}`],
    ...rows.map((row) => [
      row.what,
      ...[own, theirs].map((name) => median(values(row, name)).toFixed(row.digits)),
      ratioText(medianRatio(values(row, own), values(row, theirs))),
    ]),
  ]);
  process.stdout.write("\nRequests of the first round, as the server counts them:\n");
  for (const name of [own, theirs]) {
    for (const step of steps) {
      const one = measured.get(keyOf(name, step))?.[0];
      if (one !== undefined)
        process.stdout.write(`  ${keyOf(name, step)}: ${requestsText(one.start.served)}; no-op: ${requestsText(one.again.served)}\n`);
    }
  }
  process.stdout.write("\nGoals:\n");
  for (const row of rows) {
    if (row.max !== undefined) judge(row.what, Math.max(...values(row, own)), "", { atMost: row.max });
    if (row.ratioMax !== undefined)
      judge(row.what, medianRatio(values(row, own), values(row, theirs)), `× ${theirs}`, { atMost: row.ratioMax });
  }
}

function ratioText(ratio: number): string {
  return Number.isFinite(ratio) ? ratio.toFixed(2) : "–";
}

function requestsText(requests: Requests): string {
  return requests.size === 0
    ? "none"
    : [...requests]
        .toSorted(([left], [right]) => (left < right ? -1 : 1))
        .map(([what, count]) => `${count} ${what}`)
        .join(", ");
}
