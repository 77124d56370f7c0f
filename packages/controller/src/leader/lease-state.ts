/**
 * Decides what a candidate for a lease does next: a pure state machine. `leader-elector.ts` does the waiting.
 *
 *     reading → (ours, free or expired) writing → waiting → writing …      the holder renews without reading first
 *             → (held by another)       waiting → reading …
 *
 * Clocks of different machines need not agree. Whether another's lease has expired is measured from the time we saw it change, on our own
 * monotonic clock, never from the times in it; our own lease is measured from before the write was sent. So a holder stops, by its clock,
 * `renewDeadline` after it sent the last successful write, and others wait, by theirs, `leaseDuration` after they saw that write. Unless
 * one clock runs faster than another by the ratio of the two, the holder stops first.
 */
import type { Lease } from "@drover/api/coordination/v1";
import type { DeepReadonly } from "@drover/machinery";
import { claimedLease, durationMsOf, holderOf, newLease, releasedLease, sameRecord } from "./lease-record.ts";
import type { LeaseClaim } from "./lease-record.ts";
import { retryJitter } from "./lease-timing.ts";
import type { LeaseTiming } from "./lease-timing.ts";

/** A time on both clocks of this machine. */
export interface Moment {
  readonly monotonicMs: number;
  /** Written to the lease, and a second check of our own lease: the monotonic clock may stop while the machine sleeps. */
  readonly wallMs: number;
}

/** Until when we may act as holder: only before both times. */
export interface Hold {
  readonly until: Moment;
  /** How often the holder had changed when we acquired the lease. */
  readonly transitions: number;
}

/** Current phase of a candidate. */
export type LeasePhase =
  | { readonly kind: "idle" }
  | { readonly kind: "waiting" }
  | { readonly kind: "reading" }
  /** `path` is "fast" if the holder renews without reading first; `isStale` if the lease was lost while the write was in progress. */
  | { readonly kind: "writing"; readonly sent: Moment; readonly path: "fast" | "slow"; readonly isStale: boolean }
  | { readonly kind: "ended" };

export interface LeaseState {
  readonly phase: LeasePhase;
  /** The newest known version, and when we first saw its spec, on the monotonic clock. */
  readonly seen: { readonly lease: DeepReadonly<Lease>; readonly sinceMs: number } | undefined;
  readonly hold: Hold | undefined;
  /** Whether the server may have us as holder, for example through a write whose response was lost. */
  readonly mayBeOurs: boolean;
  /** Start of the current attempt. */
  readonly attemptMs: number;
  /** Set while the lease is being released: when to give up and let it expire. */
  readonly releaseUntilMs: number | undefined;
}

export type LeaseRules = LeaseClaim & LeaseTiming;

/** An event with its time and a random number in [0, 1). */
export type LeaseInput = { readonly at: Moment; readonly random: number } & (
  | { readonly kind: "start" | "waited" | "absent" | "read-failed" }
  /** The server rejected the write, or its outcome is unknown: no difference, because the next read shows it. */
  | { readonly kind: "write-failed" }
  /** Response to a read or a write. */
  | { readonly kind: "read" | "written"; readonly lease: DeepReadonly<Lease> }
  /** The lease has changed, does not exist, or exists already. */
  | { readonly kind: "conflict" }
  /** The fence has closed by itself; a response in progress comes too late. In any phase. */
  | { readonly kind: "expired" }
  /** The work has ended: release the lease. In any phase. */
  | { readonly kind: "release" }
);

export type LeaseEffect = LeaseNotice | LeaseAction;

/** Effects that happen immediately. */
export type LeaseNotice =
  /** The lease is ours until then; the first one after a loss starts a new term. */
  | { readonly kind: "held"; readonly hold: Hold }
  /** The lease is no longer ours. `to` is the new holder, or undefined if the lease expired. */
  | { readonly kind: "lost"; readonly to: string | undefined };

/** The next action; every step except "expired" ends in exactly one. */
export type LeaseAction =
  | { readonly kind: "read" }
  | { readonly kind: "create" | "update"; readonly lease: DeepReadonly<Lease> }
  | { readonly kind: "wait"; readonly delayMs: number }
  /** `released`: the lease was ours and was released. */
  | { readonly kind: "end"; readonly released: boolean };

export type LeaseStep = readonly [LeaseState, readonly LeaseEffect[]];

