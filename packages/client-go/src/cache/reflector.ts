/**
 * client-go's `Reflector`: keeps a `Store` in sync with a `ListerWatcher`.
 *
 *     ListerWatcher + Store → newNamedReflector → run(signal)
 */
import { guardRuntime, sleep } from "@drover/machinery";
import type { KubeObject, Runtime } from "@drover/machinery";
import { createReflector, versionsFrom } from "@drover/cache";
import type { ListerWatcher, ReflectorOptions, ReflectorStatus } from "@drover/cache";
import type { WatchErrorHandler } from "./watch-error-handler.ts";
import { storeSink } from "./store-sink.ts";
import { expectType } from "./expected-type.ts";
import type { ExpectedType } from "./expected-type.ts";
import type { Store } from "./store.ts";

/** Options of `newReflector` and `newNamedReflector`. */
export interface NamedReflectorOptions<T extends KubeObject> extends Pick<ReflectorOptions<T>, "pageSize" | "firstResourceVersion"> {
  /** Called with every failed list or watch, which is retried in any case. @default failures are logged */
  readonly watchErrorHandler?: WatchErrorHandler;
  readonly runtime: Pick<Runtime, "clock" | "random" | "log" | "metrics">;
  /** Expected kind; other objects are dropped and logged. @default any kind */
  readonly expectedType?: ExpectedType;
  /** Period of the store's `resync` in milliseconds; 0 means never. A resync sends no request. @default 0 */
  readonly resyncPeriodMs?: number;
  /** Called when a resync is due; return false to skip it. @default every resync happens */
  readonly shouldResync?: () => boolean;
}

/** Keeps a store in sync with a server. */
export interface Reflector {
  /** Lists and watches until the signal aborts, then resolves. */
  run(signal: AbortSignal): Promise<void>;
  lastSyncResourceVersion(): string;
  state(): ReflectorStatus;
}

/** Returns a reflector with a name for logs and metrics. */
export function newNamedReflector<T extends KubeObject>(
  name: string,
  listerWatcher: ListerWatcher<T>,
  store: Store<T, unknown>,
  options: NamedReflectorOptions<T>,
): Reflector {
  const { runtime: given, expectedType, resyncPeriodMs = 0, shouldResync = () => true, watchErrorHandler, ...rest } = options;
  const runtime = guardRuntime(given);
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
      if (signal.aborted) continue;
      try {
        if (shouldResync()) store.resync();
      } catch (error) {
        runtime.log.error("resync failed, trying again after the next period", { reflector: name, error });
      }
    }
  };
  return {
    run: async (signal) => void (await Promise.all([reflector.run(signal), resyncPeriodMs > 0 ? resync(signal) : undefined])),
    lastSyncResourceVersion: () => reflector.lastSyncResourceVersion(),
    state: () => reflector.state(),
  };
}

/** Returns a reflector named after the description of its lister-watcher. */
export function newReflector<T extends KubeObject>(
  listerWatcher: ListerWatcher<T>,
  store: Store<T, unknown>,
  options: NamedReflectorOptions<T>,
): Reflector {
  return newNamedReflector(listerWatcher.description ?? "objects", listerWatcher, store, options);
}
