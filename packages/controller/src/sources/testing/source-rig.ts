/**
 * A scripted cluster and a recording sink, for tests of sources.
 *
 *     const rig = sourceRig();
 *     rig.configMaps.put(…);
 *     const life = rig.watch(kindSource(ConfigMap, { cluster: rig.cluster }));
 *     await rig.start();
 */
import { ScriptedApi } from "@drover/cache/testing";
import { newFailure } from "@drover/machinery";
import type { ObjectKey, ResourceRow, Transport } from "@drover/machinery";
import { statusResponse } from "@drover/client/testing";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import type { Cause } from "../../causes/cause.ts";
import { createCluster } from "@drover/cache";
import type { Cluster } from "@drover/cache";
import type { Source, SourceRequest, SourceSink } from "../source.ts";

/** One run of a source, as seen by its sink. */
export interface SourceLife {
  /** The requested keys, in order. */
  readonly keys: ObjectKey[];
  readonly requests: (SourceRequest & { readonly key: ObjectKey })[];
  readonly causes: Cause[];
  readonly state: { readonly synced: number; readonly waitingFor: string | undefined };
  /** Result of `run`. */
  readonly over: Promise<void>;
  /** Aborts and waits for the end. */
  readonly stop: () => Promise<void>;
}

export interface SourceRig {
  readonly runtime: TestRuntime;
  readonly clock: ManualClock;
  readonly cluster: Cluster;
  /** Serves config maps. */
  readonly configMaps: ScriptedApi;
  /** Serves one more resource from now on; other resources are not found. */
  readonly serve: (resource: ResourceRow) => ScriptedApi;
  /** Stops serving a resource, as when its definition is deleted. */
  readonly unserve: (api: ScriptedApi) => void;
  readonly watch: (source: Source) => SourceLife;
  /** Runs the cluster and lets everything settle. */
  readonly start: () => Promise<void>;
  /** Ends the cluster. */
  readonly end: () => Promise<void>;
}

export function sourceRig({ name = "" }: { readonly name?: string } = {}): SourceRig {
  const clock = new ManualClock({ quietTurns: 64 });
  const runtime = testRuntime({ clock });
  const configMaps = new ScriptedApi({ clock, random: runtime.random });
  let apis: readonly (readonly [prefix: string, api: ScriptedApi])[] = [["/api/v1/", configMaps]];
  const transport: Transport = (request) => {
    const found = apis.find(([prefix]) => request.path.startsWith(prefix));
    return found === undefined
      ? Promise.resolve(statusResponse(newFailure(404, "NotFound", "the server could not find the requested resource")))
      : found[1].transport(request);
  };
  const cluster = createCluster({ runtime, transport, name, namespace: "shop", informers: { audit: false } });
  const stopCluster = new AbortController();
  let running: Promise<void> | undefined;
  return {
    runtime,
    clock,
    cluster,
    configMaps,
    serve: (resource) => {
      const api = new ScriptedApi({ clock, random: runtime.random, resource });
      apis = [...apis, [`/apis/${resource.group}/${resource.version}/`, api]];
      return api;
    },
    unserve: (api) => {
      apis = apis.filter(([, other]) => other !== api);
      api.cut();
    },
    watch: (source) => watchSource(source, clock),
    start: async () => {
      running ??= cluster.run(stopCluster.signal);
      await clock.advance(10);
    },
    end: async () => {
      stopCluster.abort();
      await clock.advance(10);
      await running;
    },
  };
}

/** Runs a source without a cluster. */
export function watchSource(source: Source, clock: ManualClock): SourceLife {
  const stopping = new AbortController();
  const requests: SourceLife["requests"] = [];
  const [keys, causes]: [ObjectKey[], Cause[]] = [[], []];
  let waitingFor: Parameters<SourceSink["waitingFor"]>[0];
  const state = {
    synced: 0,
    get waitingFor() {
      return typeof waitingFor === "function" ? waitingFor() : waitingFor;
    },
  };
  const sink: SourceSink = {
    request: (key, request) => {
      keys.push(key);
      causes.push(request.cause);
      requests.push({ key, ...request });
    },
    synced: () => {
      state.synced++;
    },
    waitingFor: (why) => {
      waitingFor = why;
    },
  };
  const over = source.run(sink, stopping.signal);
  // Tests that await it later still see the rejection.
  over.catch(() => undefined);
  return {
    keys,
    requests,
    causes,
    state,
    over,
    stop: async () => {
      stopping.abort();
      await clock.settle();
      await over;
    },
  };
}
