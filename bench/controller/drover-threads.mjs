/**
 * Drover's side of the controller benchmark with two threads, from the built package: the controller of drover.mjs that
 * patches, in a manager whose reconciles run in threads. The main thread requests events and measures the process.
 *
 *     node drover-threads.mjs <settings as JSON>  →  measurements as JSON
 *
 * The threads count in shared memory. The one that makes the last run that is waited for sends a message.
 */
import { BroadcastChannel, getEnvironmentData, isMainThread, setEnvironmentData } from "node:worker_threads";
import { ownMemory } from "../processes/own-memory.mjs";

const threads = 2;
const { url, startedMs, objects, mode, workers, parts } = JSON.parse(process.argv[2]);
if (mode !== "patch") throw new Error(`two threads are measured only with patches, not with mode ${mode}`);
const nowMs = () => performance.timeOrigin + performance.now();
const patchesMax = Math.max(objects, ...parts.map(({ events, repeats }) => events * repeats));
const shared = isMainThread
  ? { counts: new SharedArrayBuffer(12), latencies: new SharedArrayBuffer(patchesMax * 8) }
  : getEnvironmentData("bench");
if (isMainThread) setEnvironmentData("bench", shared);
/** Runs, patches, and the number of runs that is waited for. */
const counts = new Int32Array(shared.counts);
/** One for each patch. */
const latencies = new Float64Array(shared.latencies);
const channel = new BroadcastChannel("bench");

const [{ connect, done, kindSource, nodeManager, nodeRuntime, splitObjectKey }, { ConfigMap }] = await Promise.all([
  import("drover"),
  import("drover/kinds"),
]);
const runtime = nodeRuntime({ logLevel: "error" });
const { cluster, transport } = await connect({
  access: { server: url, trust: {}, credentials: {}, namespace: "default" },
  runtime,
  userAgent: "bench",
});
const manager = await nodeManager({ runtime, cluster, permissions: "off", threads });
const configMaps = kindSource(ConfigMap, { cluster });
const controller = manager.controller({
  name: "bench",
  workers: workers / threads,
  reconcile: (context) => {
    const { "bench.drover.dev/sent": sent, "bench.drover.dev/seen": seen } = configMaps.informer.get(context.key).metadata.annotations;
    if (sent !== seen) return patch(context, sent, (nowMs() - Number(sent) / 1e6) * 1000);
    counted();
    return done;
  },
});
controller.watch(configMaps);

const all = isMainThread ? until(objects) : undefined;
const running = manager.run(new AbortController().signal).catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
if (isMainThread) await measureAll();
else await running;

async function patch({ key, client }, sent, latency) {
  const { namespace, name } = splitObjectKey(key);
  await client.patch(
    ConfigMap,
    name,
    { type: "merge", body: { metadata: { annotations: { "bench.drover.dev/seen": sent } } } },
    { namespace },
  );
  latencies[Atomics.add(counts, 1, 1)] = latency;
  counted();
  return done;
}

function counted() {
  if (Atomics.add(counts, 0, 1) + 1 === Atomics.load(counts, 2)) channel.postMessage("reached");
}

function until(more) {
  Atomics.store(counts, 2, Atomics.load(counts, 0) + more);
  return new Promise((resolve) => {
    channel.onmessage = resolve;
  });
}

async function measureAll() {
  await all;
  const result = { syncMs: nowMs() - startedMs, rssBytes: ownMemory() };
  await measure({ events: objects, rate: 0, repeats: 1 });
  result.parts = [];
  for (const part of parts) result.parts.push(await measure(part));
  result.rssAfterBytes = ownMemory();
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
}

/** Number of events, events per second (0 for full speed), and number of rounds. */
async function measure({ events, rate, repeats }) {
  Atomics.store(counts, 0, 0);
  Atomics.store(counts, 1, 0);
  const cpu = process.cpuUsage();
  const began = performance.now();
  for (let round = 0; round < repeats; round++) {
    const ended = until(events * 2);
    void transport({ method: "GET", path: `/start?events=${events}&rate=${rate}`, headers: {} });
    await ended;
  }
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const [runs, patches] = counts;
  const sorted = latencies.slice(0, patches).sort();
  return {
    seconds,
    cpuSeconds: (user + system) / 1e6,
    runs,
    patches,
    latencies: [sorted[Math.floor(patches / 2)], sorted[Math.floor(patches * 0.99)]],
  };
}
