/**
 * Acts on the outcome of a run: queue, metrics, log and tape.
 *
 *     RunOutcome → Settlement.settle → forget, addAfter or addRateLimited → done
 */
import { AssertionError, isConflict, isInstanceOf } from "@drover/machinery";
import type { Clock, Log, ObjectKey } from "@drover/machinery";
import type { Queue } from "@drover/workqueue";
import type { AfterCause, Cause, RetryCause } from "../causes/cause.ts";
import type { ResultRecord } from "../tape/run-record.ts";
import { isBadResultError } from "./bad-result-error.ts";
import { errorMessage } from "./error-message.ts";
import { FailureLog } from "./failure-log.ts";
import type { ReconcileMetrics } from "./reconcile-metrics.ts";
import type { ReconcileRun, RunOutcome } from "./reconcile-run.ts";
import type { After, Stop } from "./result.ts";
import type { RunTotals } from "./controller-state.ts";

export interface SettlementOptions {
  readonly queue: Queue<ObjectKey, Cause>;
  readonly metrics: ReconcileMetrics;
  readonly log: Log;
  readonly clock: Clock;
}

interface Failure {
  readonly error: unknown;
  /** Priority of the next attempt. */
  readonly priority: number;
  /** Whether the run exceeded its deadline. */
  readonly isDeadline: boolean;
}

/** Guarantees: marks the key of every run done exactly once, after everything the run asked for is in the queue. */
export class Settlement {
  readonly #options: SettlementOptions;
  readonly #failures: FailureLog;

  /** Keys that were parked and have not run since; some may be ready again. */
  readonly #parked = new Set<ObjectKey>();
  readonly #runs = { ended: 0, failed: 0, tookMs: 0, waitedMs: 0 };

  constructor(options: SettlementOptions) {
    this.#options = options;
    this.#failures = new FailureLog(options.log, options.clock);
  }

  /** Called when a key runs. */
  began(key: ObjectKey): void {
    if (this.#parked.size > 0) this.#parked.delete(key);
  }

  parkedCount(): number {
    let count = 0;
    for (const key of this.#parked) if (this.#options.queue.inspect(key)?.state === "parked") count++;
    return count;
  }

  totals(): RunTotals {
    return { ...this.#runs };
  }

  settle(run: ReconcileRun, outcome: RunOutcome, tookMs: number): void {
    this.#options.metrics.seconds.observe(tookMs / 1000);
    this.#runs.ended++;
    this.#runs.tookMs += tookMs;
    this.#runs.waitedMs += run.work.waitedMs;
    const record = this.#settled(run, outcome, tookMs);
    try {
      run.tape?.end(record);
    } catch (error) {
      this.#options.log.error("tape failed, the end of this run is not recorded", { key: run.key, run: run.run, error });
    }
  }

  #settled(run: ReconcileRun, outcome: RunOutcome, tookMs: number): ResultRecord {
    const { priority } = run.work;
    // The run ended because it was told to: neither a failure nor a retry, because the controller is stopping.
    if (run.isAborted && isFailure(outcome)) return this.#abandoned(run, run.signal.reason);
    if (outcome.type === "abandoned") return this.#abandoned(run, outcome.reason);
    if (outcome.type !== "result") return this.#failed(run, { error: outcome.error, priority, isDeadline: outcome.type === "deadline" });
    const { result } = outcome;
    if (result.type === "done") return this.#done(run, tookMs);
    if (result.type === "after") return this.#after(run, result, tookMs);
    if (result.type === "stop") return this.#stopped(run, result);
    return this.#failed(run, { error: result.error, priority: result.priority ?? priority, isDeadline: false });
  }

  #done({ key, run }: ReconcileRun, tookMs: number): ResultRecord {
    const { queue, metrics, log } = this.#options;
    metrics.results.success.add();
    queue.forget(key);
    queue.done(key);
    this.#failures.succeeded(key);
    log.debug("reconciled", { key, run, tookMs });
    return doneRecord;
  }

  #after({ key, run, work }: ReconcileRun, { afterMs, priority = work.priority }: After, tookMs: number): ResultRecord {
    const { queue, metrics, log } = this.#options;
    metrics.results.requeue_after.add();
    queue.forget(key);
    const cause: AfterCause = { type: "after", afterMs, run };
    queue.addAfter(key, afterMs, { priority, cause });
    queue.done(key);
    this.#failures.succeeded(key);
    log.debug("reconciled, requeued with a delay", { key, run, tookMs, afterMs });
    return { type: "after", afterMs };
  }

