/**
 * `npm run bench -- apiserver [requests]`: our server and the real kube-apiserver with its etcd, in the same run, over TLS, with the same
 * client: time to ready, memory, requests, how soon a watcher sees a write, a list of 10,000 Pods, a write to 1,000 watchers.
 *
 * Both are processes of their own; ours runs from the built packages. Needs the programs of `npm run assets`. Ends with 1 when ours is not
 * ahead in each, or a bound does not hold.
 */
import { execFileSync, fork, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { RealServer } from "../conformance/real-server.ts";
import { assetEnvironment } from "../scripts/asset-folder.mjs";
import { measureFanOut, measureLargeList, measureRequests, percentile } from "./apiserver/measures.ts";
import type { LargeTimes, RequestTimes, Times } from "./apiserver/measures.ts";
import { Target } from "./apiserver/target.ts";

const requests = Number(process.argv[3] ?? 300);
const podCount = 10_000;
const watchers = 1000;
const root = join(import.meta.dirname, "..");

// Where the programs are is looked up when these are loaded.
Object.assign(process.env, assetEnvironment());
const [{ realServerMissing, startRealServer }, { programPath }] = await Promise.all([import("../conformance/real-server.ts"), import("../conformance/real-program.ts")]);
if (realServerMissing !== undefined) {
  process.stderr.write(`There is nobody to compare with: ${realServerMissing}.\n`);
  process.exit(2);
}

interface Started {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
  readonly readyMs: number;
  readonly importMs: number;
}

interface Results {
  readonly idleMegabytes: number;
  readonly requests: RequestTimes;
  readonly large: LargeTimes;
  readonly fullMegabytes: number;
  readonly fanOut: Times;
}

function startOurs(): Promise<{ readonly child: ChildProcess; readonly started: Started }> {
  const child = fork(join(import.meta.dirname, "apiserver", "our-server.mjs"), { execArgv: [] });
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve({ child, started: message as Started }));
    child.once("exit", (code) => reject(new Error(`our server ended with ${code ?? "a signal"}`)));
  });
}

async function measure(target: Target): Promise<Results> {
  const idleMegabytes = target.memory();
  const times = await measureRequests(target, requests);
  const fanOut = await measureFanOut(target, watchers, 20);
  const large = await measureLargeList(target, podCount);
  const fullMegabytes = target.memory();
  target.close();
  return { idleMegabytes, requests: times, large, fullMegabytes, fanOut };
}

/** From starting a process until kubectl has had its first answer. */
async function firstAnswer(start: (folder: string) => Promise<{ readonly kubeconfig: string; readonly stop: () => Promise<unknown> | void }>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "drover-bench-apiserver-"));
  const began = performance.now();
  const { kubeconfig, stop } = await start(folder);
  for (;;) {
    try {
      execFileSync(programPath("kubectl"), ["get", "namespaces", "--kubeconfig", kubeconfig, "--cache-dir", join(folder, "cache")], { stdio: "ignore" });
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

/** The command people type; it says so when it is ready. */
async function startCommand(folder: string): Promise<{ readonly kubeconfig: string; readonly stop: () => void }> {
  const kubeconfig = join(folder, "kubeconfig");
  const child = spawn(process.execPath, [join(root, "packages", "cli", "dist", "bin", "drover.js"), "up", "--kubeconfig", kubeconfig, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise<void>((resolve, reject) => {
    child.stdout.once("data", () => resolve());
    child.once("exit", (code) => reject(new Error(`drover up ended with ${code ?? "a signal"}`)));
  });
  return { kubeconfig, stop: () => void child.kill("SIGINT") };
}

process.stdout.write("our server …\n");
const readies: number[] = [];
for (let round = 0; round < 5; round++) {
  const { child, started } = await startOurs();
  readies.push(started.readyMs);
  child.kill();
}
const { child, started } = await startOurs();
const ours = await measure(new Target({ name: "ours", ...started, processMark: "our-server.mjs" }));
child.kill();
process.stdout.write("kube-apiserver and etcd …\n");
const real: RealServer = await startRealServer();
const theirs = await measure(new Target({ name: "kube-apiserver", url: real.url, ca: real.ca, token: real.token, processMark: "drover-real-server-" }));
await real.stop();
process.stdout.write("from start to the first answer of kubectl …\n");
const ourFirst = [await firstAnswer(startCommand), await firstAnswer(startCommand), await firstAnswer(startCommand)].toSorted((a, b) => a - b);
const theirFirst = await firstAnswer(async () => {
  const server = await startRealServer();
  return { kubeconfig: server.kubeconfig, stop: () => server.stop() };
});

interface Row {
  readonly what: string;
  readonly ours: number;
  readonly theirs?: number;
  readonly unit: string;
  /** How large ours may be: so much, or such a share of theirs. @default less than theirs */
  readonly bound?: { readonly most?: number; readonly ratio?: number };
}

const both = (what: string, pick: (times: RequestTimes) => Times): Row[] => [0.5, 0.99].map((share) => ({
  what: `${what} p${share * 100}`, ours: percentile(pick(ours.requests), share), theirs: percentile(pick(theirs.requests), share), unit: "ms",
}));
const rows: Row[] = [
  { what: "ready in process", ours: percentile(readies.toSorted((a, b) => a - b), 0.5), unit: "ms", bound: { most: 50 } },
  { what: "start to kubectl's first answer", ours: percentile(ourFirst, 0.5), theirs: theirFirst, unit: "ms", bound: { ratio: 0.15 } },
  { what: "memory, idle", ours: ours.idleMegabytes, theirs: theirs.idleMegabytes, unit: "MB" },
  { what: `memory with ${podCount} Pods`, ours: ours.fullMegabytes, theirs: theirs.fullMegabytes, unit: "MB" },
  ...both("create", ({ create }) => create), ...both("get", ({ get }) => get), ...both("list of 100", ({ list }) => list), ...both("patch", ({ patch }) => patch),
  ...both("create until seen", ({ seen }) => seen),
  { what: `${podCount} creates, 16 at once`, ours: ours.large.fillMs, theirs: theirs.large.fillMs, unit: "ms" },
  { what: `list of ${podCount} Pods`, ours: percentile(ours.large.listMs, 0.5), theirs: percentile(theirs.large.listMs, 0.5), unit: "ms" },
  { what: `one write to ${watchers} watchers p50`, ours: percentile(ours.fanOut, 0.5), theirs: percentile(theirs.fanOut, 0.5), unit: "ms" },
];

let failures = 0;
for (const { what, ours: own, theirs: other, unit, bound = {} } of rows) {
  const { most = Infinity, ratio = 1 } = bound;
  const holds = own <= most && (other === undefined || own < other * ratio);
  if (!holds) failures++;
  const compared = other === undefined ? "" : `${other.toFixed(1).padStart(9)} ${unit}  ${(own / other).toFixed(2)}×`;
  process.stdout.write(`${holds ? " " : "✗"} ${what.padEnd(34)} ${own.toFixed(1).padStart(9)} ${unit} ${compared}\n`);
}
process.stdout.write(`list of ${podCount} Pods: ${(ours.large.listBytes / 1e6).toFixed(1)} MB from ours, ${(theirs.large.listBytes / 1e6).toFixed(1)} MB from theirs. ${failures === 0 ? "Ours is ahead in each." : `${failures} bounds do not hold.`}\n`);
process.exitCode = failures === 0 ? 0 : 1;
