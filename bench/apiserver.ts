/**
 * `npm run bench -- apiserver [requests] [rounds]`: our server and the real kube-apiserver with its etcd, in the same
 * run, over TLS, with the same client. Measures time to ready, memory, requests, the delay until a watcher sees a
 * write, a create through a webhook, a list of 10,000 Pods and one write to 1,000 and to 10,000 watchers.
 * `npm run bench -- apiserver fan-out [rounds]` measures the writes to many watchers alone.
 *
 * 1,000 watchers have a connection each with HTTP/1.1, as a thousand small programs, or ten or a hundred share one of HTTP/2,
 * as those of one client-go do; 10,000 watchers are ten on each of 1,000 connections, so that 2,000 file descriptors are
 * enough on either side.
 *
 * Each server is a new process in each round; ours runs from the built packages. They take turns, with the same warm-up
 * requests, and each figure is the median of its rounds, so that other load on the machine in one round does not
 * matter. Needs the programs of `npm run assets`. Exits with 1 when ours is not ahead in each figure, or a bound does
 * not hold.
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { assetEnvironment } from "../scripts/asset-folder.mjs";
import { measureFanOut } from "./apiserver/fan-out-measures.ts";
import type { FanOutRun, FanOutTimes } from "./apiserver/fan-out-measures.ts";
import { measureLargeList, measureRequests, median, percentile } from "./apiserver/measures.ts";
import type { LargeTimes, RequestTimes, Times } from "./apiserver/measures.ts";
import { Target } from "./apiserver/target.ts";
import { measureWebhook } from "./apiserver/webhook-measures.ts";
import { engineFlags } from "./processes/engine-flags.ts";
import { startOurServer } from "./processes/our-server.ts";

const isFanOutAlone = process.argv[3] === "fan-out";
const samples = isFanOutAlone ? 0 : Number(process.argv[3] ?? 2000);
const rounds = Number(process.argv[4] ?? 3);
const warmUps = 500;
const podCount = 10_000;
const fanOuts: readonly FanOutRun[] = [
  { watchers: 1000, perConnection: 1, writes: 100 },
  { watchers: 1000, perConnection: 10, writes: 100 },
  { watchers: 1000, perConnection: 100, writes: 100 },
  { watchers: 10_000, perConnection: 10, writes: 20 },
];
const root = join(import.meta.dirname, "..");

// These modules look up the programs when they are loaded.
Object.assign(process.env, assetEnvironment());
const [{ realServerMissing, startRealServer }, { programPath }] = await Promise.all([
  import("../conformance/servers/real-server.ts"),
  import("../conformance/servers/real-program.ts"),
]);
if (realServerMissing !== undefined) {
  process.stderr.write(`bench apiserver: cannot compare with kube-apiserver: ${realServerMissing}.\n`);
  process.exit(2);
}

interface Results {
  readonly idleMegabytes: number;
  readonly requests: RequestTimes;
  /** Creates through one webhook. */
  readonly hooked: Times;
  readonly large: LargeTimes;
  readonly fullMegabytes: number;
}

async function measure(target: Target): Promise<Results> {
  const idleMegabytes = target.memory();
  const times = await measureRequests(target, { samples, warmUps });
  const hooked = await measureWebhook(target, { samples: Math.ceil(samples / 4), warmUps });
  const large = await measureLargeList(target, podCount);
  const fullMegabytes = target.memory();
  target.close();
  return { idleMegabytes, requests: times, hooked, large, fullMegabytes };
}

type WithServer = (work: (target: Target) => Promise<FanOutTimes>) => Promise<FanOutTimes>;

/** One for each of `fanOuts`, with a new server each: one that had more watchers before has memory to reuse. */
async function measureFanOuts(withServer: WithServer): Promise<readonly FanOutTimes[]> {
  const all: FanOutTimes[] = [];
  for (const run of fanOuts) {
    const work = async (target: Target): Promise<FanOutTimes> => {
      const times = await measureFanOut(target, run);
      target.close();
      return times;
    };
    all.push(await withServer(work));
  }
  return all;
}

