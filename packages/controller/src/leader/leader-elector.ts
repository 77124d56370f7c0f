/**
 * Competes for a lease, renews it while leading, and runs the leader's work only while the lease is held.
 *
 *     lease-state (what next) ← LeaderElector → client (Lease), fence (who may write), callbacks (the work)
 *
 * After a loss, `run` competes again, but never before the work of the last term has ended. On stop, it keeps renewing the lease until the
 * work has ended, so that the last writes arrive, and then releases it.
 */
import type { Lease } from "@drover/api/coordination/v1";
import type { Client } from "@drover/client";
import { abortable, assert, callSafely, errorText, guardRuntime, sleep } from "@drover/machinery";
import type { BoundCounter, BoundGauge, DeepReadonly, Log, Runtime } from "@drover/machinery";
import { LeaseFence } from "./fence.ts";
import type { Fence, FenceMirror } from "./fence.ts";
import type { FenceToken } from "./fence-term.ts";
import { LeaderWork } from "./leader-work.ts";
import { LeaseCandidacy, assignmentPollMaxMs } from "./lease-candidate.ts";
import type { CoordinatedElectionOptions } from "./lease-candidate.ts";
import { holderOf } from "./lease-record.ts";
import { requestLease } from "./lease-request.ts";
import type { LeaseOutcome } from "./lease-request.ts";
import { initialLeaseState, isLeaseAction, observeLease, stepLease, takeableMs } from "./lease-state.ts";
import type { AfterMissingLease, LeaseAction, LeaseInput, LeaseNotice, LeaseRules, LeaseState } from "./lease-state.ts";
import { durationSeconds, leaseTiming, requestTimeoutMs } from "./lease-timing.ts";
import type { LeaseTimingOptions } from "./lease-timing.ts";

/** Options of `LeaderElector`. */
export interface LeaderElectorOptions extends LeaseTimingOptions {
  readonly runtime: Pick<Runtime, "clock" | "random" | "log" | "metrics">;
  /** Client for the lease. It must not go through the fence, and should not share a rate limit with the work. */
  readonly client: Client;
  /** The lease; created if it does not exist. */
  readonly lease: { readonly namespace: string; readonly name: string };
  /**
   * Unique name of this process in the lease, such as host name and uid, "web-0_5f0c…". Processes must not share it, not even successive
   * ones.
   */
  readonly identity: string;
  /**
   * The work of a leader. The signal aborts with a `FencedError` when the lease is lost, or with the stop reason when the elector stops.
   * If the work rejects with anything else than that reason, the lease is released and `run` rejects with the same error. If it resolves
   * early, the lease stays held.
   */
  readonly onStartedLeading: (signal: AbortSignal, token: FenceToken) => Promise<void> | void;
  /** Called once per term when the fence has closed; the work may not have ended yet. @default no callback */
  readonly onStoppedLeading?: () => void;
  /** Called when the observed holder changes, also to this process. @default no callback */
  readonly onNewLeader?: (identity: string) => void;
  /**
   * What to do if the lease does not exist when this process starts. "lead" creates it and leads at once, as client-go does: if an editor
   * deleted the lease of a running leader just before, both lead until that leader's next renewal, `retryPeriodMs` at most. "wait" creates
   * it and leads after `leaseDurationMs`, so that no two ever lead, and the first start in a cluster takes that long.
   * @default "lead"
   */
  readonly afterMissingLease?: AfterMissingLease;
  /**
   * Lets the API server choose the leader among registered LeaseCandidates, such as the one with the oldest version during a rollout. Needs
   * kube-apiserver with the feature gate CoordinatedLeaderElection and the API coordination.k8s.io/v1beta1; without them no replica leads,
   * and readiness says why. All replicas must set it. Clocks must agree within `leaseDurationMs` − `renewDeadlineMs`.
   * @default candidates compete by themselves
   */
  readonly coordinated?: CoordinatedElectionOptions;
  /** Labels to set on the lease; other labels stay. @default none */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * Whether to release the lease on stop, so that the next leader need not wait for it to expire. Read when the elector stops. @default
   * true
   */
  readonly releaseOnStop?: boolean;
  /**
   * How long the work may take to end after the elector starts to stop, in milliseconds; then the fence closes and `run` stops waiting.
   * Read when the elector stops. @default 30 seconds
   */
  readonly drainMs?: number;
  /** Learns until when the lease is held, at every renewal and at the end. @default no mirror */
  readonly mirror?: FenceMirror | undefined;
}

/**
 * Guarantees: `run` never rejects because of the server. The work of two terms never overlaps. The fence is open only while the lease is
 * held, and closes before the lease is released. If a write was abandoned that may still reach the server, the lease is not released but
 * left to expire.
 */