  #stopped({ key, run }: ReconcileRun, { reason }: Stop): ResultRecord {
    const { queue, metrics, log } = this.#options;
    this.#runs.failed++;
    metrics.results.error.add();
    metrics.errors.add();
    metrics.terminal.add();
    // controller-runtime keeps the failures, so the next failure waits longer than it should.
    queue.forget(key);
    queue.done(key);
    log.error("reconcile stopped, no retry until the next event of the key", { key, run, reason, code: "DRV0408" });
    return { type: "stop", reason };
  }

  #abandoned({ key, run }: ReconcileRun, reason: unknown): ResultRecord {
    const { queue, log } = this.#options;
    queue.done(key);
    log.debug("reconcile abandoned, the controller is stopping", { key, run, reason });
    return { type: "abandoned", reason: errorMessage(reason) };
  }

  #failed(run: ReconcileRun, failure: Failure): ResultRecord {
    const { queue } = this.#options;
    const { key } = run;
    const error = errorMessage(failure.error);
    const isQuiet = isConflict(failure.error);
    // Only the queue knows whether this run was the retry that was due, or an earlier run that leaves that retry pending.
    const retryCause = (attempt: number): RetryCause => ({ type: "retry", attempt, error, run: run.run, isConflict: isQuiet });
    this.#addRetry(run, { priority: failure.priority, retryCause, reason: error });
    queue.done(key);
    const report = queue.inspect(key);
    const isParked = report?.state === "parked";
    if (isParked) this.#parked.add(key);
    this.#count(failure, isQuiet);
    const { attempts } = run.work;
    this.#failures.failed({
      key,
      run: run.run,
      attempts,
      error: failure.error,
      isConflict: isQuiet,
      isParked,
      retryInMs: report?.nextRunInMs,
    });
    if (failure.isDeadline) return { type: "abandoned", reason: error };
    return {
      type: "retry",
      error,
      isConflict: isQuiet,
      ...(isParked ? { parked: true } : report?.nextRunInMs === undefined ? {} : { retryInMs: report.nextRunInMs }),
    };
  }

  #addRetry(
    { key, work }: ReconcileRun,
    retry: { readonly priority: number; readonly retryCause: (attempt: number) => RetryCause; readonly reason: string },
  ): void {
    const { queue, log } = this.#options;
    try {
      queue.addRateLimited(key, retry);
    } catch (error) {
      // A custom rate limiter threw; the key must not be lost.
      log.error("rate limiter failed, retrying the key in 1 s", { key, error });
      queue.addAfter(key, 1000, { priority: retry.priority, cause: retry.retryCause(work.attempts + 1) });
    }
  }

  #count({ error, isDeadline }: Failure, isQuiet: boolean): void {
    const { metrics } = this.#options;
    if (isQuiet) {
      metrics.results.requeue.add();
      metrics.conflicts.add();
      return;
    }
    this.#runs.failed++;
    metrics.results.error.add();
    metrics.errors.add();
    if (isDeadline) metrics.timeouts.add();
    if (isBadResultError(error) || isInstanceOf(error, AssertionError)) metrics.panics.add();
  }
}

/** Reports whether the reconcile itself failed. */
const isFailure = (outcome: RunOutcome): boolean =>
  outcome.type === "thrown" || (outcome.type === "result" && outcome.result.type === "retry");

const doneRecord: ResultRecord = Object.freeze({ type: "done" });
