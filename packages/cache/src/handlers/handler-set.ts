/**
 * The handlers of one informer: each receives every change, at its own pace.
 *
 *     store written → HandlerSet.tell → one HandlerRunner per handler → Change<T>
 */
import type { KubeObject, Runtime } from "@drover/machinery";
import { HandlerRunner } from "./handler-runner.ts";
import type { ChangeHandler, HandlerOptions, HandlerState } from "./handler-runner.ts";
import { handlerMetrics } from "./handler-metrics.ts";
import type { HandlerMetrics } from "./handler-metrics.ts";
import { AddedChange } from "../store/change.ts";
import type { StoreChange } from "../store/change.ts";
import type { ObjectVersion } from "../source/object-version.ts";

export interface HandlerSetOptions {
  readonly runtime: Pick<Runtime, "clock" | "random" | "log" | "metrics">;
  /** Name of the informer in logs and metrics. */
  readonly name: string;
  /** Maximum time in milliseconds that a handler with many pending changes runs before it yields to the event loop. */
  readonly sliceMs: number;
}

/** The handlers at one moment. */
export type Audience<T extends KubeObject> = readonly HandlerRunner<T>[];

/** Guarantees: a handler that is slow, fails or never returns does not affect the others. */
export class HandlerSet<T extends KubeObject> {
  readonly #options: HandlerSetOptions;
  readonly #metrics: HandlerMetrics;
  /** Replaced, never modified, so that holders of an older set can continue to use it. */
  #runners: Audience<T> = [];
  #added = 0;
  #isSynced = false;
  #isClosed = false;

  constructor(options: HandlerSetOptions) {
    this.#options = options;
    this.#metrics = handlerMetrics(options.runtime.metrics, options.name);
  }

  /** The current handlers. A handler added later starts with another initial state. */
  get audience(): Audience<T> {
    return this.#runners;
  }

  /** Adds a handler. It receives existing objects as additions, in a later turn, and then every change. */
  add(handler: ChangeHandler<T>, options: HandlerOptions, present: Iterable<ObjectVersion<T>>): HandlerRunner<T> {
    if (this.#isClosed) throw new Error(`cannot add a handler to ${this.#options.name}: the informer has stopped`);
    const name = options.name ?? (handler.name === "" ? `handler ${this.#added + 1}` : handler.name);
    this.#added++;
    const { clock, random, log } = this.#options.runtime;
    const { sliceMs, name: informer } = this.#options;
    const metrics = this.#metrics.of(name);
    const onRemoved = (removed: HandlerRunner<T>): void => this.#forget(removed);
    const runner = new HandlerRunner<T>(
      { clock, random, log: log.with({ informer }), handler, name, sliceMs, metrics, onRemoved },
      options,
    );
    for (const version of present) runner.push(new AddedChange({ version, isInInitialList: true }));
    this.#runners = [...this.#runners, runner];
    if (this.#isSynced) runner.sourceSynced();
    runner.flush();
    return runner;
  }

  /** Delivers a change to the handlers of an audience that are still registered. */
  tell(change: StoreChange<T>, audience: Audience<T> = this.#runners): void {
    for (const runner of audience) runner.tell(change);
  }

  /** Marks the end of the first list. */
  markSynced(): void {
    this.#isSynced = true;
    for (const runner of this.#runners) runner.sourceSynced();
  }

  states(): readonly HandlerState[] {
    return this.#runners.map((runner) => runner.state());
  }

  /** Stops the delivery. Returns the handlers with a running call, and a promise for its end. */
  close(): readonly { readonly name: string; readonly settled: Promise<void> }[] {
    this.#isClosed = true;
    const running = this.#runners.flatMap(({ name, settled }) => (settled === undefined ? [] : [{ name, settled }]));
    for (const runner of this.#runners) runner.remove();
    return running;
  }

  #forget(runner: HandlerRunner<T>): void {
    this.#runners = this.#runners.filter((other) => other !== runner);
    if (!this.#runners.some(({ name }) => name === runner.name)) this.#metrics.forget(runner.name);
  }
}
