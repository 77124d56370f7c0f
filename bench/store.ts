/**
 * `npm run bench -- store [seconds] [rounds] [objects]`: our server in memory, on disk and on an etcd, and kube-apiserver on an etcd, in
 * the same run, over TLS, with the same client; disk and etcd sync every write. Measures creates per second and their p99 with 1, 16 and
 * 128 clients, a list and a write to 200 watchers; then the start of the store on disk with 100,000 objects of 1 KB, and its size.
 *
 * Ours runs from the built packages. Servers are new in each round and take turns; medians are printed, and a ratio is the median of the
 * ratios within each round. Needs the programs of `npm run assets`. Exits with 1 when a goal does not hold.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openDataFolder } from "@drover/apiserver/node";
import { nodeRuntime } from "drover";
import { assetEnvironment } from "../scripts/asset-folder.mjs";
import { measureFanOut } from "./apiserver/fan-out-measures.ts";
import { percentile } from "./apiserver/measures.ts";
import { Target } from "./apiserver/target.ts";
import { startOurServer } from "./processes/our-server.ts";
import type { OurServerOptions } from "./processes/our-server.ts";
import { judge } from "./report/judge.ts";
import { median, medianRatio } from "./report/median.ts";
import { printTable } from "./report/table.ts";

const [seconds = 5, rounds = 3, objects = 100_000] = process.argv.slice(3).map(Number);
const folder = mkdtempSync(join(tmpdir(), "drover-bench-store-"));
Object.assign(process.env, assetEnvironment());
const { realServerMissing, startRealServer } = await import("../conformance/servers/real-server.ts");
const { startRealEtcd } = await import("../conformance/servers/real-etcd.ts");

interface Rate {
  readonly clients: number;
  readonly perSecond: number;
  readonly p99: number;
}

interface Results {
  readonly rates: readonly Rate[];
  readonly listMs: number;
  readonly fanOutMs: number;
}

const clientCounts: readonly number[] = [1, 16, 128];
const maps = "/api/v1/namespaces/bench/configmaps";

/** Creates ConfigMaps of 1 KB for some time. */
async function measureCreates(target: Target, clients: number): Promise<Rate> {
  const times: number[] = [];
  const began = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let count = 0; performance.now() - began < seconds * 1000; count++) {
        const sent = performance.now();
        const body = JSON.stringify({ metadata: { name: `c${clients}-${client}-${count}` }, data: { text: "x".repeat(800) } });
        const { status, text } = await target.send("POST", maps, body);
        if (status !== 201) throw new Error(`a create was answered with ${status}: ${text.slice(0, 300)}`);
        times.push(performance.now() - sent);
      }
    }),
  );
  const perSecond = times.length / ((performance.now() - began) / 1000);
  return {
    clients,
    perSecond,
    p99: percentile(
      times.toSorted((a, b) => a - b),
      0.99,
    ),
  };
}

async function measure(target: Target): Promise<Results> {
  await target.send("POST", "/api/v1/namespaces", JSON.stringify({ metadata: { name: "bench" } }));
  await measureCreates(target, 8);
  await target.send("DELETE", maps);
  const rates: Rate[] = [];
  for (const clients of clientCounts) rates.push(await measureCreates(target, clients));
  const lists: number[] = [];
  for (let round = 0; round < 5; round++) {
    const sent = performance.now();
    await target.send("GET", `${maps}?limit=500`);
    lists.push(performance.now() - sent);
  }
  const { times: fanOut } = await measureFanOut(target, { watchers: 200, perConnection: 1, writes: 10 });
  target.close();
  return { rates, listMs: median(lists), fanOutMs: percentile(fanOut, 0.5) };
}

async function measureOurs(options: OurServerOptions): Promise<Results> {
  const { child, started } = await startOurServer(options);
  try {
    return await measure(new Target({ name: "ours", ...started, processMark: "our-server.mjs" }));
  } finally {
    child.kill();
  }
}

async function measureOursOnEtcd(): Promise<Results> {
  const { url, stop } = await startRealEtcd("--unsafe-no-fsync=false");
  try {
    return await measureOurs({ etcd: url });
  } finally {
    await stop();
  }
}

async function measureTheirs(): Promise<Results> {
  const { url, ca, token, kubeconfig, stop } = await startRealServer({ isDurable: true });
  try {
    return await measure(new Target({ name: "theirs", url, ca, token, processMark: dirname(kubeconfig) }));
  } finally {
    await stop();
  }
}

/** Fills a store, closes it, and opens it again. */
async function measureOpen(): Promise<{ readonly openMs: number; readonly cpuMs: number; readonly megabytes: number }> {
  const runtime = nodeRuntime({ write: () => undefined });
  const path = join(folder, "open");
  const value = JSON.stringify({ text: "x".repeat(1000) });
  const filled = await openDataFolder(path, { runtime });
  for (let at = 0; at < objects; at += 1000)
    await Promise.all(Array.from({ length: 1000 }, (_, one) => filled.store.put(`/registry/x/${at + one}`, value, { expected: 0 })));
  await filled.close();
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  const opened = await openDataFolder(path, { runtime });
  const { user, system } = process.cpuUsage(cpu);
  const openMs = performance.now() - began;
  const megabytes = opened.store.diskBytes / 1e6;
  await opened.close();
  return { openMs, cpuMs: (user + system) / 1000, megabytes };
}

if (realServerMissing !== undefined) {
  process.stderr.write(`bench store: ${realServerMissing}\n`);
  process.exit(1);
}
const sides = { memory: [] as Results[], disk: [] as Results[], etcd: [] as Results[], "kube-apiserver, etcd": [] as Results[] };
for (let round = 0; round < rounds; round++) {
  sides.memory.push(await measureOurs({}));
  sides.disk.push(await measureOurs({ data: join(folder, `server-${round}`) }));
  sides.etcd.push(await measureOursOnEtcd());
  sides["kube-apiserver, etcd"].push(await measureTheirs());
}
const rateAt =
  (at: number) =>
  ({ rates }: Results): number =>
    rates[at]?.perSecond ?? Number.NaN;
printTable([
  ["store", ...clientCounts.flatMap((clients) => [`${clients}: creates/s`, "p99 ms"]), "list of 500 ms", "200 watchers ms"],
  ...Object.entries(sides).map(([name, found]) => [
    name,
    ...clientCounts.flatMap((_, at) => [
      median(found.map(rateAt(at))).toFixed(0),
      median(found.map(({ rates }) => rates[at]?.p99 ?? Number.NaN)).toFixed(1),
    ]),
    median(found.map(({ listMs }) => listMs)).toFixed(1),
    median(found.map(({ fanOutMs }) => fanOutMs)).toFixed(1),
  ]),
]);
const { openMs, cpuMs, megabytes } = await measureOpen();
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`start with ${objects} objects: ${cpuMs.toFixed(0)} ms of CPU, ${megabytes.toFixed(0)} MB on disk\n\nGoals:\n`);
const theirs = sides["kube-apiserver, etcd"].map(rateAt(1));
judge("creates on disk with 16 clients", medianRatio(sides.disk.map(rateAt(1)), theirs), "× kube-apiserver on etcd", { atLeast: 1.5 });
judge("creates on etcd with 16 clients", medianRatio(sides.etcd.map(rateAt(1)), theirs), "× kube-apiserver on etcd", { atLeast: 0.9 });
judge(`start with ${objects} objects`, Math.round(openMs) / 1000, "s", { atMost: 1 });
