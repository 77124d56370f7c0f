/**
 * The context that a reconcile function gets. Signals, client and log are created on first access; spreading it creates them all.
 */
import type { Client } from "@drover/client";
import type { Log, ObjectKey } from "@drover/machinery";
import type { Work } from "@drover/workqueue";
import type { Cause } from "../causes/cause.ts";
import type { ReconcileContext } from "./reconciler.ts";

/** The run of a context. */
export interface ContextRun extends Pick<ReconcileContext, "run" | "signal" | "draining" | "client" | "log"> {
  readonly work: Work<ObjectKey, Cause>;
}

/**
 * Every instance has the four getters as properties of its own, because a getter of the class would be missing in a copy. They are the same
 * functions in all instances: an object literal creates them for each, which takes a microsecond and 1.2 KB.
 */
export class RunContext implements ReconcileContext {
  readonly key: ObjectKey;
  readonly causes: readonly Cause[];
  readonly causeCount: number;
  readonly attempts: number;
  readonly priority: number;
  readonly run: string;
  declare readonly signal: AbortSignal;
  declare readonly draining: AbortSignal;
  declare readonly client: Client;
  declare readonly log: Log;
  readonly #run: ContextRun;

  constructor(run: ContextRun) {
    const { key, causes, causeCount, attempts, priority } = run.work;
    this.key = key;
    this.causes = causes;
    this.causeCount = causeCount;
    this.attempts = attempts;
    this.priority = priority;
    this.run = run.run;
    this.#run = run;
    Object.defineProperty(this, "signal", RunContext.#signal);
    Object.defineProperty(this, "draining", RunContext.#draining);
    Object.defineProperty(this, "client", RunContext.#client);
    Object.defineProperty(this, "log", RunContext.#log);
  }

  static readonly #signal = getter((context) => context.#run.signal);
  static readonly #draining = getter((context) => context.#run.draining);
  static readonly #client = getter((context) => context.#run.client);
  static readonly #log = getter((context) => context.#run.log);
}

function getter(read: (context: RunContext) => unknown): PropertyDescriptor {
  return {
    enumerable: true,
    configurable: true,
    get(this: RunContext) {
      return read(this);
    },
  };
}
