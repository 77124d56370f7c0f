/**
 * `npm run bench -- event`: where the time between the server's write and the worker goes, and what each stage allocates.
 *
 * An event of a Pod at a time, as JSON and as protobuf, at 10 and 500 events per second one by one, and at 5,000 in groups of ten. The
 * server is another process on the same machine. Compare with `npm run bench -- cache`, which has the same figure for client-go.
 */
import { execFile, execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { printTable } from "./report/table.ts";

const root = join(import.meta.dirname, "..");
const stages = ["socket", "event", "handler", "worker", "object"] as const;

interface Measured {
  readonly stages: Readonly<Record<(typeof stages)[number], readonly [number, number]>>;
  readonly total: readonly [number, number];
}

interface Load {
  readonly title: string;
  readonly events: number;
  readonly everyMs: number;
  readonly perTick: number;
}

const loads: readonly Load[] = [
  { title: "10/s", events: 200, everyMs: 100, perTick: 1 },
  { title: "500/s", events: 4000, everyMs: 2, perTick: 1 },
  { title: "5,000/s", events: 20_000, everyMs: 2, perTick: 10 },
];

async function startServer(load: Load): Promise<readonly [string, ChildProcess]> {
  const settings = JSON.stringify({ pods: 500, ...load });
  const node = ["--conditions=drover-source", "--import", "tsx", join(import.meta.dirname, "event", "server.ts"), settings];
  const server = spawn(process.execPath, node, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  for await (const chunk of server.stdout) return [String(chunk).trim(), server];
  throw new Error("the server of the benchmark ended before it listened");
}

async function measure(load: Load, format: "json" | "protobuf", counts: "time" | "bytes"): Promise<Measured> {
  const [url, server] = await startServer(load);
  try {
    // A young generation that is not collected meanwhile, so that allocations can be counted.
    const flags = counts === "bytes" ? ["--max-semi-space-size=256", "--min-semi-space-size=256"] : [];
    const program = join(import.meta.dirname, "event", "drover.mjs");
    const settings = JSON.stringify({ url, events: load.events, format, counts });
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, program, settings], { cwd: root, timeout: 120_000 });
    return JSON.parse(stdout) as Measured;
  } finally {
    server.kill();
  }
}

execFileSync("npm", ["run", "-s", "build"], { cwd: root, stdio: "inherit" });
const micros = (ms: number): string => (ms * 1000).toFixed(0);
const rows: string[][] = [["µs, p50 / p99", ...stages, "total"]];
for (const load of loads)
  for (const format of ["json", "protobuf"] as const) {
    const { stages: found, total } = await measure(load, format, "time");
    const cell = ([middle, high]: readonly [number, number]): string => `${micros(middle)} / ${micros(high)}`;
    rows.push([`${format}, ${load.title}`, ...stages.map((stage) => cell(found[stage])), cell(total)]);
  }
printTable(rows);
process.stdout.write("\n");
const bytes: string[][] = [["bytes per event, p50", ...stages.slice(1)]];
for (const format of ["json", "protobuf"] as const) {
  const { stages: found } = await measure({ title: "", events: 2000, everyMs: 2, perTick: 1 }, format, "bytes");
  bytes.push([format, ...stages.slice(1).map((stage) => found[stage][0].toFixed(0))]);
}
printTable(bytes);
