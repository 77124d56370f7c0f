/**
 * The side of @kubernetes/client-node in the cache benchmark, as a separate process. Copied beside the package it
 * measures, because modules are resolved from the location of a file.
 *
 *     node --expose-gc client-node.mjs <settings as JSON>  →  measurements as JSON
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { readFileSync } from "node:fs";
import { get } from "node:http";

const { url, startedMs, pods, events, mode } = JSON.parse(process.argv[2]);
const nowMs = () => performance.timeOrigin + performance.now();
const delay = monitorEventLoopDelay({ resolution: 2 });
delay.enable();
const { CoreV1Api, KubeConfig, makeInformer } = await import("@kubernetes/client-node");
const importedMs = nowMs();
const heap = () => {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
const base = mode === "keep" ? heap() : 0;

const config = new KubeConfig();
config.loadFromOptions({
  clusters: [{ name: "bench", server: url, skipTLSVerify: true }],
  users: [{ name: "bench" }],
  contexts: [{ name: "bench", cluster: "bench", user: "bench" }],
  currentContext: "bench",
});
const api = config.makeApiClient(CoreV1Api);
const informer = makeInformer(config, "/api/v1/pods", () => api.listPodForAllNamespaces());

let handled = 0;
let sum = 0;
let finish;
let onUpdate;
const done = new Promise((resolve) => {
  finish = resolve;
});
informer.on("update", (pod) => {
  if (mode === "read") sum += pod.spec.containers.length + pod.status.conditions.length;
  else if (mode === "fields") sum += pod.spec.nodeName.length + pod.status.phase.length + pod.status.podIP.length;
  else sum += `${pod.metadata.namespace}/${pod.metadata.name}`.length;
  onUpdate?.(pod);
  if (++handled === events) finish();
});
informer.on("error", (error) => {
  process.stderr.write(`${error?.stack ?? error}\n`);
  process.exit(1);
});
await informer.start();
const result = {
  syncMs: nowMs() - startedMs,
  importMs: importedMs - startedMs,
  objects: informer.list().length,
  peakRssBytes: Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) * 1024,
  loopDelayP99Ms: Math.max(0, delay.percentile(99) / 1e6 - 2),
};
if (mode === "keep") {
  result.keptBytes = (heap() - base) / pods;
  result.lookedBytes = result.keptBytes;
} else if (mode === "latency") {
  const found = [];
  onUpdate = (pod) => void found.push((nowMs() - Number(pod.metadata.annotations["bench.drover.dev/sent"]) / 1e6) * 1000);
  start();
  await done;
  found.sort((a, b) => a - b);
  result.latencies = [found[Math.floor(found.length / 2)], found[Math.floor(found.length * 0.99)]];
} else if (mode !== "sync") {
  const cpu = process.cpuUsage();
  const began = performance.now();
  start();
  await done;
  result.eventsPerSecond = events / ((performance.now() - began) / 1000);
  const { user, system } = process.cpuUsage(cpu);
  result.cpuSeconds = (user + system) / 1e6;
}
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(sum < 0 ? 1 : 0);

function start() {
  // The watch may not be open yet: the server starts the watches it has.
  setTimeout(() => get(`${url}/start`, (response) => response.resume()), 300);
}
