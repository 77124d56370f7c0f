/**
 * Lasso's `controller.New`: one queue over one cache and one handler, on Drover's controller.
 *
 *     SharedIndexInformer → createLassoController (New) → handler(key, object)
 */
import type { SharedIndexInformer } from "@drover/client-go";
import type { RateLimiter } from "@drover/workqueue";
import { objectKey } from "@drover/machinery";
import type { DeepReadonly, KubeObject, Log, ObjectKey } from "@drover/machinery";
import { after, createController, done, informerSource } from "@drover/controller";
import type { Controller, ControllerOptions, EnqueueOptions, ReconcileContext, Result } from "@drover/controller";
import { newDefaultRateLimiter } from "./default-rate-limiter.ts";
import { findRetryAfter } from "./retry-after-error.ts";
import type { HandlerContext } from "./shared-handler.ts";

/** Called with a key and its cached object; undefined if there is none. An error makes the key run again. */
export type LassoHandler<T extends KubeObject = KubeObject> = (
  key: ObjectKey,
  object: DeepReadonly<T> | undefined,
  context: HandlerContext,
) => void | Promise<void>;

/** Options of `New`. */
export interface LassoControllerOptions extends Pick<
  ControllerOptions,
  "cluster" | "tape" | "fence" | "deadlineMs" | "drainMs" | "syncTimeoutMs"
> {
  /** Rate limiter for failed keys; must not be shared. @default 5 ms doubling to 30 s, two minutes from the 31st failure */
  readonly rateLimiter?: RateLimiter<ObjectKey>;
  /** Ignores resyncs: a key runs only when its object has changed. @default false */
  readonly syncOnlyChangedObjects?: boolean;
}

/** Reason for an enqueued key. */
export type EnqueueReason = Pick<EnqueueOptions, "note" | "parent" | "priority">;

/**
 * Guarantees: keys enqueued before the start run after it, with delays counted from the call. A handler that throws ends only its own
 * run.
 */
export interface LassoController<T extends KubeObject = KubeObject> {
  /** Enqueues a key. Unlike in Lasso, this does not count as a failure of the key. */
  enqueue(namespace: string, name: string, reason?: EnqueueReason): void;
  /** Enqueues a key after a delay. */
  enqueueAfter(namespace: string, name: string, afterMs: number, reason?: EnqueueReason): void;
  /** Enqueues "namespace/name" or "name". */
  enqueueKey(key: string, reason?: EnqueueReason): void;
  informer(): SharedIndexInformer<T>;
  /**
   * Starts the cache and resolves when it has synced and the workers run; they end with the signal. Rejects if the cache does not sync,
   * naming the reason, and may then be called again. Once started, further calls do nothing.
   */
  start(signal: AbortSignal, workers: number): Promise<void>;
  /** Resolves when the workers have ended; immediately if they never started. Rejects with the error that ended them early. */
  ended(): Promise<void>;
}

/**
 * Returns a controller. It sends no request until it starts. `startCache` starts the informer, and may wait until it has synced in order to
 * report why it does not.
 */
export function createLassoController<T extends KubeObject>(
  name: string,
  informer: SharedIndexInformer<T>,
  startCache: (signal: AbortSignal) => void | Promise<void>,
  handler: LassoHandler<T>,
  options: LassoControllerOptions,
): LassoController<T> {
  const { cluster, rateLimiter = newDefaultRateLimiter(), syncOnlyChangedObjects = false, ...limits } = options;
  const { kind, request, resyncPeriodMs: resyncMs } = informer;
  if (kind === undefined)
    throw new TypeError(`controller ${name}: its informer has no kind; create it with newCache, or set the option kind`);
  const controller = createController({
    ...limits,
    name,
    cluster,
    resource: { group: kind.group, resource: kind.plural },
    retry: { limiter: rateLimiter },
    reconcile: (context) => reconcile(context, informer, handler),
  });
  const view = informerSource(informer.view, {
    kind,
    request,
    cluster,
    name,
    resyncMs: syncOnlyChangedObjects ? 0 : resyncMs,
    states: () => informer.states(),
  });
  controller.watch(view);
  const life = new StartedOnce(controller, startCache, cluster.runtime.log);
  return {
    enqueue: (namespace, object, reason = {}) => controller.enqueue(objectKey(object, namespace), reason),
    enqueueAfter: (namespace, object, afterMs, reason = {}) => controller.enqueue(objectKey(object, namespace), { ...reason, afterMs }),
    enqueueKey: (key, reason = {}) => controller.enqueue(key as ObjectKey, reason),
    informer: () => informer,
    start: (signal, workers) => life.start(signal, workers),
    ended: () => life.ended(),
  };
}

async function reconcile<T extends KubeObject>(
  context: ReconcileContext,
  informer: SharedIndexInformer<T>,
  handler: LassoHandler<T>,
): Promise<Result> {
  try {
    await handler(context.key, informer.getStore().getByKey(context.key), context);
    return done;
  } catch (error) {
    const later = findRetryAfter(error);
    if (later === undefined) throw error;
    return after(later.afterMs);
  }
}

/** Runs a controller once. A start that failed can be repeated. */
class StartedOnce {
  readonly #controller: Controller;
  readonly #startCache: (signal: AbortSignal) => void | Promise<void>;
  readonly #log: Log;
  #starting: Promise<void> | undefined;
  #running: Promise<void> | undefined;

  constructor(controller: Controller, startCache: (signal: AbortSignal) => void | Promise<void>, log: Log) {
    this.#controller = controller;
    this.#startCache = startCache;
    this.#log = log;
  }

  async start(signal: AbortSignal, workers: number): Promise<void> {
    this.#starting ??= this.#start(signal, workers);
    try {
      await this.#starting;
    } catch (error) {
      this.#starting = undefined;
      throw error;
    }
  }

  async ended(): Promise<void> {
    await this.#running;
  }

  async #start(signal: AbortSignal, workers: number): Promise<void> {
    await this.#startCache(signal);
    this.#controller.setWorkers(workers);
    await this.#controller.warmUp(signal);
    this.#running = this.#controller.run(signal);
    this.#running.catch((error: unknown) => this.#log.error("controller ended unexpectedly", { controller: this.#controller.name, error }));
  }
}