/** Returns the initial state. */
export function initialLeaseState(): LeaseState {
  return { phase: { kind: "idle" }, seen: undefined, hold: undefined, mayBeOurs: false, attemptMs: 0, releaseUntilMs: undefined };
}

/** Reports whether an effect takes time. */
export function isLeaseAction(effect: LeaseEffect): effect is LeaseAction {
  return effect.kind !== "held" && effect.kind !== "lost";
}

/** Reports whether a hold has expired, by either clock. */
export function isOver({ until }: Pick<Hold, "until">, now: Moment): boolean {
  return now.monotonicMs >= until.monotonicMs || now.wallMs >= until.wallMs;
}

/** Performs one step. Throws for inputs that do not belong to the phase, which are bugs of the caller. */
export function stepLease(before: LeaseState, input: LeaseInput, rules: LeaseRules): LeaseStep {
  const isLost = before.hold !== undefined && (input.kind === "expired" || isOver(before.hold, input.at));
  const state = isLost ? lost(before) : before;
  const [next, effects] = input.kind === "expired" ? [state, []] : answer(state, input, rules);
  return [next, isLost ? [{ kind: "lost", to: undefined }, ...effects] : effects];
}

function lost(state: LeaseState): LeaseState {
  const { phase } = state;
  return { ...state, hold: undefined, phase: phase.kind === "writing" ? { ...phase, isStale: true } : phase };
}

function answer(state: LeaseState, input: LeaseInput, rules: LeaseRules): LeaseStep {
  const { phase } = state;
  switch (input.kind) {
    case "start":
      if (phase.kind === "idle") return read(begun(state, input));
      break;
    case "waited":
      if (phase.kind === "waiting") return attempt(begun(state, input), input, rules);
      break;
    case "read":
      if (phase.kind === "reading") return wasRead(seenAs(state, input.lease, input), input, rules);
      break;
    case "absent":
      if (phase.kind === "reading") return wasAbsent(state, input, rules);
      break;
    case "read-failed":
      if (phase.kind === "reading") return later(state, input, rules);
      break;
    case "written":
      if (phase.kind === "writing") return wasWritten(state, phase, input, rules);
      break;
    case "conflict":
      if (phase.kind === "writing") return wasRefused(state, phase, input, rules);
      break;
    case "write-failed":
      if (phase.kind === "writing") return phase.path === "fast" ? read(state) : later(state, input, rules);
      break;
    case "release":
      return release(state, input, rules);
    case "expired":
      break;
  }
  throw new Error(`lease candidate in phase ${phase.kind} got the unexpected input "${input.kind}"`);
}

type Now = Pick<LeaseInput, "at" | "random">;

const begun = (state: LeaseState, { at }: Now): LeaseState => ({ ...state, attemptMs: at.monotonicMs });

/** The holder updates the version it wrote last; if that is not the newest, the server answers with a conflict. */
function attempt(state: LeaseState, now: Now, rules: LeaseRules): LeaseStep {
  if (state.hold === undefined || state.seen === undefined || state.releaseUntilMs !== undefined) return read(state);
  return write(state, "update", claimedLease(state.seen.lease, now.at.wallMs, rules), now, "fast");
}

function read(state: LeaseState): LeaseStep {
  return [{ ...state, phase: { kind: "reading" } }, [{ kind: "read" }]];
}

function write(state: LeaseState, kind: "create" | "update", lease: DeepReadonly<Lease>, { at }: Now, path: "fast" | "slow"): LeaseStep {
  return [{ ...state, mayBeOurs: true, phase: { kind: "writing", sent: at, path, isStale: false } }, [{ kind, lease }]];
}

function wait(state: LeaseState, delayMs: number): LeaseStep {
  return [{ ...state, phase: { kind: "waiting" } }, [{ kind: "wait", delayMs }]];
}

/** Waits after a failed attempt. A holder tries once per period, however long an attempt took. */
function later(state: LeaseState, { at, random }: Now, { retryPeriodMs }: LeaseRules): LeaseStep {
  if (state.releaseUntilMs !== undefined) {
    return at.monotonicMs + retryPeriodMs < state.releaseUntilMs ? wait(state, retryPeriodMs) : end(state, false);
  }
  if (state.hold !== undefined) return wait(state, Math.max(0, state.attemptMs + retryPeriodMs - at.monotonicMs));
  return wait(state, retryPeriodMs * (1 + retryJitter * random));
}

