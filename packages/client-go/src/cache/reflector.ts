/**
 * A reflector in the form of the documents: it keeps a `Store` equal to what a `ListerWatcher` lists.
 *
 *     ListerWatcher + Store → newNamedReflector → run(signal)
 */
import { sleep } from "@drover/machinery";
import type { KubeObject, Runtime } from "@drover/machinery";
import { createReflector, versionsFrom } from "@drover/cache";
import type { ListerWatcher, ReflectorOptions, ReflectorStatus } from "@drover/cache";
import type { WatchErrorHandler } from "./watch-error-handler.ts";
import { storeSink } from "./store-sink.ts";
import { expectType } from "./expected-type.ts";
import type { ExpectedType } from "./expected-type.ts";
import type { Store } from "./store.ts";

export interface NamedReflectorOptions<T extends KubeObject> extends Pick<ReflectorOptions<T>, "pageSize" | "firstResourceVersion"> {
  /** Is called with every failure of a list or a watch, which is retried in any case. @default failures are logged */
  readonly watchErrorHandler?: WatchErrorHandler;
  readonly runtime: Pick<Runtime, "clock" | "random" | "log" | "metrics">;
  /** Objects of another kind are passed over. @default anything is taken */
  readonly expectedType?: ExpectedType;
  /** How often the store's `resync` is called; 0 means never. Nothing is asked of the server for it. @default 0 */
  readonly resyncPeriodMs?: number;
  /** Asked when a resync is due; false leaves it out this time. @default every one happens */
  readonly shouldResync?: () => boolean;
}

export interface Reflector {
  /** Lists and watches until the signal is aborted, then resolves. */
  run(signal: AbortSignal): Promise<void>;
  lastSyncResourceVersion(): string;
  state(): ReflectorStatus;
}

/** A reflector with a name for logs and metrics. */
export function newNamedReflector<T extends KubeObject>(
  name: string,
  listerWatcher: ListerWatcher<T>,
  store: Store<T, unknown>,
  options: NamedReflectorOptions<T>,
): Reflector {
  const { runtime, expectedType, resyncPeriodMs = 0, shouldResync = () => true, watchErrorHandler, ...rest } = options;
  const sink = storeSink({ store, log: runtime.log });
  const expected = expectedType === undefined ? listerWatcher : expectType(listerWatcher, expectedType, runtime.log);
  const reflector = createReflector({
    ...rest,
    name,
    runtime,
    sink,
    source: versionsFrom(expected),
    ...(watchErrorHandler === undefined ? {} : { watchErrorHandler: (error: unknown) => watchErrorHandler(reflector, error) }),
  });
  const resync = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await sleep(runtime.clock, resyncPeriodMs, { signal }).catch(() => undefined);
      if (signal.aborted || !shouldResync()) continue;
      try {
        store.resync();
      } catch (error) {
        runtime.log.error("a resync failed; it is tried again when the next one is due", { reflector: name, error });
      }
    }
  };
  return {
    run: async (signal) => void (await Promise.all([reflector.run(signal), resyncPeriodMs > 0 ? resync(signal) : undefined])),
    lastSyncResourceVersion: () => reflector.lastSyncResourceVersion(),
    state: () => reflector.state(),
  };
}

/** A reflector named after what it lists. */
export function newReflector<T extends KubeObject>(
  listerWatcher: ListerWatcher<T>,
  store: Store<T, unknown>,
  options: NamedReflectorOptions<T>,
): Reflector {
  return newNamedReflector(listerWatcher.description ?? "objects", listerWatcher, store, options);
}
