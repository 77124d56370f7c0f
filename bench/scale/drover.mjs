/**
 * Drover's side of the scale benchmark, as a separate process and from the built package: a shared informer through the
 * whole standard stack, from its start to synced; then, as the settings say, through a relist after 410 or through an
 * audit that compares the content of every object; and to its end, with a snapshot if there is a folder, and with a limit of
 * bodies if there is one.
 *
 *     node drover.mjs <settings as JSON>  →  measurements as JSON
 */
import { readFileSync } from "node:fs";
import { watchLoop } from "./loop-watch.mjs";

const { url, kind, changes = 0, folder, audits = false, bodyBytesMax } = JSON.parse(process.argv[2]);

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
// The first audit starts within a second after the sync. Without pauses between pages: the most it can do to the loop.
const audit = audits ? { periodMs: 1000, pagePauseMs: 0 } : false;
const cluster = createCluster({ runtime, transport, namespace: "default", format: "protobuf", informers: { audit }, ...snapshot });
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
let running;
const result = {};
result.sync = await phase(async () => {
  running = cluster.run(over.signal);
  running.catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  });
  await informer.synced(over.signal);
});
const { heapUsed, arrayBuffers } = process.memoryUsage();
Object.assign(result, { objects: informer.size, rssBytes: memory("VmRSS"), heapBytes: heapUsed, bufferBytes: arrayBuffers });
if (changes > 0) {
  result.relist = await phase(async () => {
    // Not with node:http: an import of it loads undici, which no program with this cache needs.
    await transport({ method: "GET", path: `/change?count=${changes}&expire=true`, headers: {} });
    await relist;
  });
}
if (audits) {
  result.audit = await phase(async () => {
    while (auditOutcome() === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
  });
  if (auditOutcome() !== "ok") throw new Error(`the audit ended with ${auditOutcome()}`);
}
result.peakRssBytes = memory("VmHWM");
result.stop = await phase(() => {
  over.abort();
  return running;
});
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);

/** Milliseconds, processor time of all threads in milliseconds, and what held up the event loop. */
async function phase(run) {
  const loop = watchLoop();
  const [beganMs, beganCpuMs] = [performance.now(), cpuMs()];
  await run();
  const [ms, cpu] = [performance.now() - beganMs, cpuMs() - beganCpuMs];
  return { ms, cpuMs: cpu, ...(await loop.end()) };
}

function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** How the first audit ended; undefined before. */
function auditOutcome() {
  const family = runtime.metrics.families().find(({ name }) => name === "informer_audits_total");
  const ended = family?.samples().find(({ series }) => series.value > 0);
  return ended?.labelValues[family.labels.indexOf("outcome")];
}

function memory(name) {
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync("/proc/self/status", "utf8"))[1]) * 1024;
}
