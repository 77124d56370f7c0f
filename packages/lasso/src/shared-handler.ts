/**
 * The handlers of one kind, as one: they run in the order of their registration, each with the object that the one before returned.
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

/** What a handler of a chain has at hand beside the object: why it runs, its signal, and a log that names it. */
export type HandlerContext = Omit<ReconcileContext, "key">;

/** An object as a handler sees it; undefined when there is none of this name. */
export type Seen<T extends KubeObject> = DeepReadonly<T> | undefined;

/**
 * Brings what a key stands for to the state it should have. The object is the cache's own and frozen. What it returns
 * is what the next handler
 * gets, if it is an object with a uid. What it throws makes the key come again, with all handlers; `ErrIgnore` does not, and a
 * `RetryAfterError` says when.
 */
export type SharedControllerHandler<T extends KubeObject = KubeObject> = (
  key: ObjectKey,
  object: Seen<T>,
  context: HandlerContext,
) => Seen<T> | void | Promise<Seen<T> | void>;

export interface SharedHandlerOptions {
  readonly runtime: Pick<Runtime, "clock" | "metrics">;
  /** The kind's name in metrics and errors. */
  readonly controllerName: string;
  /** Which of several clusters, in metrics. @default "" */
  readonly contextId?: string;
}

interface Registered<T extends KubeObject> {
  readonly name: string;
  readonly handler: SharedControllerHandler<T>;
}

/** Until the watch tells of a deletion that a chain has just finished. */
const ghostMs = 10_000;

/**
 * Guarantees: all handlers run, whatever the others do; one that is removed while a chain runs is not called after
 * that, and no other is left
 * out or called twice.
 */
export class SharedHandler<T extends KubeObject = KubeObject> {
  readonly #options: SharedHandlerOptions;
  readonly #metrics: LassoMetrics;
  readonly #finished: FinishedObjects;
  /** By name, in the order of registration. */
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

  /** The names of the handlers, in the order in which they run. */
  get names(): readonly string[] {
    return [...this.#handlers.keys()];
  }

  /** Adds a handler until the signal is aborted; one that is aborted already adds none. Throws when the name is taken. */
  register(signal: AbortSignal, name: string, handler: SharedControllerHandler<T>): void {
    if (this.#handlers.has(name))
      throw new Error(`handler ${name} of ${this.#options.controllerName} is registered already; give one of the two another name`);
    if (signal.aborted) return;
    this.#handlers.set(name, { name, handler });
    // A signal of its own: Node warns of many listeners on one.
    AbortSignal.any([signal]).addEventListener("abort", () => this.#handlers.delete(name), { once: true });
  }

  /**
   * Runs the handlers. Rejects with one error for all that failed, each as "handler NAME: …". When the chain before has just removed the
   * last finalizer, and the cache does not know it yet, no handler runs and the key comes again ten seconds later.
   */
  async onChange(key: ObjectKey, object: Seen<T>, context: HandlerContext): Promise<void> {
    if (object !== undefined && this.#finished.isGhost(object)) throw new RetryAfterError(ghostMs);
    const failures: Error[] = [];
    let retryAfter: RetryAfterError | undefined;
    let current = object;
    // A copy: whoever registers while it runs has a turn in the next chain.
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

  /** Calls one handler and counts it. An error that is to be ignored is none. */
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

/** What a handler does not ask for is never made, so everything that costs something is handed on when it is asked for. */
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

/** What the next handler gets: an object without a uid is one that nobody has stored. */
function successor<T extends KubeObject>(current: Seen<T>, returned: Seen<T> | void): Seen<T> {
  return returned !== undefined && (returned.metadata?.uid ?? "") !== "" ? returned : current;
}
