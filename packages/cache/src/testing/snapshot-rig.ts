/**
 * Processes one after the other on one scripted API and one store of snapshots, for tests of restarts.
 *
 *     const rig = snapshotRig();
 *     const first = rig.start(); … await first.stop();
 *     const second = rig.start();
 */
import type { ConfigMap } from "@drover/api/core/v1";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { createInformer } from "../informer/informer.ts";
import type { Informer, InformerOptions } from "../informer/informer.ts";
import type { CacheSnapshotOptions } from "../snapshot/cache-snapshot.ts";
import type { ListWatchOptions } from "../source/list-watcher.ts";
import { HandlerLedger } from "./handler-ledger.ts";
import { MemorySnapshots } from "./memory-snapshots.ts";
import { contentDifferences, lateSource, writeTo } from "./reflector-rig.ts";
import { ScriptedApi } from "./scripted-api.ts";
import type { ScriptedApiOptions } from "./scripted-api.ts";

/** What differs between processes. */
export interface ProcessOptions {
  readonly snapshot?: Partial<CacheSnapshotOptions>;
  readonly select?: ListWatchOptions;
  readonly informer?: Partial<InformerOptions<ConfigMap>>;
}

export interface SnapshotProcess {
  readonly informer: Informer<ConfigMap>;
  readonly ledger: HandlerLedger;
  /** Differences between store and server, between ledger and server, and the ledger's mistakes. */
  differences(): string[];
  /** Tells the process to stop. */
  abort(): void;
  /** Stops the process and waits for its end. */
  stop(): Promise<void>;
}

export interface SnapshotRig {
  readonly clock: ManualClock;
  readonly runtime: TestRuntime;
  readonly api: ScriptedApi;
  readonly store: MemorySnapshots;
  readonly write: (...names: readonly string[]) => void;
  /** Starts a process. Snapshots of more than one object are resumed with a watch. */
  start(options?: ProcessOptions): SnapshotProcess;
  /** Log lines about snapshots: why one is not used, or was not written. */
  lines(): string[];
}

/** The name of the snapshot in the store. */
export const rigSnapshot = "configmaps";

export function snapshotRig({
  seed = 1,
  api: apiOptions = {},
}: { readonly seed?: number; readonly api?: Partial<ScriptedApiOptions> } = {}): SnapshotRig {
  const clock = new ManualClock({ quietTurns: 64 });
  const runtime = testRuntime({ seed, clock });
  const api = new ScriptedApi({ clock, random: runtime.random.stream("api"), ...apiOptions });
  const store = new MemorySnapshots();
  return {
    clock,
    runtime,
    api,
    store,
    write: writeTo(api),
    start: (options = {}) => startProcess({ clock, runtime, api, store }, options),
    lines: () =>
      runtime.log.entries
        .filter(({ message }) => message.includes("snapshot"))
        .map(({ message, fields }) => `${message}: ${String(fields["why"] ?? fields["error"])}`),
  };
}

function startProcess(
  { clock, runtime, api, store }: Pick<SnapshotRig, "clock" | "runtime" | "api" | "store">,
  { snapshot, select = {}, informer: options = {} }: ProcessOptions,
): SnapshotProcess {
  const informer = createInformer<ConfigMap>({
    source: lateSource(api, runtime, { namespace: "*", ...select }),
    runtime,
    reflector: { pageSize: 1 },
    snapshot: { store, name: rigSnapshot, collection: "all", server: () => Promise.resolve("server 1"), ...snapshot },
    ...options,
  });
  const ledger = new HandlerLedger();
  informer.addHandler(ledger.handle, { name: "ledger" });
  const stopped = new AbortController();
  const running = informer.run(stopped.signal);
  const stored = (): string[] =>
    informer.keys().map((key) => `${key} ${informer.getVersion(key)?.uid} @${informer.getVersion(key)?.resourceVersion}`);
  return {
    informer,
    ledger,
    differences: () => [
      ...contentDifferences(api, stored()).map((line) => `store: ${line}`),
      ...contentDifferences(api, ledger.contents()).map((line) => `handler: ${line}`),
      ...ledger.mistakes,
    ],
    abort: () => stopped.abort(),
    stop: async () => {
      stopped.abort();
      await clock.advance(10_000);
      await running;
    },
  };
}
