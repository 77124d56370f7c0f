/**
 * Drover's side of the controller benchmark, as a separate process and from the built package: a controller of
 * ConfigMaps with its defaults, with or without a tape.
 *
 *     node drover.mjs <tape | plain> <settings as JSON>  →  measurements as JSON
 *
 * The reconcile reads the object and, when it patches, records once per event that it has seen it. The patch causes
 * another event, which it reads and ignores.
 */
import { ownMemory } from "../processes/own-memory.mjs";

const { url, startedMs, objects, mode, workers, parts } = JSON.parse(process.argv[3]);
const nowMs = () => performance.timeOrigin + performance.now();
const [{ connect, createController, createTape, done, kindSource, nodeRuntime, splitObjectKey }, { ConfigMap }] = await Promise.all([
  import("drover"),
  import("drover/kinds"),
]);

const runtime = nodeRuntime({ logLevel: "error" });
const { cluster, transport } = await connect({
  access: { server: url, trust: {}, credentials: {}, namespace: "default" },
  runtime,
  userAgent: "bench",
});
const configMaps = kindSource(ConfigMap, { cluster });
const isPatching = mode === "patch";
let runs = 0;
let patches = 0;
let latencies = [];
let wanted = 0;
let reached = () => undefined;
const controller = createController({
  name: "bench",
  cluster,
  workers,
  ...(process.argv[2] === "tape" ? { tape: createTape(runtime) } : {}),
  reconcile: (context) => {
    const { key } = context;
    const { "bench.drover.dev/sent": sent, "bench.drover.dev/seen": seen } = configMaps.informer.get(key).metadata.annotations;
    const latency = (nowMs() - Number(sent) / 1e6) * 1000;
    if (isPatching && sent !== seen) return patch(context, sent, latency);
    if (!isPatching) latencies.push(latency);
    counted();
    return done;
  },
});
controller.watch(configMaps);

const all = until(objects);
const over = new AbortController();
Promise.all([cluster.run(over.signal), controller.run(over.signal)]).catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
await all;
const result = { syncMs: nowMs() - startedMs, rssBytes: ownMemory() };
await measure({ events: objects, rate: 0, repeats: 1 });
result.parts = [];
for (const part of parts) result.parts.push(await measure(part));
result.rssAfterBytes = ownMemory();
process.stdout.write(`${JSON.stringify(result)}\n`);
process.exit(0);

async function patch({ key, client }, sent, latency) {
  const { namespace, name } = splitObjectKey(key);
  await client.patch(
    ConfigMap,
    name,
    { type: "merge", body: { metadata: { annotations: { "bench.drover.dev/seen": sent } } } },
    { namespace },
  );
  latencies.push(latency);
  patches++;
  counted();
  return done;
}

function counted() {
  if (++runs === wanted) reached();
}

function until(more) {
  wanted = runs + more;
  return new Promise((resolve) => {
    reached = resolve;
  });
}

/** Number of events, events per second (0 for full speed), and number of rounds. */
async function measure({ events, rate, repeats }) {
  runs = 0;
  patches = 0;
  latencies = [];
  const cpu = process.cpuUsage();
  const began = performance.now();
  for (let round = 0; round < repeats; round++) {
    const ended = until(isPatching ? events * 2 : events);
    // Not with node:http: an import of it loads undici, which takes 17 MB that no program with this controller needs.
    void transport({ method: "GET", path: `/start?events=${events}&rate=${rate}`, headers: {} });
    await ended;
  }
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  latencies.sort((a, b) => a - b);
  return {
    seconds,
    cpuSeconds: (user + system) / 1e6,
    runs,
    patches,
    latencies: [latencies[Math.floor(latencies.length / 2)], latencies[Math.floor(latencies.length * 0.99)]],
  };
}