export class LeaderElector {
  readonly #options: LeaderElectorOptions;
  readonly #rules: LeaseRules;
  readonly #fence: LeaseFence;
  readonly #log: Log;
  readonly #status: BoundGauge;
  readonly #slowPath: BoundCounter;
  readonly #candidacy: LeaseCandidacy | undefined;
  #state: LeaseState = initialLeaseState();
  #work: LeaderWork | undefined;
  #renewedMs = 0;
  #reportedLeader = "";
  #lastProblem = "";
  #isRunning = false;
  /** Aborts when this run must end: because of its signal, or because the work failed. */
  #asked = new AbortController();
  /** What the work failed with, in a box: it may be undefined, which is no reason of an abort. */
  #failure: { readonly error: unknown } | undefined;

  /** Throws a `RangeError` for inconsistent durations and for an empty identity or lease name. */
  constructor(options: LeaderElectorOptions) {
    const {
      runtime: { clock },
      lease,
      identity,
      labels = {},
      afterMissingLease = "lead",
      mirror,
      coordinated,
      client,
    } = options;
    const { log, metrics } = guardRuntime(options.runtime);
    const timing = leaseTiming(options);
    for (const [field, value] of Object.entries({ identity, "lease.name": lease.name, "lease.namespace": lease.namespace })) {
      if (value === "") throw new RangeError(`${field} of a leader elector must not be empty`);
    }
    this.#options = options;
    this.#rules = {
      ...timing,
      lease,
      identity,
      labels,
      afterMissingLease,
      durationSeconds: durationSeconds(timing.leaseDurationMs),
      isCoordinated: coordinated !== undefined,
    };
    if (coordinated !== undefined && timing.retryPeriodMs > assignmentPollMaxMs)
      throw new RangeError(
        `retryPeriodMs, ${timing.retryPeriodMs}, must be at most ${assignmentPollMaxMs} with coordinated: the server assigns the lease for 5 seconds`,
      );
    this.#fence = new LeaseFence({ lease: `${lease.namespace}/${lease.name}`, clock, mirror });
    this.#log = log.with({ lease: this.#fence.lease, identity });
    this.#candidacy = coordinated && new LeaseCandidacy({ client, clock, log: this.#log, lease, identity, coordinated });
    const name = { name: lease.name };
    this.#status = metrics
      .gauge({ name: "leader_election_master_status", help: "1 if this process holds the lease, otherwise 0.", labels: ["name"] })
      .with(name);
    this.#slowPath = metrics
      .counter({ name: "leader_election_slowpath_total", help: "Renewals of the own lease that had to read it first.", labels: ["name"] })
      .with(name);
    this.#status.set(0);
  }

  /** Passes writes only while the lease is held. */
  get fence(): Fence {
    return this.#fence;
  }

  /** Whether the lease is held now. */
  get isLeader(): boolean {
    return this.#fence.isOpen;
  }

  /** The last observed holder; empty if there was none or the lease has not been read. For logs and status pages: it may be out of date. */
  get leader(): string {
    return holderOf(this.#state.seen?.lease);
  }

  /** Why the server cannot choose this replica, with `coordinated`; undefined if it can. */
  get candidateProblem(): string | undefined {
    return this.#candidacy?.problem;
  }

  /** Name of the lease, without its namespace. */
  get leaseName(): string {
    return this.#rules.lease.name;
  }

  /**
   * When a candidate may take the lease, by what it has seen so far, on the monotonic clock; −Infinity if it is free or was never seen. A
   * run that starts earlier has to wait.
   */
  get takeableMs(): number {
    return takeableMs(this.#state);
  }

  /**
   * Records a version of the lease that was read elsewhere, undefined if it does not exist, so that a later run need not wait for the
   * whole duration. Does nothing while `run` is in progress.
   */
  observe(lease: DeepReadonly<Lease> | undefined): void {
    if (!this.#isRunning) this.#state = observeLease(this.#state, lease, this.#options.runtime.clock.monotonic(), this.#rules);
  }

  /**
   * Returns the problem for a health check: the work of a term still runs although its lease expired more than `toleranceMs` ago. Such a
   * process cannot write and will not lead again, so it should be restarted. A candidate that waits is healthy.
   */
  check(toleranceMs: number): Error | undefined {
    if (this.#work === undefined) return undefined;
    const overMs = this.#options.runtime.clock.monotonic() - this.#renewedMs - this.#rules.leaseDurationMs;
    if (overMs <= toleranceMs) return undefined;
    return new Error(`lease ${this.#fence.lease} expired ${Math.round(overMs)} ms ago, and the work under it has not ended`);
  }

  /** Competes for the lease until the signal aborts, then ends as described in the header. Rejects with the error of the work. */
  async run(signal: AbortSignal): Promise<void> {
    assert(!this.#isRunning, `the elector of lease ${this.#fence.lease} is already running`);
    if (signal.aborted) return;
    this.#isRunning = true;
    this.#asked = new AbortController();
    this.#failure = undefined;
    const asked = this.#asked.signal;
    const stop = (): void => this.#asked.abort(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    const over = new AbortController();
    const left = new AbortController();
    const candidacy = this.#candidacy?.run(left.signal);
    try {
      await Promise.all([this.#campaign(over.signal), this.#drain(asked).finally(() => over.abort(asked.reason))]);
      await this.#leave();
    } finally {
      signal.removeEventListener("abort", stop);
      left.abort();
      await candidacy;
      const { seen, transitions } = this.#state;
      this.#state = { ...initialLeaseState(), seen, transitions };
      this.#isRunning = false;
    }
    this.#throwFailure();
  }

  #throwFailure(): void {
    // oxlint-disable-next-line typescript/only-throw-error -- errors of the work are passed on unchanged
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async #campaign(over: AbortSignal): Promise<void> {
    this.#log.info("competing for the lease");
    let action = this.#step({ kind: "start" });
    while (!over.aborted) {
      await this.#lastWork(over);
      const outcome = await this.#perform(action, over);
      if (over.aborted) return;
      action = this.#step(outcome);
    }
  }

  /** Waits until the work of a lost term has ended, however long it takes, so that two terms never overlap. */
  async #lastWork(over: AbortSignal): Promise<void> {
    if (this.#work === undefined || this.#work.token.isOpen) return;
    await abortable(this.#work.ended, over).catch(() => undefined);
    if (this.#work.hasEnded) this.#work = undefined;
  }

  /** Waits for the stop request, and then, up to `drainMs`, for the work to end and for responses to its writes. */
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
    if (!work.hasEnded)
      this.#log.error("leader's work did not end in time; it continues, but its writes are blocked", { drainMs, code: "DRV0363" });
  }

  /** Closes the fence and releases the lease, if it is ours and no abandoned write can still arrive under the next leader. */
  async #leave(): Promise<void> {
    const loss = this.#fence.close("the elector has stopped");
    if (this.#work?.hasEnded === true) this.#work = undefined;
    const { releaseOnStop = true } = this.#options;
    if (!releaseOnStop) return;
    // Leaving the lease alone would keep the next leader away just as long.
    const isWriteAbout =
      loss?.unansweredMs !== undefined && this.#options.runtime.clock.monotonic() - loss.unansweredMs < this.#rules.leaseDurationMs;
    if (isWriteAbout) return this.#log.warn("leaving the lease to expire, an abandoned write may still reach the server");
    const unhurried = new AbortController().signal;
    let action = this.#step({ kind: "release" });
    while (action.kind !== "end") action = this.#step(await this.#perform(action, unhurried));
    if (action.released) this.#log.info("lease released");
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
    if (state.trial !== undefined && before.trial === undefined)
      this.#log.warn("the lease was missing, deleted or edited, renewing it for a while before leading", {
        code: "DRV0361",
        waitMs: state.trial.waitMs,
      });
    this.#reportLeader();
    return action;
  }

  #input(outcome: LeaseOutcome): LeaseInput {
    const { clock, random } = this.#options.runtime;
    return { ...outcome, at: { monotonicMs: clock.monotonic(), wallMs: clock.now() }, random: random.next() };
  }

  #notice(notice: LeaseNotice): void {
    if (notice.kind === "lost") {
      this.#fence.close(
        notice.to === undefined
          ? notice.isContested === true
            ? "others keep changing it"
            : "it was not renewed in time"
          : notice.to === ""
            ? "its holder field was cleared"
            : notice.isPreferred === true
              ? `the server prefers ${notice.to}`
              : `${notice.to} holds it`,
      );
      return;
    }
    // The last term ended just now, or this run is about to end: do not start a term; the lease is released or renewed later.
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
      this.#log.error(isLate ? "leader's work failed while ending" : "leader's work failed, stopping", {
        error,
      });
      if (isLate || this.#asked.signal.aborted) return;
      this.#failure = { error };
      this.#asked.abort(error);
    };
    this.#work = new LeaderWork(token, { start: this.#options.onStartedLeading, onFailure });
  }

  /** Called once per term: whatever ends a term, the fence does it. */
  #stopped(reason: unknown): void {
    [this.#state] = stepLease(this.#state, this.#input({ kind: "expired" }), this.#rules);
    this.#status.set(0);
    this.#log.info("stopped leading", { reason });
    this.#notify(() => this.#options.onStoppedLeading?.(), "onStoppedLeading");
  }

  #reportLeader(): void {
    const { leader } = this;
    if (leader === this.#reportedLeader) return;
    this.#reportedLeader = leader;
    if (leader === "") return;
    this.#log.info("new leader", { leader });
    this.#notify(() => this.#options.onNewLeader?.(leader), "onNewLeader");
  }

  #notify(callback: () => void, name: string): void {
    callSafely(callback, (error) => this.#log.error(`${name} threw`, { error }));
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
    throw new Error("the lease has no further action");
  }

  /** Logs a failed request. An unreachable server fails the same way every two seconds, so only the first failure is a warning. */
  #failed(verb: "read" | "create" | "update", error: unknown): void {
    const problem = `${verb} ${errorText(error)}`;
    const isNew = problem !== this.#lastProblem;
    this.#lastProblem = problem;
    this.#log[isNew ? "warn" : "debug"](`cannot ${verb} the lease`, { error });
  }
}