/** Records a version. While the spec stays the same, the time of the first sight stays too, even if labels change. */
function seenAs(state: LeaseState, lease: DeepReadonly<Lease>, { at }: Now): LeaseState {
  const isSame = state.seen !== undefined && sameRecord(state.seen.lease, lease);
  return { ...state, seen: { lease, sinceMs: isSame ? (state.seen?.sinceMs ?? at.monotonicMs) : at.monotonicMs } };
}

/** Reports whether another candidate holds the lease, as far as we can tell. */
function isTaken({ seen }: LeaseState, { at }: Now, { identity, leaseDurationMs }: LeaseRules): boolean {
  if (seen === undefined) return false;
  const holder = holderOf(seen.lease);
  return holder !== "" && holder !== identity && at.monotonicMs < seen.sinceMs + durationMsOf(seen.lease, leaseDurationMs);
}

function wasRead(state: LeaseState, now: Now, rules: LeaseRules): LeaseStep {
  const lease = state.seen?.lease;
  const holder = holderOf(lease);
  const isOurs = holder === rules.identity;
  if (lease === undefined || (state.releaseUntilMs !== undefined && !isOurs)) return end(state, false);
  if (state.releaseUntilMs !== undefined) return write(state, "update", releasedLease(lease, now.at.wallMs, rules), now, "slow");
  if (isOurs) return write(state, "update", claimedLease(lease, now.at.wallMs, rules), now, "slow");
  const [free, notices] = gaveWay(state, holder);
  if (isTaken(free, now, rules)) return withNotices(notices, later(free, now, rules));
  return withNotices(notices, write(free, "update", claimedLease(lease, now.at.wallMs, rules), now, "slow"));
}

/** Handles a lease with another holder or none: if we thought we held it, we do not. */
function gaveWay(state: LeaseState, holder: string): readonly [LeaseState, readonly LeaseNotice[]] {
  const next = { ...state, hold: undefined, mayBeOurs: false };
  return [next, state.hold === undefined ? [] : [{ kind: "lost", to: holder }]];
}

const withNotices = (notices: readonly LeaseNotice[], [state, effects]: LeaseStep): LeaseStep => [state, [...notices, ...effects]];

/** Handles a deleted lease. Deleting it does not stop its holder, so we wait for its expiry as if it existed. */
function wasAbsent(state: LeaseState, now: Now, rules: LeaseRules): LeaseStep {
  if (state.releaseUntilMs !== undefined) return end(state, false);
  if (isTaken(state, now, rules)) return later(state, now, rules);
  return write(state, "create", newLease(state.seen?.lease, now.at.wallMs, rules), now, "slow");
}

function wasWritten(
  state: LeaseState,
  { sent, isStale }: LeasePhase & { readonly kind: "writing" },
  input: Now & { readonly lease: DeepReadonly<Lease> },
  rules: LeaseRules,
): LeaseStep {
  const next = seenAs(state, input.lease, input);
  if (next.releaseUntilMs !== undefined) return end({ ...next, mayBeOurs: false }, true);
  // Something between us and the store, such as a webhook, changed what we wrote.
  if (holderOf(input.lease) !== rules.identity) return wasRead(next, input, rules);
  const { renewDeadlineMs, retryPeriodMs } = rules;
  const until = { monotonicMs: sent.monotonicMs + renewDeadlineMs, wallMs: sent.wallMs + renewDeadlineMs };
  const hold: Hold = { until, transitions: input.lease.spec?.leaseTransitions ?? 0 };
  // It may be ours on the server, but the term of this renewal has ended here.
  if (isStale || isOver(hold, input.at)) return later(next, input, rules);
  const [waiting, effects] = wait({ ...next, hold }, retryPeriodMs);
  return [waiting, [{ kind: "held", hold }, ...effects]];
}

function wasRefused(state: LeaseState, { path }: LeasePhase & { readonly kind: "writing" }, now: Now, rules: LeaseRules): LeaseStep {
  const isReleasing = state.releaseUntilMs !== undefined && now.at.monotonicMs < state.releaseUntilMs;
  return path === "fast" || isReleasing ? read(state) : later(state, now, rules);
}

function release(state: LeaseState, { at }: Now, { renewDeadlineMs }: LeaseRules): LeaseStep {
  const leaving = { ...state, hold: undefined, releaseUntilMs: at.monotonicMs + renewDeadlineMs };
  return state.mayBeOurs ? read(leaving) : end(leaving, false);
}

function end(state: LeaseState, released: boolean): LeaseStep {
  return [{ ...state, phase: { kind: "ended" } }, [{ kind: "end", released }]];
}
