/**
 * The handlers of one kind as one: they run in the order of their registration, each with the object that the previous one returned.
 *
 *     controller → SharedHandler.onChange(key, object) → handler, handler, handler → one error, or none
 */
import type { DeepReadonly, KubeObject, Log, ObjectKey, Runtime } from "@drover/machinery";
import type { ReconcileContext } from "@drover/controller";
import { isIgnored } from "./err-ignore.ts";
import { FinishedObjects } from "./finished-objects.ts";
import { handlerFailure, joinedFailure } from "./handler-failures.ts";
import { lassoMetrics } from "./lasso-metrics.ts";
import type { LassoMetrics } from "./lasso-metrics.ts";
import { findRetryAfter, RetryAfterError } from "./retry-after-error.ts";

/** Context of a handler: its causes, its signal, and a log that names it. */
export type HandlerContext = Omit<ReconcileContext, "key">;

/** Object as a handler sees it; undefined if it does not exist. */
export type Seen<T extends KubeObject> = DeepReadonly<T> | undefined;

/**
 * Brings the object of a key to its desired state. The object is the cached one and frozen. The next handler gets the returned object if it
 * has a uid. An error makes the key run again, with all handlers; `ErrIgnore` does not, and a `RetryAfterError` sets the delay.
 */
export type SharedControllerHandler<T extends KubeObject = KubeObject> = (
  key: ObjectKey,
  object: Seen<T>,
  context: HandlerContext,
) => Seen<T> | void | Promise<Seen<T> | void>;

/** Options of `SharedHandler`. */
export interface SharedHandlerOptions {
  readonly runtime: Pick<Runtime, "clock" | "metrics">;
  /** Name of the controller in metrics and errors. */
  readonly controllerName: string;
  /** Name of the cluster in metrics. @default "" */
  readonly contextId?: string;
}

interface Registered<T extends KubeObject> {
  readonly name: string;
  readonly handler: SharedControllerHandler<T>;
}

/** Delay until the watch has delivered a deletion that a chain has just completed. */
const ghostMs = 10_000;

/**
 * Guarantees: all handlers run, even if others fail. A handler removed while a chain runs is not called afterwards, and no other handler is
 * skipped or called twice.
 */
export class SharedHandler<T extends KubeObject = KubeObject> {
  readonly #options: SharedHandlerOptions;
  readonly #metrics: LassoMetrics;
  readonly #finished: FinishedObjects;
  /** By name, in order of registration. */
  readonly #handlers = new Map<string, Registered<T>>();

  constructor(options: SharedHandlerOptions) {
    const {
      runtime: { clock, metrics },
      contextId = "",
    } = options;
    this.#options = options;
    this.#metrics = lassoMetrics(metrics, contextId);
    this.#finished = new FinishedObjects(clock);
  }

  /** Names of the handlers, in the order they run. */
  get names(): readonly string[] {
    return [...this.#handlers.keys()];
  }

  /** Adds a handler until the signal aborts; adds none if it has already aborted. Throws if the name is taken. */
  register(signal: AbortSignal, name: string, handler: SharedControllerHandler<T>): void {
    if (this.#handlers.has(name))
      throw new Error(`handler ${name} of ${this.#options.controllerName} is already registered; use another name`);
    if (signal.aborted) return;
    this.#handlers.set(name, { name, handler });
    // One derived signal per handler: Node warns about many listeners on one signal.
    AbortSignal.any([signal]).addEventListener("abort", () => this.#handlers.delete(name), { once: true });
  }

  /**
   * Runs the handlers. Rejects with one error for all that failed, each as "handler NAME: …". If the previous chain has just removed the
   * last finalizer and the cache does not show it yet, no handler runs and the key runs again after ten seconds.
   */
  async onChange(key: ObjectKey, object: Seen<T>, context: HandlerContext): Promise<void> {
    if (object !== undefined && this.#finished.isGhost(object)) throw new RetryAfterError(ghostMs);
    const failures: Error[] = [];
    let retryAfter: RetryAfterError | undefined;
    let current = object;
    // A copy: a handler registered while the chain runs takes part in the next one.
    const chain = [...this.#handlers.values()];
    for (const registered of chain) {
      if (this.#handlers.get(registered.name) !== registered) continue;
      try {
        current = successor(current, await this.#call(registered, key, current, context));
      } catch (error) {
        const later = findRetryAfter(error);
        if (later === undefined) failures.push(handlerFailure(registered.name, error));
        else if (retryAfter === undefined || later.afterMs < retryAfter.afterMs) retryAfter = later;
      }
    }
    this.#finished.note(object, current);
    const [first, ...others] = failures;
    if (first !== undefined) throw joinedFailure([first, ...others]);
    if (retryAfter !== undefined) throw retryAfter;
  }

  /** Calls one handler and records metrics. `ErrIgnore` counts as success. */
  async #call({ name, handler }: Registered<T>, key: ObjectKey, object: Seen<T>, context: HandlerContext): Promise<Seen<T> | void> {
    const {
      runtime: { clock },
      controllerName,
    } = this.#options;
    const startedMs = clock.monotonic();
    let hasError = false;
    try {
      return await handler(key, object, contextFor(name, context));
    } catch (error) {
      if (isIgnored(error)) return undefined;
      hasError = findRetryAfter(error) === undefined;
      throw error;
    } finally {
      this.#metrics.handled({ controllerName, handlerName: name, hasError, seconds: (clock.monotonic() - startedMs) / 1000 });
    }
  }
}

/** Returns the context of one handler; its getters create signal, client and log on first access. */
function contextFor(handler: string, context: HandlerContext): HandlerContext {
  const { run, causes, causeCount, attempts, priority } = context;
  let log: Log | undefined;
  return {
    run,
    causes,
    causeCount,
    attempts,
    priority,
    get signal() {
      return context.signal;
    },
    get draining() {
      return context.draining;
    },
    get client() {
      return context.client;
    },
    get log() {
      return (log ??= context.log.with({ handler }));
    },
  };
}

/** Returns the object for the next handler: an object without a uid was never stored, so it is ignored. */
function successor<T extends KubeObject>(current: Seen<T>, returned: Seen<T> | void): Seen<T> {
  return returned !== undefined && (returned.metadata?.uid ?? "") !== "" ? returned : current;
}
