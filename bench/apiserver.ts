/**
 * `npm run bench -- apiserver [requests] [rounds]`: our server and the real kube-apiserver with its etcd, in the same
 * run, over TLS, with the same client. Measures time to ready, memory, requests, the delay until a watcher sees a
 * write, a create through a webhook, a list of 10,000 Pods and a write to 1,000 watchers.
 *
 * Each server is a new process in each round; ours runs from the built packages. They take turns, with the same warm-up
 * requests, and each figure is the median of its rounds, so that other load on the machine in one round does not
 * matter. Needs the programs of `npm run assets`. Exits with 1 when ours is not ahead in each figure, or a bound does
 * not hold.
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { assetEnvironment } from "../scripts/asset-folder.mjs";
import { measureFanOut, measureLargeList, measureRequests, median, percentile } from "./apiserver/measures.ts";
import type { LargeTimes, RequestTimes, Times } from "./apiserver/measures.ts";
import { Target } from "./apiserver/target.ts";
import { measureWebhook } from "./apiserver/webhook-measures.ts";
import { engineFlags } from "./processes/engine-flags.ts";
import { startOurServer } from "./processes/our-server.ts";

const samples = Number(process.argv[3] ?? 2000);
const rounds = Number(process.argv[4] ?? 3);
const warmUps = 500;
const podCount = 10_000;
const watchers = 1000;
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
  readonly fanOut: Times;
}

async function measure(target: Target): Promise<Results> {
  const idleMegabytes = target.memory();
  const times = await measureRequests(target, { samples, warmUps });
  const hooked = await measureWebhook(target, { samples: Math.ceil(samples / 4), warmUps });
  const fanOut = await measureFanOut(target, watchers, 50);
  const large = await measureLargeList(target, podCount);
  const fullMegabytes = target.memory();
  target.close();
  return { idleMegabytes, requests: times, hooked, large, fullMegabytes, fanOut };
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

async function measureOurs(): Promise<Results> {
  const { child, started } = await startOurServer();
  try {
    return await measure(new Target({ name: "ours", ...started, processMark: "our-server.mjs" }));
  } finally {
    child.kill();
  }
}

async function measureTheirs(): Promise<Results> {
  const { url, ca, token, stop } = await startRealServer();
  try {
    return await measure(new Target({ name: "kube-apiserver", url, ca, token, processMark: "drover-real-server-" }));
  } finally {
    await stop();
  }
}

const readies: number[] = [];
for (let start = 0; start < 5; start++) {
  const { child, started } = await startOurServer();
  readies.push(started.readyMs);
  child.kill();
}
const firsts: { readonly ours: number; readonly theirs: number }[] = [];
const measured: { readonly ours: Results; readonly theirs: Results }[] = [];
for (let round = 1; round <= rounds; round++) {
  process.stdout.write(`round ${round} of ${rounds}: from start to the first answer of kubectl …\n`);
  firsts.push({ ours: await firstAnswer(startCommand), theirs: await firstAnswer(() => startRealServer()) });
  process.stdout.write(`round ${round} of ${rounds}: our server, then kube-apiserver and etcd …\n`);
  measured.push({ ours: await measureOurs(), theirs: await measureTheirs() });
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
const rows: Row[] = [
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
  { what: `one write to ${watchers} watchers p50`, ...compared(({ fanOut }) => percentile(fanOut, 0.5)), unit: "ms" },
];

let failures = 0;
for (const { what, ours: own, theirs: other, unit, bound = {} } of rows) {
  const { most = Infinity, ratio = 1 } = bound;
  const holds = own <= most && (other === undefined || own < other * ratio);
  if (!holds) failures++;
  const next = other === undefined ? "" : `${other.toFixed(1).padStart(9)} ${unit}  ${(own / other).toFixed(2)}×`;
  process.stdout.write(`${holds ? " " : "✗"} ${what.padEnd(34)} ${own.toFixed(1).padStart(9)} ${unit} ${next}\n`);
}
const listMegabytes = compared(({ large }) => large.listBytes / 1e6);
process.stdout.write(
  `list of ${podCount} Pods: ${listMegabytes.ours.toFixed(1)} MB from ours, ${listMegabytes.theirs.toFixed(1)} MB from theirs. ${failures === 0 ? "Ours is ahead in each." : `${failures} bounds do not hold.`}\n`,
);
process.exitCode = failures === 0 ? 0 : 1;
