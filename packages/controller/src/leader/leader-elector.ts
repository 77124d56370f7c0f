/**
 * Stands for a lease, holds it while it leads, and runs the work only then.
 *
 *     lease-state (what next) ← LeaderElector → client (Lease), fence (who may write), callbacks (the work)
 *
 * `run` stands again after a loss, but never before the work of the last term has ended. When it is told to stop it lets the work end
 * with the lease still held and renewed, so that its last writes arrive, and gives the lease back afterwards.
 */
import type { Client } from "@drover/client";
import { abortable, assert, sleep } from "@drover/machinery";
import type { BoundCounter, BoundGauge, Log, Runtime } from "@drover/machinery";
import { LeaseFence } from "./fence.ts";
import type { Fence } from "./fence.ts";
import type { FenceToken } from "./fence-term.ts";
import { LeaderWork } from "./leader-work.ts";
import { holderOf } from "./lease-record.ts";
import { requestLease } from "./lease-request.ts";
import type { LeaseOutcome } from "./lease-request.ts";
import { initialLeaseState, isLeaseAction, stepLease } from "./lease-state.ts";
import type { LeaseAction, LeaseInput, LeaseNotice, LeaseRules, LeaseState } from "./lease-state.ts";
import { durationSeconds, leaseTiming, requestTimeoutMs } from "./lease-timing.ts";
import type { LeaseTimingOptions } from "./lease-timing.ts";

export interface LeaderElectorOptions extends LeaseTimingOptions {
  readonly runtime: Pick<Runtime, "clock" | "random" | "log" | "metrics">;
  /** The way to the lease: not through the fence, and not through a rate limit that the work shares. */
  readonly client: Client;
  /** Which lease; it is created when there is none. */
  readonly lease: { readonly namespace: string; readonly name: string };
  /**
   * What the lease calls us: a host name and a fresh uid, "web-0_5f0c…", since no two processes, one after the other
   * included, may share one.
   */
  readonly identity: string;
  /**
   * The work of a leader. The signal is aborted when the lease is lost, with a `FencedError`, or when the elector is told to stop, with
   * that reason. When it rejects, other than with the signal's reason, the lease is given back and `run` rejects with the same; when it
   * resolves early, the lease is held all the same.
   */
  readonly onStartedLeading: (signal: AbortSignal, token: FenceToken) => Promise<void> | void;
  /** Called once for each start, when the fence is closed; the work may not have ended yet. @default nobody is told */
  readonly onStoppedLeading?: () => void;
  /** Called whenever another holder is seen than before, ourselves included. @default nobody is told */
  readonly onNewLeader?: (identity: string) => void;
  /** Put on the lease; others that are there stay. @default none */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * Whether the lease is given back at the end, so that the next leader need not wait for it to expire. Read when that
   * is decided. @default true
   */
  readonly releaseOnStop?: boolean;
  /**
   * How long the work may take to end once the elector is told to stop; then the fence is closed and `run` waits no
   * longer. Read when it is told. @default 30 seconds
   */
  readonly drainMs?: number;
}

/**
 * Guarantees: `run` never rejects because of the server; the work of two terms never overlaps; the fence is open only while the lease is
 * held, and closed before the lease is given back; a lease under which a write was given up that may still arrive is
 * not given back, but left
 * to expire.
 */
export class LeaderElector {
  readonly #options: LeaderElectorOptions;
  readonly #rules: LeaseRules;
  readonly #fence: LeaseFence;
  readonly #log: Log;
  readonly #status: BoundGauge;
  readonly #slowPath: BoundCounter;
  #state: LeaseState = initialLeaseState();
  #work: LeaderWork | undefined;
  #renewedMs = 0;
  #reportedLeader = "";
  #lastProblem = "";
  #isRunning = false;
  /** Aborted when this run is to end: by its signal, or because the work failed. */
  #asked = new AbortController();

  /** Throws a `RangeError` for durations that cannot work together, and for an identity or lease without a name. */
  constructor(options: LeaderElectorOptions) {
    const {
      runtime: { clock, log, metrics },
      lease,
      identity,
      labels = {},
    } = options;
    const timing = leaseTiming(options);
    for (const [field, value] of Object.entries({ identity, "lease.name": lease.name, "lease.namespace": lease.namespace })) {
      if (value === "") throw new RangeError(`${field} of a leader elector must not be empty`);
    }
    this.#options = options;
    this.#rules = { ...timing, lease, identity, labels, durationSeconds: durationSeconds(timing.leaseDurationMs) };
    this.#fence = new LeaseFence({ lease: `${lease.namespace}/${lease.name}`, clock });
    this.#log = log.with({ lease: this.#fence.lease, identity });
    const name = { name: lease.name };
    this.#status = metrics
      .gauge({ name: "leader_election_master_status", help: "Whether this process holds the lease: 1, or 0.", labels: ["name"] })
      .with(name);
    this.#slowPath = metrics
      .counter({ name: "leader_election_slowpath_total", help: "Renewals of our own lease that had to read it first.", labels: ["name"] })
      .with(name);
    this.#status.set(0);
  }

