/**
 * A queue that fills itself and is emptied by one function: reflector at one end, `process` at the other.
 *
 *     ListerWatcher → reflector → Queue → process
 */
import type { KubeObject, Runtime } from "@drover/machinery";
import type { ListerWatcher } from "@drover/cache";
import { TurnKeeper } from "@drover/machinery";
import type { DeletedFinalStateUnknown } from "./deleted-final-state-unknown.ts";
import type { Deltas } from "./delta.ts";
import { FifoClosedError } from "./queue.ts";
import type { PopProcessFunc, Queue } from "./queue.ts";
import type { ExpectedType } from "./expected-type.ts";
import type { WatchErrorHandler } from "./watch-error-handler.ts";
import { newNamedReflector } from "./reflector.ts";
import type { Reflector } from "./reflector.ts";

export interface Config<T extends KubeObject> {
  readonly runtime: Pick<Runtime, "clock" | "random" | "log" | "metrics">;
  /** Stands in logs and metrics. @default what the lister-watcher lists */
  readonly name?: string;
  /** The queue for the objects: a `DeltaFIFO`. It is the controller's alone, and is closed when `run` ends. */
  readonly queue: Queue<T | DeletedFinalStateUnknown<T>, Deltas<T>>;
  readonly listerWatcher: ListerWatcher<T>;
  /** Takes what happened to one object. One at a time; when it throws, see `retryOnError`. */
  readonly process: PopProcessFunc<Deltas<T>>;
  /** What kind is expected; anything else is passed over and logged. @default anything is taken */
  readonly objectType?: ExpectedType;
  /** How often everything known is processed again, without asking the server; 0 means never. @default 0 */
  readonly fullResyncPeriodMs?: number;
  /** Asked when a resync is due. @default every one happens */
  readonly shouldResync?: () => boolean;
  /** Puts back what could not be processed, unless something newer has come for it. @default false: it is logged and left */
  readonly retryOnError?: boolean;
  /** Is told every failure of a list or a watch, which is then tried again in any case. @default they are logged */
  readonly watchErrorHandler?: WatchErrorHandler;
  /** How many objects a page of a list has. @default 500 */
  readonly watchListPageSize?: number;
}

export interface Controller {
  /** Fills and empties the queue until the signal is aborted, then closes the queue and resolves. Can be called once. */
  run(signal: AbortSignal): Promise<void>;
  /** Whether the first list has been processed. */
  hasSynced(): boolean;
  /** "" before the first list. */
  lastSyncResourceVersion(): string;
}

/** A controller; it does nothing until it is run. What client-go calls `cache.New`. */
export function newController<T extends KubeObject>(config: Config<T>): Controller {
  const { runtime, listerWatcher, queue, objectType, fullResyncPeriodMs, shouldResync, watchErrorHandler, watchListPageSize } = config;
  const reflector = newNamedReflector<T>(nameOf(config), listerWatcher, queue, {
    runtime,
    ...(objectType === undefined ? {} : { expectedType: objectType }),
    ...(fullResyncPeriodMs === undefined ? {} : { resyncPeriodMs: fullResyncPeriodMs }),
    ...(shouldResync === undefined ? {} : { shouldResync }),
    ...(watchErrorHandler === undefined ? {} : { watchErrorHandler }),
    ...(watchListPageSize === undefined ? {} : { pageSize: watchListPageSize }),
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

/** Until the queue is closed. What is left in it then stays there: its consumer is going too. */
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
      if (error instanceof FifoClosedError) break;
      runtime.log.error("an object could not be processed", { controller: nameOf(config), error, isRetried: retryOnError });
      if (retryOnError && popped !== undefined) queue.addIfNotPresent(popped);
    }
  }
  turns.close();
}

function nameOf<T extends KubeObject>({ name, listerWatcher }: Config<T>): string {
  return name ?? listerWatcher.description ?? "objects";
}
