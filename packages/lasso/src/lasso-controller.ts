/**
 * One queue over one cache and one handler: `controller.New` of Lasso, made of the same loop as every other controller.
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

/**
 * Is called with every key that is due, and with its object as the cache has it; undefined when there is none. What it
 * throws makes the key come again.
 */
export type LassoHandler<T extends KubeObject = KubeObject> = (
  key: ObjectKey,
  object: DeepReadonly<T> | undefined,
  context: HandlerContext,
) => void | Promise<void>;

export interface LassoControllerOptions extends Pick<
  ControllerOptions,
  "cluster" | "tape" | "fence" | "deadlineMs" | "drainMs" | "syncTimeoutMs"
> {
  /** How long failed keys wait; for this controller alone. @default 5 ms doubling to 30 s, and two minutes from the 31st failure on */
  readonly rateLimiter?: RateLimiter<ObjectKey>;
  /** Leaves resyncs out: a key runs when its object has changed. @default false */
  readonly syncOnlyChangedObjects?: boolean;
}

/** Why a key is asked for. */
export type EnqueueReason = Pick<EnqueueOptions, "note" | "parent" | "priority">;

/**
 * Guarantees: keys that are asked for before the start run after it, delays counted from when they were asked for; a
 * handler that throws ends nothing but its own run.
 */
export interface LassoController<T extends KubeObject = KubeObject> {
  /** The key runs as soon as a worker is free. Not counted as a failure, as Lasso does. */
  enqueue(namespace: string, name: string, reason?: EnqueueReason): void;
  /** The key runs after so many milliseconds. */
  enqueueAfter(namespace: string, name: string, afterMs: number, reason?: EnqueueReason): void;
  /** `enqueue` for "namespace/name", or "name". */
  enqueueKey(key: string, reason?: EnqueueReason): void;
  informer(): SharedIndexInformer<T>;
  /**
   * Starts the cache and resolves when it has synced and the workers are at work; they end with the signal. Rejects when the cache does not
   * sync, with who and why, and may then be called again. Once started, another call does nothing.
   */
  start(signal: AbortSignal, workers: number): Promise<void>;
  /** Resolves when the workers have ended, at once when they were never started. Rejects with what ended them before their time. */
  ended(): Promise<void>;
}

/**
 * A controller; nothing is asked of the server until it is started. `startCache` starts the informer, and may wait
 * until it has synced to say
 * why it does not.
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
    throw new TypeError(`controller ${name}: its informer does not say which kind it holds; make it with newCache, or set the option kind`);
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

/** From the first successful start on it runs; a start that failed leaves it as it was. */
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
    this.#running.catch((error: unknown) =>
      this.#log.error("a controller has ended before its time", { controller: this.#controller.name, error }),
    );
  }
}
