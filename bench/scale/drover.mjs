/**
 * Drover's side of the scale benchmark, as a separate process and from the built package: a shared informer through the
 * whole standard stack, from its start to synced, through a relist after 410 if there are changes, and to its end; with a
 * snapshot if there is a folder, and with a limit of bodies if there is one.
 *
 *     node drover.mjs <settings as JSON>  →  measurements as JSON
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { readFileSync } from "node:fs";
import { get } from "node:http";

const { url, kind, changes, folder, bodyBytesMax } = JSON.parse(process.argv[2]);
const resolutionMs = 2;

const [{ createCluster }, { clusterTransport, nodeRuntime, nodeTransport }, kinds] = await Promise.all([
  import("drover/cache"),
  import("drover/client"),
  import("drover/kinds"),
]);

const runtime = nodeRuntime({ logLevel: "error" });
const host = {
  env: {},
  platform: process.platform,
  isInteractive: false,
  cwd: "/",
  readFile: () => Promise.reject(new Error("no files here")),
};
const transport = clusterTransport(
  { server: url, trust: {}, credentials: {}, namespace: "default" },
  { ...runtime, host, isPair: () => true, connect: nodeTransport, userAgent: "bench" },
);
const snapshot = folder === undefined ? {} : { snapshot: { store: (await import("drover")).snapshotFolder(folder), stopMs: 60_000 } };
const cluster = createCluster({ runtime, transport, namespace: "default", format: "protobuf", informers: { audit: false }, ...snapshot });
const { informer } =
  bodyBytesMax === undefined ? cluster.informers.acquire(kinds[kind]) : cluster.informers.acquireBounded(kinds[kind], { bodyBytesMax });

let updates = 0;
let relisted;
const relist = new Promise((resolve) => {
  relisted = resolve;
});
informer.addHandler(
  (change) => {
    if (change.type === "updated" && ++updates === changes) relisted();
  },
  { name: "bench" },
);

const over = new AbortController();
let delay = startDelay();
let beganMs = performance.now();
const beganCpuMs = cpuMs();
const running = cluster.run(over.signal);
running.catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
await informer.synced(over.signal);
const result = {
  syncMs: performance.now() - beganMs,
  syncCpuMs: cpuMs() - beganCpuMs,
  objects: informer.size,
  syncDelay: await endDelay(delay),
  rssBytes: memory("VmRSS"),
};
if (changes > 0) {
  delay = startDelay();
  beganMs = performance.now();
  get(`${url}/change?count=${changes}&expire=true`, (response) => response.resume());
  await relist;
  result.relistMs = performance.now() - beganMs;
  result.relistDelay = await endDelay(delay);
}
result.peakRssBytes = memory("VmHWM");
delay = startDelay();
beganMs = performance.now();
over.abort();
await running;
result.stopMs = performance.now() - beganMs;
result.stopDelay = await endDelay(delay);
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);

function startDelay() {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  return histogram;
}

/** CPU time of all threads so far: unlike the time, it hardly depends on other load. */
function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** p50, p99 and the maximum in milliseconds, without the interval of the timer itself. */
async function endDelay(histogram) {
  // A delay is recorded when it is over.
  await new Promise((resolve) => setTimeout(resolve, 3 * resolutionMs));
  histogram.disable();
  return [histogram.percentile(50), histogram.percentile(99), histogram.max].map((ns) => Math.max(0, ns / 1e6 - resolutionMs));
}

function memory(name) {
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync("/proc/self/status", "utf8"))[1]) * 1024;
}