/** From the start of the process until the first answer to kubectl. */
async function firstAnswer(
  start: (folder: string) => Promise<{ readonly kubeconfig: string; readonly stop: () => Promise<unknown> | void }>,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "drover-bench-apiserver-"));
  const began = performance.now();
  const { kubeconfig, stop } = await start(folder);
  for (;;) {
    try {
      execFileSync(programPath("kubectl"), ["get", "namespaces", "--kubeconfig", kubeconfig, "--cache-dir", join(folder, "cache")], {
        stdio: "ignore",
      });
      break;
    } catch {
      await delay(20);
    }
  }
  const ms = performance.now() - began;
  await stop();
  rmSync(folder, { recursive: true, force: true });
  return ms;
}

/** The command that users type; its kubeconfig exists when its server answers. */
async function startCommand(folder: string): Promise<{ readonly kubeconfig: string; readonly stop: () => void }> {
  const kubeconfig = join(folder, "kubeconfig");
  const child = spawn(
    process.execPath,
    [...engineFlags, join(root, "packages", "cli", "dist", "bin", "drover.js"), "up", "--kubeconfig", kubeconfig, "--port", "0"],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  while (!existsSync(kubeconfig)) {
    if (child.exitCode !== null) throw new Error(`drover up ended with ${child.exitCode}`);
    await delay(5);
  }
  return { kubeconfig, stop: () => void child.kill("SIGINT") };
}

async function withOurs<T>(work: (target: Target) => Promise<T>): Promise<T> {
  const { child, started } = await startOurServer();
  try {
    return await work(new Target({ name: "ours", ...started, processMark: join(root, "bench", "apiserver", "our-server.mjs") }));
  } finally {
    child.kill();
  }
}

async function withTheirs<T>(work: (target: Target) => Promise<T>): Promise<T> {
  const { url, ca, token, kubeconfig, stop } = await startRealServer();
  try {
    return await work(new Target({ name: "kube-apiserver", url, ca, token, processMark: dirname(kubeconfig) }));
  } finally {
    await stop();
  }
}

const readies: number[] = [];
for (let start = 0; start < (isFanOutAlone ? 0 : 5); start++) {
  const { child, started } = await startOurServer();
  readies.push(started.readyMs);
  child.kill();
}
const firsts: { readonly ours: number; readonly theirs: number }[] = [];
const measured: { readonly ours: Results; readonly theirs: Results }[] = [];
const fanned: { readonly ours: readonly FanOutTimes[]; readonly theirs: readonly FanOutTimes[] }[] = [];
for (let round = 1; round <= rounds; round++) {
  process.stdout.write(`round ${round} of ${rounds}: one write to many watchers …\n`);
  fanned.push({ ours: await measureFanOuts(withOurs), theirs: await measureFanOuts(withTheirs) });
  if (isFanOutAlone) continue;
  process.stdout.write(`round ${round} of ${rounds}: from start to the first answer of kubectl …\n`);
  firsts.push({ ours: await firstAnswer(startCommand), theirs: await firstAnswer(() => startRealServer()) });
  process.stdout.write(`round ${round} of ${rounds}: our server, then kube-apiserver and etcd …\n`);
  measured.push({ ours: await withOurs(measure), theirs: await withTheirs(measure) });
}

interface Row {
  readonly what: string;
  readonly ours: number;
  readonly theirs?: number;
  readonly unit: string;
  /** Maximum for ours: an absolute value, or a share of theirs. @default less than theirs */
  readonly bound?: { readonly most?: number; readonly ratio?: number };
}

/** Median of the rounds, for each side. */
const compared = (pick: (results: Results) => number): Pick<Required<Row>, "ours" | "theirs"> => ({
  ours: median(measured.map(({ ours }) => pick(ours))),
  theirs: median(measured.map(({ theirs }) => pick(theirs))),
});
const both = (what: string, pick: (times: RequestTimes) => Times): Row[] =>
  [0.5, 0.99].map((share) => ({
    what: `${what} p${share * 100}`,
    ...compared(({ requests }) => percentile(pick(requests), share)),
    unit: "ms",
  }));
const fannedRow = (index: number, pick: (times: FanOutTimes) => number): Pick<Required<Row>, "ours" | "theirs"> => {
  const side = (all: readonly FanOutTimes[]): number => pick(all[index] as FanOutTimes);
  return { ours: median(fanned.map(({ ours }) => side(ours))), theirs: median(fanned.map(({ theirs }) => side(theirs))) };
};
const fanOutRows: Row[] = fanOuts.flatMap(({ watchers, perConnection }, index) => {
  const what = `${watchers} watchers, ${perConnection === 1 ? "HTTP/1.1" : `${perConnection} per HTTP/2`}`;
  const goal = watchers === 1000 ? { bound: { ratio: 0.6 } } : {};
  return [
    { what: `${what}: p50`, ...fannedRow(index, ({ times }) => percentile(times, 0.5)), unit: "ms", ...goal },
    { what: `${what}: p99`, ...fannedRow(index, ({ times }) => percentile(times, 0.99)), unit: "ms" },
    { what: `${what}: CPU per event`, ...fannedRow(index, ({ cpuMicroseconds }) => cpuMicroseconds), unit: "µs" },
    { what: `${what}: memory each`, ...fannedRow(index, ({ kilobytes }) => kilobytes), unit: "KB" },
  ];
});
const otherRows = (): Row[] => [
  { what: "ready in process", ours: median(readies), unit: "ms", bound: { most: 50 } },
  {
    what: "start to kubectl's first answer",
    ours: median(firsts.map(({ ours }) => ours)),
    theirs: median(firsts.map(({ theirs }) => theirs)),
    unit: "ms",
    bound: { ratio: 0.15 },
  },
  { what: "memory, idle", ...compared(({ idleMegabytes }) => idleMegabytes), unit: "MB" },
  { what: `memory with ${podCount} Pods`, ...compared(({ fullMegabytes }) => fullMegabytes), unit: "MB" },
  ...both("create", ({ create }) => create),
  ...both("get", ({ get }) => get),
  ...both("list of 100", ({ list }) => list),
  ...both("patch", ({ patch }) => patch),
  ...both("create until seen", ({ seen }) => seen),
  { what: "create through a webhook p50", ...compared(({ hooked }) => percentile(hooked, 0.5)), unit: "ms" },
  { what: `${podCount} creates, 16 at once`, ...compared(({ large }) => large.fillMs), unit: "ms" },
  { what: `list of ${podCount} Pods`, ...compared(({ large }) => percentile(large.listMs, 0.5)), unit: "ms" },
];
const rows = [...(isFanOutAlone ? [] : otherRows()), ...fanOutRows];

let failures = 0;
for (const { what, ours: own, theirs: other, unit, bound = {} } of rows) {
  const { most = Infinity, ratio = 1 } = bound;
  const holds = own <= most && (other === undefined || own < other * ratio);
  if (!holds) failures++;
  const next = other === undefined ? "" : `${other.toFixed(1).padStart(9)} ${unit}  ${(own / other).toFixed(2)}×`;
  process.stdout.write(`${holds ? " " : "✗"} ${what.padEnd(42)} ${own.toFixed(1).padStart(9)} ${unit} ${next}\n`);
}
if (!isFanOutAlone) {
  const listMegabytes = compared(({ large }) => large.listBytes / 1e6);
  process.stdout.write(
    `list of ${podCount} Pods: ${listMegabytes.ours.toFixed(1)} MB from ours, ${listMegabytes.theirs.toFixed(1)} MB from theirs\n`,
  );
}
for (const [index, { watchers, perConnection }] of fanOuts.entries()) {
  const { ours, theirs } = fannedRow(index, ({ clientMicroseconds }) => clientMicroseconds);
  process.stdout.write(
    `${watchers} watchers, ${perConnection} per connection: the measuring client needs ${ours.toFixed(1)} µs of CPU for an event of ours, ${theirs.toFixed(1)} µs for one of theirs\n`,
  );
}
process.stdout.write(failures === 0 ? "Ours is ahead in each.\n" : `${failures} bounds do not hold.\n`);
process.exitCode = failures === 0 ? 0 : 1;
