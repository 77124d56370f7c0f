/**
 * The handlers of one informer: each hears of every change, at its own pace.
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
  /** The informer's name, for logs and metrics. */
  readonly name: string;
  /** How long a handler that has much to catch up with may go on without letting others run, in milliseconds. */
  readonly sliceMs: number;
}

/** Those who listen at one moment. */
export type Audience<T extends KubeObject> = readonly HandlerRunner<T>[];

/** Guarantees: a handler that is slow, fails or never returns changes nothing for the others. */
export class HandlerSet<T extends KubeObject> {
  readonly #options: HandlerSetOptions;
  readonly #metrics: HandlerMetrics;
  /** Replaced and never changed, so that whoever holds one can go on with it. */
  #runners: Audience<T> = [];
  #added = 0;
  #isSynced = false;
  #isClosed = false;

  constructor(options: HandlerSetOptions) {
    this.#options = options;
    this.#metrics = handlerMetrics(options.runtime.metrics, options.name);
  }

  /** Those who listen now. Who is added later has another beginning. */
  get audience(): Audience<T> {
    return this.#runners;
  }

  /** Adds a handler; it is told of what is there as added, in a turn of its own, and of every change from now on. */
  add(handler: ChangeHandler<T>, options: HandlerOptions, present: Iterable<ObjectVersion<T>>): HandlerRunner<T> {
    if (this.#isClosed) throw new Error(`cannot add a handler to ${this.#options.name}: the informer is over`);
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

  /** Tells those of an audience who are still there. */
  tell(change: StoreChange<T>, audience: Audience<T> = this.#runners): void {
    for (const runner of audience) runner.tell(change);
  }

  /** Everything of the first list has been told. */
  markSynced(): void {
    this.#isSynced = true;
    for (const runner of this.#runners) runner.sourceSynced();
  }

  states(): readonly HandlerState[] {
    return this.#runners.map((runner) => runner.state());
  }

  /** Nothing more is told. Gives the handlers with a call under way, and when it has settled. */
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
