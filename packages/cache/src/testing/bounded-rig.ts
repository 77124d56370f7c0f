/**
 * A bounded informer on a scripted API, with answers to single reads that arrive when the test says so.
 *
 *     const rig = boundedRig({ bodyBytesMax: 4000 });
 *     rig.write("web");
 *     await rig.settled();
 *     expect(await rig.read("web")).toMatchObject({ … });
 */
import { ConfigMap } from "@drover/api/core/v1";
import { abortable, objectKey, sleep } from "@drover/machinery";
import type { DeepReadonly, HttpRequest, ObjectKey, Transport } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import type { BoundedChange } from "../bodies/bounded-change.ts";
import { createBoundedInformer } from "../informer/bounded-informer.ts";
import type { BoundedInformer, BoundedInformerOptions } from "../informer/bounded-informer.ts";
import { listWatcher } from "../source/late-list-watcher.ts";
import type { ListWatcherSettings } from "../source/late-list-watcher.ts";
import { ScriptedApi } from "./scripted-api.ts";
import type { ScriptedApiOptions } from "./scripted-api.ts";

export interface BoundedRigOptions {
  readonly seed?: number;
  readonly bodyBytesMax: number;
  readonly api?: Partial<ScriptedApiOptions>;
  readonly source?: Partial<ListWatcherSettings>;
  readonly informer?: Partial<BoundedInformerOptions<ConfigMap>>;
  /** Compares the cache with the server, as the informers of a cluster do. @default false */
  readonly audit?: boolean;
}

export interface BoundedRig {
  readonly runtime: TestRuntime;
  readonly clock: ManualClock;
  readonly api: ScriptedApi;
  readonly informer: BoundedInformer<ConfigMap>;
  /** Changes that a handler has received. */
  readonly changes: BoundedChange<ConfigMap>[];
  /** Milliseconds that the answer to each further single read takes; the server decides it at once. */
  delayMs: number;
  /** Number of single reads so far. */
  readonly gets: number;
  /** Creates or updates config maps in "shop", each with this much data. */
  write(name: string, options?: { readonly bytes?: number; readonly colour?: string }): void;
  read(name: string, signal?: AbortSignal): Promise<DeepReadonly<ConfigMap> | undefined>;
  /** Reads while the clock runs. */
  readNow(name: string): Promise<DeepReadonly<ConfigMap> | undefined>;
  settled(ms?: number): Promise<void>;
  stop(): Promise<void>;
}

export const shop = (name: string): ObjectKey => objectKey(name, "shop");

/** Creates the rig and starts the informer. */
export function boundedRig(options: BoundedRigOptions): BoundedRig {
  const { seed = 1, bodyBytesMax } = options;
  const clock = new ManualClock({ quietTurns: 64 });
  const runtime = testRuntime({ seed, clock });
  const api = new ScriptedApi({ clock, random: runtime.random.stream("api"), ...options.api });
  let [delayMs, gets, writes] = [0, 0, 0];
  const transport: Transport = async (request) => {
    if (!isSingle(request)) return api.transport(request);
    gets++;
    const [response, lateMs] = [await api.transport(request), delayMs];
    if (lateMs > 0) await abortable(sleep(clock, lateMs), request.signal ?? new AbortController().signal);
    return response;
  };
  const source = () => listWatcher({ transport, clock, kind: ConfigMap, ...options.source });
  const metadata = () => listWatcher<ConfigMap>({ transport, clock, kind: ConfigMap, ...options.source, projection: "metadata" });
  const informer = createBoundedInformer<ConfigMap>({
    source: source(),
    runtime,
    bodyBytesMax,
    indexers: { colour: ({ object }) => [object.metadata.labels?.["colour"] ?? "none"] },
    ...(options.audit === true ? { audit: { source: metadata(), content: source() } } : {}),
    ...options.informer,
  });
  const changes: BoundedChange<ConfigMap>[] = [];
  informer.addHandler((change) => void changes.push(change), { name: "test" });
  const stopped = new AbortController();
  const running = informer.run(stopped.signal);
  const read = (name: string, signal?: AbortSignal) => informer.get(shop(name), signal === undefined ? {} : { signal });
  return {
    runtime,
    clock,
    api,
    informer,
    changes,
    get delayMs() {
      return delayMs;
    },
    set delayMs(ms) {
      delayMs = ms;
    },
    get gets() {
      return gets;
    },
    write: (name, { bytes = 1000, colour = "none" } = {}) => {
      const text = `${++writes} `.padEnd(bytes, "x");
      api.put({ metadata: { namespace: "shop", name, labels: { colour } }, data: { text } });
    },
    read,
    readNow: async (name) => {
      const reading = read(name);
      reading.catch(() => undefined);
      await clock.advance(1000);
      return reading;
    },
    settled: (ms = 60_000) => clock.advance(ms),
    stop: async () => {
      stopped.abort();
      await clock.advance(10_000);
      await running;
    },
  };
}

const isSingle = ({ path }: HttpRequest): boolean => /\/configmaps\/[^?]+/.test(path);
