/**
 * `npm run bench -- http2 [requests] [rounds]`: client-go and our client against our server, over HTTP/1.1 and over HTTP/2, in the same
 * run.
 *
 * Server and clients are separate processes; the server and our client run from the built packages, client-go is built from
 * bench/http2/go (needs Go and its modules). Clients and protocols take turns on the same server, and medians are printed. Linux only.
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
const clients = ["client-go", "drover"] as const;

interface Measurement {
  readonly name: string;
  readonly perSecond: number;
  readonly serverCpuMicroseconds: number;
  readonly microseconds: number;
  /** Only of our client. */
  readonly clientCpuMicroseconds?: number;
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
    const programs = {
      "client-go": [join(outside, "http2")],
      drover: [process.execPath, join(import.meta.dirname, "http2", "drover.mjs")],
    } as const;
    for (let round = 0; round < rounds; round++)
      for (const protocol of round % 2 === 0 ? protocols : protocols.toReversed())
        for (const client of clients) {
          const [program, ...before] = programs[client];
          const args = [...before, started.url, caFile, started.token, String(child.pid), protocol, String(requests)];
          const { stdout } = await run(program, args);
          for (const line of stdout.trim().split("\n")) {
            const measurement = JSON.parse(line) as Measurement;
            const key = `${client} ${protocol} ${measurement.name}`;
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
  for (const client of clients) {
    const value = (protocol: string, name: string, of: (measurement: Measurement) => number): string =>
      median((results.get(`${client} ${protocol} ${name}`) ?? []).map(of)).toFixed(0);
    const each = (name: string, of: (measurement: Measurement) => number): string[] =>
      protocols.map((protocol) => value(protocol, name, of));
    const isOurs = client === "drover";
    const heading = [`${client}, microseconds each`, "1.1", "2", "1.1, server CPU", "2, server CPU"];
    const rows = [
      [...heading, ...(isOurs ? ["1.1, client CPU", "2, client CPU"] : [])],
      ...names.map((name) => [
        name,
        ...each(name, ({ microseconds }) => microseconds),
        ...each(name, ({ serverCpuMicroseconds }) => serverCpuMicroseconds),
        ...(isOurs ? each(name, ({ clientCpuMicroseconds = Number.NaN }) => clientCpuMicroseconds) : []),
      ]),
    ];
    for (const [name = "", ...rest] of rows) process.stdout.write(`${name.padEnd(32)}${rest.map((cell) => cell.padStart(17)).join("")}\n`);
  }
  process.stdout.write(`Node ${process.versions.node}; ${requests} requests, ${rounds} rounds; medians\n`);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}
