/**
 * `npm run bench -- client [requests]`: our client and @kubernetes/client-node against the same TLS server on this
 * machine, in the same run: handshakes, requests per second and CPU at 32 concurrent requests, time to import, packages
 * and megabytes installed.
 *
 * Each is installed as a user would install it, ours from the tarball of drover alone. Server and clients are separate
 * processes; rounds alternate, and medians are printed. Ours goes through the whole standard stack (credentials, retry,
 * metrics, the typed client) and ends with a parsed object, as theirs does. Exits with 1 when a bound does not hold.
 */
import { execFileSync, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { facadeBounds, installedSize } from "../scripts/installed-size.mjs";
import { installOurs, installTheirs } from "./client/side.ts";
import type { Side } from "./client/side.ts";

const requests = Number(process.argv[3] ?? 2000);
const rounds = 5;
const importRounds = 11;
const concurrency = 32;

interface Measured {
  readonly microseconds: number;
  readonly cpuMicroseconds: number;
}
interface Counted {
  readonly handshakes: number;
  readonly requests: number;
}
/** Everything measured about one side; an empty list for what could not be measured. */
interface Results {
  readonly side: Side;
  readonly sequential: (Measured & Counted)[];
  readonly concurrent: Measured[];
  readonly importMs: number[];
}

const outside = mkdtempSync(join(tmpdir(), "drover-bench-client-"));
const server = fork(join(import.meta.dirname, "client", "tls-server.ts"), { execArgv: process.execArgv });
try {
  const { url, ca } = await answer<{ readonly url: string; readonly ca: string }>();
  const sides = [installOurs(outside), installTheirs(outside, "1.4.0"), installTheirs(outside, "2.0.1", [22, 19])];
  const results = sides.map((side): Results => ({ side, sequential: [], concurrent: [], importMs: [] }));
  const running = results.filter(({ side }) => side.leftOut === undefined);
  for (const { side, sequential } of running)
    sequential.push({ ...measure(side, { url, ca, warmUp: 0, requests: 200, concurrency: 1 }), ...(await counts()) });
  for (let round = 0; round < rounds; round++) {
    for (const { side, concurrent } of round % 2 === 0 ? running : running.toReversed())
      concurrent.push(measure(side, { url, ca, warmUp: 500, requests, concurrency }));
  }
  for (let round = 0; round < importRounds; round++) {
    for (const { side, importMs } of round % 2 === 0 ? running : running.toReversed()) importMs.push(timeToImport(side));
  }
  print(results);
} finally {
  server.kill();
  rmSync(outside, { recursive: true, force: true });
}

function answer<T>(): Promise<T> {
  return new Promise((resolve, reject) => {
    server.once("message", (message) => resolve(message as T));
    server.once("exit", (code) => reject(new Error(`the bench server ended with code ${code}`)));
  });
}

function counts(): Promise<Counted> {
  const counted = answer<Counted>();
  server.send("count");
  return counted;
}

function measure({ client, folder }: Side, settings: Readonly<Record<string, unknown>>): Measured {
  return JSON.parse(
    execFileSync(process.execPath, ["measure.mjs", client, JSON.stringify(settings)], { cwd: folder, encoding: "utf8" }),
  ) as Measured;
}

function timeToImport({ folder, doors }: Side): number {
  const code = `const start = performance.now(); for (const door of ${JSON.stringify(doors)}) await import(door); process.stdout.write(String(performance.now() - start));`;
  return Number(execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd: folder, encoding: "utf8" }));
}

interface Row {
  readonly label: string;
  readonly value: (results: Results) => number;
  /** Digits after the decimal point. @default 0 */
  readonly digits?: number;
  /** Maximum for ours, and whether it is exclusive. */
  readonly bound?: { readonly most: number; readonly isStrict?: boolean };
}

function print(results: readonly Results[]): void {
  const sizes = new Map(results.map(({ side }) => [side, installedSize(side.folder)]));
  const rows: readonly Row[] = [
    {
      label: "200 GETs after one another over TLS: handshakes",
      value: ({ sequential }) => sequential[0]?.handshakes ?? Number.NaN,
      bound: { most: 1 },
    },
    {
      label: "… milliseconds each, the first included",
      value: ({ sequential }) => (sequential[0]?.microseconds ?? Number.NaN) / 1000,
      digits: 2,
    },
    {
      label: `${concurrency} at once: requests a second`,
      value: ({ concurrent }) => 1e6 / median(concurrent.map(({ microseconds }) => microseconds)),
    },
    {
      label: `${concurrency} at once: CPU microseconds a request`,
      value: ({ concurrent }) => median(concurrent.map(({ cpuMicroseconds }) => cpuMicroseconds)),
    },
    { label: "import, milliseconds", value: ({ importMs }) => median(importMs), bound: { most: 100, isStrict: true } },
    { label: `… the fastest of ${importRounds}`, value: ({ importMs }) => (importMs.length === 0 ? Number.NaN : Math.min(...importMs)) },
    { label: "packages installed", value: ({ side }) => sizes.get(side)?.packages ?? Number.NaN, bound: { most: facadeBounds.packages } },
    {
      label: "megabytes installed",
      value: ({ side }) => (sizes.get(side)?.bytes ?? Number.NaN) / 1e6,
      digits: 1,
      bound: { most: facadeBounds.bytes / 1e6 },
    },
  ];
  const notes = results.flatMap(({ side }) => (side.leftOut === undefined ? [] : [side.leftOut]));
  const head = "".padEnd(52) + results.map(({ side }) => side.name.padStart(20)).join("");
  const foot = `Node ${process.versions.node}; ${requests} requests a round, ${rounds} rounds, ${importRounds} imports of ${results[0]?.side.doors.join(" and ") ?? ""}; medians`;
  process.stdout.write([head, ...rows.map((row) => printRow(row, results)), foot, ...notes, ""].join("\n"));
}

function printRow({ label, value, digits = 0, bound }: Row, results: readonly Results[]): string {
  const values = results.map(value);
  const [ours = Number.NaN] = values;
  const shown = label.padEnd(52) + values.map((number) => (Number.isNaN(number) ? "–" : number.toFixed(digits)).padStart(20)).join("");
  if (bound === undefined) return shown;
  const holds = bound.isStrict === true ? ours < bound.most : ours <= bound.most;
  if (!holds) process.exitCode = 1;
  return `${shown}   ${holds ? (bound.isStrict === true ? "<" : "≤") : "EXCEEDS"} ${bound.most}`;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}
