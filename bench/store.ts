/**
 * `npm run bench -- store [seconds] [objects]`: our server in memory and on disk, and kube-apiserver on an etcd that syncs to the same
 * disk, in the same run, over TLS, with the same client. Measures creates per second and their p99 with 1, 16 and 128 clients, a list and
 * a write to 200 watchers; then the start of the store with 100,000 objects of 1 KB, and its size on disk.
 *
 * Ours runs from the built packages. Needs the programs of `npm run assets`. Exits with 1 when ours on disk does not create 1.5 times as
 * many objects as kube-apiserver with 16 clients, or opens in more than a second.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openDataFolder } from "@drover/apiserver/node";
import { nodeRuntime } from "drover";
import { assetEnvironment } from "../scripts/asset-folder.mjs";
import { measureFanOut } from "./apiserver/fan-out-measures.ts";
import { median, percentile } from "./apiserver/measures.ts";
import { Target } from "./apiserver/target.ts";
import { startOurServer } from "./processes/our-server.ts";

const seconds = Number(process.argv[3] ?? 5);
const objects = Number(process.argv[4] ?? 100_000);
const folder = mkdtempSync(join(tmpdir(), "drover-bench-store-"));
Object.assign(process.env, assetEnvironment());
const { realServerMissing, startRealServer } = await import("../conformance/servers/real-server.ts");

interface Rate {
  readonly clients: number;
  readonly perSecond: number;
  readonly p99: number;
}

interface Results {
  readonly name: string;
  readonly rates: readonly Rate[];
  readonly listMs: number;
  readonly fanOutMs: number;
}

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
  for (const clients of [1, 16, 128]) rates.push(await measureCreates(target, clients));
  const lists: number[] = [];
  for (let round = 0; round < 5; round++) {
    const sent = performance.now();
    await target.send("GET", `${maps}?limit=500`);
    lists.push(performance.now() - sent);
  }
  const { times: fanOut } = await measureFanOut(target, { watchers: 200, perConnection: 1, writes: 10 });
  target.close();
  return { name: target.address.name, rates, listMs: median(lists), fanOutMs: percentile(fanOut, 0.5) };
}

async function measureOurs(name: string, data: string | undefined): Promise<Results> {
  const { child, started } = await startOurServer(data === undefined ? {} : { data });
  try {
    return await measure(new Target({ name, ...started, processMark: "our-server.mjs" }));
  } finally {
    child.kill();
  }
}

async function measureTheirs(): Promise<Results | undefined> {
  if (realServerMissing !== undefined) {
    process.stdout.write(`without kube-apiserver: ${realServerMissing}\n`);
    return undefined;
  }
  const { url, ca, token, kubeconfig, stop } = await startRealServer({ isDurable: true });
  try {
    return await measure(new Target({ name: "kube-apiserver, etcd", url, ca, token, processMark: dirname(kubeconfig) }));
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

const memory = await measureOurs("memory", undefined);
const disk = await measureOurs("disk", join(folder, "server"));
const theirs = await measureTheirs();
const rows = [memory, disk, ...(theirs === undefined ? [] : [theirs])];
for (const { name, rates, listMs, fanOutMs } of rows) {
  const texts = rates.map(({ clients, perSecond, p99 }) => `${clients}: ${perSecond.toFixed(0)}/s p99 ${p99.toFixed(1)} ms`);
  process.stdout.write(`${name.padEnd(22)} ${texts.join("   ")}   list ${listMs.toFixed(1)} ms   200 watchers ${fanOutMs.toFixed(1)} ms\n`);
}
const { openMs, cpuMs, megabytes } = await measureOpen();
process.stdout.write(
  `start with ${objects} objects: ${openMs.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms of CPU, ${megabytes.toFixed(0)} MB on disk\n`,
);
rmSync(folder, { recursive: true, force: true });
const ratio = theirs === undefined ? Infinity : (disk.rates[1]?.perSecond ?? 0) / (theirs.rates[1]?.perSecond ?? Number.NaN);
process.stdout.write(`creates on disk with 16 clients: ${ratio.toFixed(2)} times kube-apiserver with etcd\n`);
process.exitCode = ratio >= 1.5 && openMs <= 1000 ? 0 : 1;
