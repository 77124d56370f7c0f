/**
 * `npm run bench -- http2 [requests] [rounds]`: client-go against our server, over HTTP/1.1 and over HTTP/2, in the same run.
 *
 * Server and client are separate processes; the server runs from the built packages, client-go is built from bench/http2/go (needs
 * Go and its modules). The protocols take turns on the same server, and medians are printed. Linux only.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildSides } from "./processes/build-sides.ts";
import { startOurServer } from "./processes/our-server.ts";

const requests = Number(process.argv[3] ?? 8000);
const rounds = Number(process.argv[4] ?? 3);
const protocols = ["http/1.1", "h2"] as const;

interface Measurement {
  readonly name: string;
  readonly perSecond: number;
  readonly serverCpuMicroseconds: number;
  readonly microseconds: number;
}

const run = promisify(execFile);
const outside = mkdtempSync(join(tmpdir(), "drover-bench-http2-"));
try {
  buildSides({ folder: join(import.meta.dirname, "http2", "go"), outside });
  const { child, started } = await startOurServer();
  try {
    const caFile = join(outside, "ca.pem");
    writeFileSync(caFile, started.ca);
    const results = new Map<string, Measurement[]>();
    for (let round = 0; round < rounds; round++)
      for (const protocol of round % 2 === 0 ? protocols : protocols.toReversed()) {
        const args = [started.url, caFile, started.token, String(child.pid), protocol, String(requests)];
        const { stdout } = await run(join(outside, "http2"), args);
        for (const line of stdout.trim().split("\n")) {
          const measurement = JSON.parse(line) as Measurement;
          const key = `${protocol} ${measurement.name}`;
          results.set(key, [...(results.get(key) ?? []), measurement]);
        }
      }
    print(results);
  } finally {
    child.kill();
  }
} finally {
  rmSync(outside, { recursive: true, force: true });
}

function print(results: ReadonlyMap<string, readonly Measurement[]>): void {
  const names = [...new Set([...results.values()].flat().map(({ name }) => name))];
  const value = (protocol: string, name: string, of: (measurement: Measurement) => number): string =>
    median((results.get(`${protocol} ${name}`) ?? []).map(of)).toFixed(0);
  const cells = (name: string): string[] => [
    name,
    ...protocols.map((protocol) => value(protocol, name, ({ microseconds }) => microseconds)),
    ...protocols.map((protocol) => value(protocol, name, ({ serverCpuMicroseconds }) => serverCpuMicroseconds)),
  ];
  const rows = [["microseconds each", "1.1", "2", "1.1, server CPU", "2, server CPU"], ...names.map(cells)];
  for (const [name = "", ...rest] of rows) process.stdout.write(`${name.padEnd(32)}${rest.map((cell) => cell.padStart(18)).join("")}\n`);
  process.stdout.write(`Node ${process.versions.node}; ${requests} requests, ${rounds} rounds; medians\n`);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}
