/**
 * Drover's side of the cache benchmark, as a separate process and from the built package: an informer on Pods through
 * the whole standard stack.
 *
 *     node --expose-gc drover.mjs <settings as JSON>  →  measurements as JSON
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { readFileSync } from "node:fs";

const { url, startedMs, pods, events, mode } = JSON.parse(process.argv[2]);
const nowMs = () => performance.timeOrigin + performance.now();
const delay = monitorEventLoopDelay({ resolution: 2 });
delay.enable();

const [{ createInformer, listWatcher }, { clusterTransport, nodeRuntime, nodeTransport }, { Pod }] = await Promise.all([
  import("drover/cache"),
  import("drover/client"),
  import("drover/kinds"),
]);
const importedMs = nowMs();
const heap = () => {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
const base = mode === "keep" ? heap() : 0;

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
const fields = ["spec.nodeName", "status.phase", "status.podIP"];
const informer = createInformer({
  source: listWatcher({ transport, clock: runtime.clock, kind: Pod, format: "protobuf", ...(mode === "fields" && { fields }) }),
  runtime,
});

let handled = 0;
// The version of the replay server's last event.
const lastVersion = String(1_000_000_000 + pods + events);
let sum = 0;
let finish;
const done = new Promise((resolve) => {
  finish = resolve;
});
const queue = mode === "latency" ? (await import("drover/controller")).createQueue(runtime) : undefined;
informer.addHandler(
  (change) => {
    if (change.type !== "updated") return;
    if (mode === "read") sum += change.object.spec.containers.length + change.object.status.conditions.length;
    else if (mode === "fields") {
      const { spec, status } = change.object;
      sum += spec.nodeName.length + status.phase.length + status.podIP.length;
    } else if (mode === "latency") queue.add(change.key);
    else sum += change.key.length;
    handled++;
    // Pending changes of one object are merged into one notification, so calls cannot be counted; the last version can
    // be recognised.
    if (informer.getVersion(change.key).resourceVersion === lastVersion) finish();
  },
  { name: "bench" },
);

const over = new AbortController();
const running = informer.run(over.signal);
running.catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
await informer.synced(over.signal);
const result = {
  syncMs: nowMs() - startedMs,
  importMs: importedMs - startedMs,
  objects: informer.keys().length,
  peakRssBytes: Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) * 1024,
  // The delay of the timer itself does not count.
  loopDelayP99Ms: Math.max(0, delay.percentile(99) / 1e6 - 2),
};
if (mode === "keep") {
  result.keptBytes = (heap() - base) / pods;
  for (const key of informer.keys()) sum += informer.get(key).spec.containers.length;
  result.lookedBytes = (heap() - base) / pods;
} else if (mode === "latency") {
  result.latencies = await latencies();
} else if (mode !== "sync") {
  const cpu = process.cpuUsage();
  const began = performance.now();
  void start();
  await done;
  result.eventsPerSecond = events / ((performance.now() - began) / 1000);
  result.handlerCalls = handled;
  const { user, system } = process.cpuUsage(cpu);
  result.cpuSeconds = (user + system) / 1e6;
}
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(sum < 0 ? 1 : 0);

/** Not with node:http: an import of it loads undici, which takes 17 MB that no program with this cache needs. */
function start() {
  return transport({ method: "GET", path: "/start", headers: {} });
}

async function latencies() {
  const found = [];
  void start();
  while (found.length < events) {
    const { key } = await queue.get({ signal: over.signal });
    found.push((nowMs() - Number(informer.get(key).metadata.annotations["bench.drover.dev/sent"]) / 1e6) * 1000);
    queue.done(key);
  }
  found.sort((a, b) => a - b);
  return [found[Math.floor(found.length / 2)], found[Math.floor(found.length * 0.99)]];
}