  /** Lets writes pass while the lease is held. */
  get fence(): Fence {
    return this.#fence;
  }

  /** Whether the lease is held in this moment. */
  get isLeader(): boolean {
    return this.#fence.isOpen;
  }

  /**
   * Who held the lease when it was last looked at; empty when nobody did, or it was not looked at. For logs and status
   * pages: it may be long ago.
   */
  get leader(): string {
    return holderOf(this.#state.seen?.lease);
  }

  /**
   * What is wrong, for a health check: the work of a term goes on although its lease expired, by more than the tolerance. A process in
   * that state cannot write, but will not lead again either: it should be restarted. A candidate that waits is well.
   */
  check(toleranceMs: number): Error | undefined {
    if (this.#work === undefined) return undefined;
    const overMs = this.#options.runtime.clock.monotonic() - this.#renewedMs - this.#rules.leaseDurationMs;
    if (overMs <= toleranceMs) return undefined;
    return new Error(
      `lease ${this.#fence.lease} was last renewed ${Math.round(overMs)} ms longer ago than it lasts, and the work under it has not ended`,
    );
  }

  /**
   * Stands for the lease until the signal is aborted, and ends as the header of this file says. Rejects with what the
   * work rejects with.
   */
  async run(signal: AbortSignal): Promise<void> {
    assert(!this.#isRunning, `the elector of lease ${this.#fence.lease} runs already`);
    if (signal.aborted) return;
    this.#isRunning = true;
    this.#asked = new AbortController();
    const asked = this.#asked.signal;
    const stop = (): void => this.#asked.abort(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    const over = new AbortController();
    try {
      await Promise.all([this.#campaign(over.signal), this.#drain(asked).finally(() => over.abort(asked.reason))]);
      await this.#leave();
    } finally {
      signal.removeEventListener("abort", stop);
      this.#state = { ...initialLeaseState(), seen: this.#state.seen };
      this.#isRunning = false;
    }
    // oxlint-disable-next-line typescript/only-throw-error -- what the work rejected with is passed on as it is
    if (asked.reason !== signal.reason) throw asked.reason;
  }

  async #campaign(over: AbortSignal): Promise<void> {
    this.#log.info("standing for the lease");
    let action = this.#step({ kind: "start" });
    while (!over.aborted) {
      await this.#lastWork(over);
      const outcome = await this.#perform(action, over);
      if (over.aborted) return;
      action = this.#step(outcome);
    }
  }

  /** Two terms never overlap: what is left of a lost one is waited for, however long it takes. */
  async #lastWork(over: AbortSignal): Promise<void> {
    if (this.#work === undefined || this.#work.token.isOpen) return;
    await abortable(this.#work.ended, over).catch(() => undefined);
    if (this.#work.hasEnded) this.#work = undefined;
  }

  /** Waits for the word to stop, and then, within its time, for the work to end and for the answers to what it wrote. */
  async #drain(asked: AbortSignal): Promise<void> {
    const {
      runtime: { clock },
    } = this.#options;
    await sleep(clock, Infinity, { signal: asked }).catch(() => undefined);
    const work = this.#work;
    if (work === undefined) return;
    const { drainMs = 30_000 } = this.#options;
    work.stop(asked.reason);
    const ended = new AbortController();
    await Promise.race([
      work.ended.then(() => this.#fence.quiet()).then(() => ended.abort()),
      sleep(clock, drainMs, { signal: ended.signal }).catch(() => undefined),
    ]);
    if (!work.hasEnded) this.#log.error("the work of the leader has not ended in time; it goes on, but cannot write any more", { drainMs });
  }

  /** Closes the fence and gives the lease back, if it is ours and nothing that was given up can still arrive under the next leader. */
  async #leave(): Promise<void> {
    const loss = this.#fence.close("the elector has stopped");
    if (this.#work?.hasEnded === true) this.#work = undefined;
    const { releaseOnStop = true } = this.#options;
    if (!releaseOnStop) return;
    // Left alone, the lease would keep the next leader away for as long.
    const isWriteAbout =
      loss?.unansweredMs !== undefined && this.#options.runtime.clock.monotonic() - loss.unansweredMs < this.#rules.leaseDurationMs;
    if (isWriteAbout) return this.#log.warn("the lease is left to expire, since a write was given up that may still arrive");
    const unhurried = new AbortController().signal;
    let action = this.#step({ kind: "release" });
    while (action.kind !== "end") action = this.#step(await this.#perform(action, unhurried));
    if (action.released) this.#log.info("gave the lease back");
  }

  #step(outcome: LeaseOutcome): LeaseAction {
    const before = this.#state;
    if (outcome.kind === "read" || outcome.kind === "written") this.#lastProblem = "";
    const [state, effects] = stepLease(before, this.#input(outcome), this.#rules);
    this.#state = state;
    let action: LeaseAction = { kind: "end", released: false };
    for (const effect of effects) {
      if (isLeaseAction(effect)) action = effect;
      else this.#notice(effect);
    }
    if (outcome.kind === "read" && before.hold !== undefined && state.hold !== undefined) this.#slowPath.add();
    this.#reportLeader();
    return action;
  }

  #input(outcome: LeaseOutcome): LeaseInput {
    const { clock, random } = this.#options.runtime;
    return { ...outcome, at: { monotonicMs: clock.monotonic(), wallMs: clock.now() }, chance: random.next() };
  }

  #notice(notice: LeaseNotice): void {
    if (notice.kind === "lost") {
      this.#fence.close(
        notice.to === undefined ? "it was not renewed in time" : notice.to === "" ? "somebody has freed it" : `${notice.to} has it`,
      );
      return;
    }
    // The last term ended just now, or this run is about to: what was won is not used, and given back or renewed later.
    if (this.#work === undefined ? this.#asked.signal.aborted : !this.#work.token.isOpen) return;
    const token = this.#fence.hold(notice.hold);
    this.#renewedMs = notice.hold.until.monotonicMs - this.#rules.renewDeadlineMs;
    if (this.#work === undefined) this.#begin(token);
  }

  #begin(token: FenceToken): void {
    this.#log.info("leading", { transitions: token.transitions });
    this.#status.set(1);
    token.signal.addEventListener("abort", () => this.#stopped(token.signal.reason), { once: true });
    const onFailure = (error: unknown, isLate: boolean): void => {
      this.#log.error(isLate ? "the work of the leader failed while it was ending" : "the work of the leader failed; it is over", {
        error,
      });
      if (!isLate) this.#asked.abort(error);
    };
    this.#work = new LeaderWork(token, { start: this.#options.onStartedLeading, onFailure });
  }

  /** However a term ends, it is the fence that ends it, and this is called once. */
  #stopped(reason: unknown): void {
    [this.#state] = stepLease(this.#state, this.#input({ kind: "expired" }), this.#rules);
    this.#status.set(0);
    this.#log.info("not leading any more", { reason });
    this.#tell(() => this.#options.onStoppedLeading?.(), "onStoppedLeading");
  }

  #reportLeader(): void {
    const { leader } = this;
    if (leader === this.#reportedLeader) return;
    this.#reportedLeader = leader;
    if (leader === "") return;
    this.#log.info("new leader", { leader });
    this.#tell(() => this.#options.onNewLeader?.(leader), "onNewLeader");
  }

  #tell(callback: () => void, name: string): void {
    try {
      callback();
    } catch (error) {
      this.#log.error(`${name} threw`, { error });
    }
  }

  async #perform(action: LeaseAction, signal: AbortSignal): Promise<LeaseOutcome> {
    const {
      client,
      lease,
      runtime: { clock },
    } = this.#options;
    switch (action.kind) {
      case "wait":
        await sleep(clock, action.delayMs, { signal }).catch(() => undefined);
        return { kind: "waited" };
      case "read":
      case "create":
      case "update":
        return requestLease(action, {
          client,
          lease,
          timeoutMs: requestTimeoutMs(this.#rules),
          signal,
          onError: (error) => this.#failed(action.kind, error),
        });
      case "end":
        break;
    }
    throw new Error("there is nothing left to do about this lease");
  }

  /** A server that is down says the same every two seconds; once is enough. */
  #failed(verb: "read" | "create" | "update", error: unknown): void {
    const problem = `${verb} ${error instanceof Error ? error.message : String(error)}`;
    const isNew = problem !== this.#lastProblem;
    this.#lastProblem = problem;
    this.#log[isNew ? "warn" : "debug"](`cannot ${verb} the lease`, { error });
  }
}
