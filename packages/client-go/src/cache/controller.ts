/**
 * client-go's `cache.Controller`: a reflector fills a queue, and one function processes it.
 *
 *     ListerWatcher → reflector → Queue → process
 */
import type { KubeObject, Runtime } from "@drover/machinery";
import type { ListerWatcher } from "@drover/cache";
import { definedOnly, guardRuntime, TurnKeeper } from "@drover/machinery";
import type { DeletedFinalStateUnknown } from "./deleted-final-state-unknown.ts";
import type { Deltas } from "./delta.ts";
import { isFifoClosedError } from "./queue.ts";
import type { PopProcessFunc, Queue } from "./queue.ts";
import type { ExpectedType } from "./expected-type.ts";
import type { WatchErrorHandler } from "./watch-error-handler.ts";
import { newNamedReflector } from "./reflector.ts";
import type { Reflector } from "./reflector.ts";

/** Options of `newController`: client-go's `cache.Config`. */
export interface Config<T extends KubeObject> {
  readonly runtime: Pick<Runtime, "clock" | "random" | "log" | "metrics">;
  /** Name in logs and metrics. @default the description of the lister-watcher */
  readonly name?: string;
  /** Queue of the objects, usually a `DeltaFIFO`. Do not share it: the controller closes it when `run` ends. */
  readonly queue: Queue<T | DeletedFinalStateUnknown<T>, Deltas<T>>;
  readonly listerWatcher: ListerWatcher<T>;
  /** Processes the deltas of one object. Calls do not overlap. If it throws, see `retryOnError`. */
  readonly process: PopProcessFunc<Deltas<T>>;
  /** Expected kind; other objects are dropped and logged. @default any kind */
  readonly objectType?: ExpectedType;
  /** Resync period in milliseconds: how often all known objects are processed again from the local store. 0 means never. @default 0 */
  readonly fullResyncPeriodMs?: number;
  /** Called when a resync is due; return false to skip it. @default every resync happens */
  readonly shouldResync?: () => boolean;
  /** Requeues an object whose processing failed, unless a newer change is queued. @default false: the failure is logged */
  readonly retryOnError?: boolean;
  /** Called with every failed list or watch, which is retried in any case. @default failures are logged */
  readonly watchErrorHandler?: WatchErrorHandler;
  /** Objects per page of a list. @default 500 */
  readonly watchListPageSize?: number;
}

/** Fills a queue from a server and processes it: client-go's `cache.Controller`. */
export interface Controller {
  /** Fills and processes the queue until the signal aborts, then closes the queue and resolves. Call it once. */
  run(signal: AbortSignal): Promise<void>;
  /** Reports whether the first list has been processed. */
  hasSynced(): boolean;
  /** Returns the resource version of the last list or event; empty before the first list. */
  lastSyncResourceVersion(): string;
}

/** Returns a controller; it does nothing until `run`. client-go's `cache.New`. */
export function newController<T extends KubeObject>(given: Config<T>): Controller {
  const config = { ...given, runtime: guardRuntime(given.runtime) };
  const { runtime, listerWatcher, queue, objectType, fullResyncPeriodMs, shouldResync, watchErrorHandler, watchListPageSize } = config;
  const reflector = newNamedReflector<T>(nameOf(config), listerWatcher, queue, {
    runtime,
    ...definedOnly({
      expectedType: objectType,
      resyncPeriodMs: fullResyncPeriodMs,
      shouldResync,
      watchErrorHandler,
      pageSize: watchListPageSize,
    }),
  });
  return {
    run: (signal) => runController(config, reflector, signal),
    hasSynced: () => queue.hasSynced(),
    lastSyncResourceVersion: () => reflector.lastSyncResourceVersion(),
  };
}

async function runController<T extends KubeObject>(config: Config<T>, reflector: Reflector, signal: AbortSignal): Promise<void> {
  const { queue } = config;
  const close = (): void => queue.close();
  if (signal.aborted) close();
  else signal.addEventListener("abort", close, { once: true });
  try {
    await Promise.all([reflector.run(signal), processLoop(config, signal)]);
  } finally {
    signal.removeEventListener("abort", close);
    close();
  }
}

/** Processes the queue until it is closed. Objects left in it stay there. */
async function processLoop<T extends KubeObject>(config: Config<T>, signal: AbortSignal): Promise<void> {
  const { queue, process, retryOnError = false, runtime } = config;
  const turns = new TurnKeeper({ clock: runtime.clock });
  while (!signal.aborted) {
    await turns.due(signal)?.catch(() => undefined);
    let popped: Deltas<T> | undefined;
    try {
      await queue.pop(async (deltas, isInInitialList) => {
        popped = deltas;
        await process(deltas, isInInitialList);
      });
    } catch (error) {
      if (isFifoClosedError(error)) break;
      runtime.log.error("failed to process object", { controller: nameOf(config), error, isRetried: retryOnError });
      if (retryOnError && popped !== undefined) requeue(config, popped);
    }
  }
  turns.close();
}

/** A key function that fails for deltas that it had a key for costs these deltas, not the controller. */
function requeue<T extends KubeObject>(config: Config<T>, deltas: Deltas<T>): void {
  try {
    config.queue.addIfNotPresent(deltas);
  } catch (error) {
    config.runtime.log.error("failed to requeue object, dropping its changes", { controller: nameOf(config), error });
  }
}

function nameOf<T extends KubeObject>({ name, listerWatcher }: Config<T>): string {
  return name ?? listerWatcher.description ?? "objects";
}
