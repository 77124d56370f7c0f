/**
 * One run of one key, from the call of the reconcile function to its outcome.
 *
 *     worker pool → ReconcileRun.start → reconcile(RunContext) → RunOutcome → settle
 *
 * Signals, client and log are created on first access.
 */
import type { Client } from "@drover/client";
import { isThenable } from "@drover/machinery";
import type { Clock, Log, ObjectKey } from "@drover/machinery";
import type { Work } from "@drover/workqueue";
import type { Cause } from "../causes/cause.ts";
import type { RunTape } from "../tape/tape.ts";
import { BadResultError, readResult } from "./bad-result-error.ts";
import { DeadlineError } from "./deadline-error.ts";
import type { Reconciler } from "./reconciler.ts";
import type { Result } from "./result.ts";
import { RunContext } from "./run-context.ts";

/** How a run ended. */
export type RunOutcome =
  | { readonly type: "result"; readonly result: Result }
  | { readonly type: "thrown"; readonly error: unknown }
  | { readonly type: "deadline"; readonly error: DeadlineError }
  /** The controller is stopping and no longer waits for the run. */
  | { readonly type: "abandoned"; readonly reason: unknown };

/** Settings shared by all runs of a controller. */
export interface RunSettings {
  readonly controller: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly reconcile: Reconciler;
  readonly deadlineMs: number;
  readonly clientOf: (run: ReconcileRun) => Client;
  /** Called once when the run has ended, with the time. */
  readonly onEnd: (run: ReconcileRun, outcome: RunOutcome, now: number) => void;
  /** Called with the start and end of the first synchronous part. */
  readonly onStretch: (run: ReconcileRun, fromMs: number, toMs: number) => void;
}

/** Guarantees: ends exactly once, whatever the reconcile does. Later results are ignored, later calls refused. */
export class ReconcileRun {
  readonly work: Work<ObjectKey, Cause>;
  readonly run: string;
  readonly startedAt: number;
  readonly tape: RunTape | undefined;
  readonly #settings: RunSettings;
  #isOver = false;
  #aborted: { readonly reason: unknown } | undefined;
  #drained: { readonly reason: unknown } | undefined;
  #abort: AbortController | undefined;
  #drain: AbortController | undefined;
  #client: Client | undefined;
  #log: Log | undefined;
  #cancelDeadline: (() => void) | undefined;

  constructor(
    settings: RunSettings,
    begin: { readonly work: Work<ObjectKey, Cause>; readonly run: string; readonly startedAt: number; readonly tape: RunTape | undefined },
  ) {
    this.#settings = settings;
    this.work = begin.work;
    this.run = begin.run;
    this.startedAt = begin.startedAt;
    this.tape = begin.tape;
  }

  get key(): ObjectKey {
    return this.work.key;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get signal(): AbortSignal {
    this.#abort ??= controllerOf(this.#aborted);
    return this.#abort.signal;
  }

  get draining(): AbortSignal {
    this.#drain ??= controllerOf(this.#drained);
    return this.#drain.signal;
  }

  get client(): Client {
    return (this.#client ??= this.#settings.clientOf(this));
  }

  get log(): Log {
    return (this.#log ??= this.#settings.log.with({ key: this.key, run: this.run }));
  }

  /** Whether the run was told to end immediately. */
  get isAborted(): boolean {
    return this.#aborted !== undefined;
  }

  start(): void {
    const { clock, reconcile, deadlineMs, onStretch } = this.#settings;
    if (deadlineMs !== Infinity) this.#cancelDeadline = clock.timer(deadlineMs, () => this.#deadlinePassed());
    let returned: Result | Promise<Result>;
    try {
      returned = reconcile(new RunContext(this));
    } catch (error) {
      return this.#calledBack({ type: "thrown", error });
    }
    if (!isThenable(returned)) return this.#calledBack(this.#outcomeOf(returned));
    const now = clock.monotonic();
    onStretch(this, this.startedAt, now);
    Promise.resolve(returned).then(
      (result) => this.#end(this.#outcomeOf(result)),
      (error: unknown) => this.#end({ type: "thrown", error }),
    );
  }

  /** Tells the run that the controller is stopping. */
  drain(reason: unknown): void {
    this.#drained ??= { reason };
    this.#drain?.abort(reason);
  }

  /** Tells the run to end immediately. */
  abort(reason: unknown): void {
    this.#aborted ??= { reason };
    this.#abort?.abort(reason);
  }

  /** Ends the run without waiting for the reconcile. */
  abandon(reason: unknown): void {
    this.abort(reason);
    this.#end({ type: "abandoned", reason });
  }

  /** Ends a run whose reconcile returned without a promise, or threw. */
  #calledBack(outcome: RunOutcome): void {
    const now = this.#settings.clock.monotonic();
    this.#settings.onStretch(this, this.startedAt, now);
    this.#end(outcome, now);
  }

  #deadlinePassed(): void {
    const { controller, deadlineMs } = this.#settings;
    this.#end({ type: "deadline", error: new DeadlineError({ controller, key: this.key, deadlineMs }) });
  }

  #outcomeOf(result: unknown): RunOutcome {
    const read = readResult(result);
    if (read !== undefined) return { type: "result", result: read };
    return { type: "thrown", error: new BadResultError({ controller: this.#settings.controller, key: this.key, result }) };
  }

  #end(outcome: RunOutcome, now = this.#settings.clock.monotonic()): void {
    if (this.#isOver) {
      if (outcome.type !== "abandoned")
        this.#settings.log.debug("reconcile ended after it was abandoned, ignoring its result", {
          key: this.key,
          run: this.run,
          outcome: outcome.type,
        });
      return;
    }
    this.#isOver = true;
    this.#cancelDeadline?.();
    // Set first: whatever the abort triggers must find the client closed.
    if (outcome.type === "deadline") this.abort(outcome.error);
    this.#settings.onEnd(this, outcome, now);
  }
}

function controllerOf(aborted: { readonly reason: unknown } | undefined): AbortController {
  const controller = new AbortController();
  if (aborted !== undefined) controller.abort(aborted.reason);
  return controller;
}
