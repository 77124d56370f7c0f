/**
 * The operator of a soak: a controller of the ConfigMaps of each namespace, with default options, from a connection to caches to
 * reconciles. It remembers which version each reconcile that succeeded had started with.
 */
import { createHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { connect, createController, done, kindSource, nodeRuntime, splitObjectKey } from "drover";
import type { ObjectKey } from "@drover/machinery";
import type { Connection } from "drover";
import { ConfigMap } from "drover/kinds";
import { serveCalls } from "./child.ts";
import { marksCount, marksNamespace, namespaces, requestEvery } from "./scene.ts";
import type { InformerPhase, LoopDelay, OperatorSample, Revisions } from "./scene.ts";

const runtime = nodeRuntime({ write: () => undefined });
const nowMs = (): number => performance.timeOrigin + performance.now();
const collect = globalThis.gc ?? (() => undefined);

let seen: Record<string, Float64Array> = {};
let reconciles = 0;
let failures = 0;
const latencies = createHistogram();
const delays = monitorEventLoopDelay({ resolution: 1 });
let informers: Connection["cluster"]["informers"]["state"] = () => [];
let wanted: { readonly namespace: string; readonly number: number; readonly revision: number; readonly reached: (atMs: number) => void }[] =
  [];

interface OpenOperator {
  readonly url: string;
  readonly objects: number;
}

/** Resolves when every object has been reconciled. */
async function open({ url, objects }: OpenOperator): Promise<void> {
  seen = Object.fromEntries(namespaces.map((name) => [name, new Float64Array(objects).fill(-1)]));
  const connection: Connection = await connect({
    access: { server: url, trust: {}, credentials: {}, namespace: "default" },
    runtime,
    userAgent: "soak",
  });
  informers = () => connection.cluster.informers.state();
  const { signal } = new AbortController();
  const isSeen: (() => boolean)[] = [];
  for (const namespace of namespaces) {
    const source = kindSource(ConfigMap, { cluster: connection.cluster, request: { namespace } });
    const controller = createController({
      name: namespace,
      cluster: connection.cluster,
      workers: 8,
      reconcile: async ({ key, client }) => {
        const number = numberOf(key);
        const version = source.informer?.getVersion(key);
        const revision = Number(version?.resourceVersion ?? 0);
        if (revision % requestEvery === 1) {
          latencies.record(Math.max(1, Math.round((nowMs() - Number(source.informer?.get(key)?.data?.["at"] ?? 0)) * 1000)));
          await client
            .patch(
              ConfigMap,
              `m${number % marksCount}`,
              { type: "merge", body: { data: { seen: String(revision) } } },
              { namespace: marksNamespace },
            )
            .catch((error: unknown) => {
              failures++;
              throw error;
            });
        }
        reconciles++;
        note(namespace, number, revision);
        return done;
      },
    });
    controller.watch(source);
    // Objects that were deleted before the start are not in the cache.
    isSeen.push(
      () => source.informer?.hasSynced === true && source.informer.keys().every((key) => seen[namespace]?.[numberOf(key)] !== -1),
    );
    void controller.run(signal);
  }
  void connection.cluster.run(signal);
  while (!isSeen.every((check) => check())) await new Promise((resolve) => void setTimeout(resolve, 50));
  for (const of of Object.values(seen)) for (const [number, revision] of of.entries()) if (revision === -1) of[number] = 0;
}

/** shop/n7 → 7. */
function numberOf(key: ObjectKey): number {
  return Number(splitObjectKey(key).name.slice(1));
}

function note(namespace: string, number: number, revision: number): void {
  const of = seen[namespace];
  if (of !== undefined) of[number] = revision;
  if (wanted.length === 0) return;
  for (const one of wanted) if (one.namespace === namespace && one.number === number && revision >= one.revision) one.reached(nowMs());
  wanted = wanted.filter((one) => !(one.namespace === namespace && one.number === number && revision >= one.revision));
}

/** Resolves with the time when a reconcile of this object has seen this revision. */
function reached(of: { readonly namespace: string; readonly number: number; readonly revision: number }): Promise<number> {
  if ((seen[of.namespace]?.[of.number] ?? 0) >= of.revision) return Promise.resolve(nowMs());
  return new Promise((resolve) => wanted.push({ ...of, reached: resolve }));
}

function sample(): OperatorSample {
  collect();
  collect();
  const resources: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
  return { heapMegabytes: process.memoryUsage().heapUsed / 2 ** 20, resources, listeners, reconciles };
}

function phases(): readonly InformerPhase[] {
  return informers().map(({ reflector: { phase, lists, watches } }) => ({ phase, lists, watches }));
}

function loopDelay(): LoopDelay {
  delays.disable();
  const found = {
    p99Ms: delays.percentile(99) / 1e6,
    p999Ms: delays.percentile(99.9) / 1e6,
    maxMs: delays.max / 1e6,
    samples: delays.count,
  };
  delays.reset();
  return found;
}

serveCalls({
  open,
  reached,
  seen: (): Revisions => seen,
  sample,
  phases,
  startLoopDelay: () => {
    delays.reset();
    delays.enable();
  },
  loopDelay,
  latency: () => ({
    p50Ms: latencies.percentile(50) / 1000,
    p99Ms: latencies.percentile(99) / 1000,
    maxMs: latencies.max / 1000,
    reconciles,
    failures,
  }),
});
