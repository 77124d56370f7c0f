/**
 * Decides what a candidate for a lease does next: a pure state machine. `leader-elector.ts` does the waiting.
 *
 *     reading → (ours, released or expired) writing → waiting → writing …      the holder renews without reading first
 *             → (held by another)           waiting → reading …
 *
 * Clocks of different machines need not agree. Whether another's lease has expired is measured from the time we saw it change, on our own
 * monotonic clock, never from the times in it; our own lease is measured from before the write was sent. So a holder stops, by its clock,
 * `renewDeadline` after it sent the last successful write, and others wait, by theirs, `leaseDuration` after they saw that write. Unless
 * one clock runs faster than another by the ratio of the two, the holder stops first.
 *
 * Anybody may edit, delete or restore a lease, and its holder does not stop by that. So a candidate takes a lease only
 *  - if its holder released it, or nobody ever held it,
 *  - if exactly the same version was stored for a full lease duration: nobody has renewed anything meanwhile,
 *  - otherwise (the lease was missing for a full duration, or its metadata changed meanwhile) with a trial: it writes itself as holder, and
 *    leads after it has renewed that for another full duration without anybody else's write in between.
 * If the server chooses the holder (coordinated leader election), a candidate renews only what was assigned to it. The server decides by
 * the renewal time in the lease, so clocks must agree within leaseDuration − renewDeadline then.
 * A process that has just started cannot know whether a missing lease was deleted a moment ago: see `afterMissingLease`.
 */
import type { Lease } from "@drover/api/coordination/v1";
import type { DeepReadonly } from "@drover/machinery";
import {
  claimedLease,
  durationMsOf,
  holderOf,
  isReleased,
  isUnused,
  newLease,
  releasedLease,
  sameRecord,
  sameVersion,
  transitionsOf,
} from "./lease-record.ts";
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

/** What we last saw of the lease. */
export interface LeaseSight {
  /** The newest known version. */
  readonly lease: DeepReadonly<Lease>;
  /** Whether the lease was missing since. */
  readonly isAbsent: boolean;
  /** When we first saw this spec, or that the lease is missing, on the monotonic clock. */
  readonly sinceMs: number;
  /** How long its holder may lead without being seen. */
  readonly waitMs: number;
  /** Whether the same version was stored all the time since: nobody has written anything. */
  readonly isSteady: boolean;
  /** Whether this version can be taken at once. */
  readonly isFree: boolean;
}

export interface LeaseState {
  readonly phase: LeasePhase;
  readonly seen: LeaseSight | undefined;
  /** Highest number of transitions seen: an editor may set it back. */
  readonly transitions: number;
  /** Our last write that got a response, and the one that did not: how to recognise our own record. */
  readonly own: { readonly written: DeepReadonly<Lease> | undefined; readonly sent: DeepReadonly<Lease> | undefined };
  readonly hold: Hold | undefined;
  /** Set while we are the recorded holder, but may not lead yet; `sinceMs` is the time of the first response. */
  readonly trial: { readonly sinceMs: number | undefined; readonly waitMs: number } | undefined;
  /** Whether the server may have us as holder, for example through a write whose response was lost. */
  readonly mayBeOurs: boolean;
  /** Start of the current attempt. */
  readonly attempt: Moment;
  /** Set while the lease is being released: when to give up and let it expire. */
  readonly releaseUntilMs: number | undefined;
}

export type LeaseRules = LeaseClaim &
  LeaseTiming & {
    readonly afterMissingLease?: AfterMissingLease;
    /** Whether the server chooses the holder: we only renew a lease that it has assigned to us. */
    readonly isCoordinated?: boolean;
  };

/** What a process does that finds no lease when it starts: leads at once, or after a trial. */
export type AfterMissingLease = "lead" | "wait";

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
  /**
   * The lease is no longer ours. `to` is the new holder, or undefined if the lease expired, or if others write to it faster than we
   * (`isContested`). With `isPreferred`, `to` is only the holder that the server wants next.
   */
  | { readonly kind: "lost"; readonly to: string | undefined; readonly isContested?: boolean; readonly isPreferred?: boolean };

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
  return {
    phase: { kind: "idle" },
    seen: undefined,
    transitions: 0,
    own: { written: undefined, sent: undefined },
    hold: undefined,
    trial: undefined,
    mayBeOurs: false,
    attempt: { monotonicMs: 0, wallMs: 0 },
    releaseUntilMs: undefined,
  };
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

/** Records a version that was read outside an attempt; undefined if there is no lease. Only in the initial phase. */
export function observeLease(
  state: LeaseState,
  lease: DeepReadonly<Lease> | undefined,
  monotonicMs: number,
  rules: LeaseRules,
): LeaseState {
  return state.phase.kind === "idle" ? seenAs(state, lease, { at: { monotonicMs, wallMs: 0 }, random: 0 }, rules) : state;
}

/** Returns when a candidate may take the lease, by what it has seen; −Infinity if it is free or was never seen. */
export function takeableMs({ seen }: LeaseState): number {
  return seen === undefined || seen.isFree ? -Infinity : seen.sinceMs + seen.waitMs;
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
      if (phase.kind === "reading") return wasRead(state, input.lease, input, rules);
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

const begun = (state: LeaseState, { at }: Now): LeaseState => ({ ...state, attempt: at });

/** The holder updates the version it wrote last; if that is not the newest, the server answers with a conflict. */
function attempt(state: LeaseState, now: Now, rules: LeaseRules): LeaseStep {
  const isHolder = state.hold !== undefined || state.trial?.sinceMs !== undefined;
  if (!isHolder || state.seen === undefined || state.releaseUntilMs !== undefined) return read(state);
  return write(state, "update", claimedLease(state.seen.lease, now.at.wallMs, rules, state.transitions), now, "fast");
}

function read(state: LeaseState): LeaseStep {
  return [{ ...state, phase: { kind: "reading" } }, [{ kind: "read" }]];
}

function write(state: LeaseState, kind: "create" | "update", lease: DeepReadonly<Lease>, { at }: Now, path: "fast" | "slow"): LeaseStep {
  // What a holder read is as old as the start of the attempt, and nothing that was written since may count for longer.
  const sent = path === "slow" && state.hold !== undefined ? state.attempt : at;
  const own = { ...state.own, sent: lease };
  return [{ ...state, own, mayBeOurs: true, phase: { kind: "writing", sent, path, isStale: false } }, [{ kind, lease }]];
}

function wait(state: LeaseState, delayMs: number): LeaseStep {
  return [{ ...state, phase: { kind: "waiting" } }, [{ kind: "wait", delayMs }]];
}

/** Waits after a failed attempt. A holder tries once per period, however long an attempt took. */
function later(state: LeaseState, { at, random }: Now, { retryPeriodMs, isCoordinated = false }: LeaseRules): LeaseStep {
  if (state.releaseUntilMs !== undefined) {
    return at.monotonicMs + retryPeriodMs < state.releaseUntilMs ? wait(state, retryPeriodMs) : end(state, false);
  }
  if (state.hold !== undefined) return wait(state, Math.max(0, state.attempt.monotonicMs + retryPeriodMs - at.monotonicMs));
  // A server that assigns the lease expects the holder to renew it soon.
  return wait(state, isCoordinated ? retryPeriodMs : retryPeriodMs * (1 + retryJitter * random));
}

/**
 * Records what was seen; undefined if there is no lease. While the spec stays the same, the time of the first sight stays too, even if
 * labels change. Nothing is recorded for a lease that we have never seen.
 */
function seenAs(state: LeaseState, lease: DeepReadonly<Lease> | undefined, { at }: Now, rules: LeaseRules): LeaseState {
  const { seen } = state;
  if (lease === undefined) {
    if (seen === undefined || seen.isAbsent) return state;
    return { ...state, seen: { ...seen, isAbsent: true, sinceMs: at.monotonicMs, isSteady: false, isFree: false } };
  }
  const transitions = Math.max(state.transitions, transitionsOf(lease));
  const isFree = isFreeNow(state, lease, rules);
  if (seen !== undefined && !seen.isAbsent && sameRecord(seen.lease, lease)) {
    const isSameVersion = sameVersion(seen.lease, lease);
    return {
      ...state,
      seen: { ...seen, lease, isSteady: seen.isSteady && isSameVersion, isFree: isFree || (seen.isFree && isSameVersion) },
    };
  }
  const waitMs = waitMsOf(seen, lease, rules.leaseDurationMs);
  return { ...state, transitions, seen: { lease, isAbsent: false, sinceMs: at.monotonicMs, waitMs, isSteady: true, isFree } };
}

/** An editor may shorten the duration: the longest of the term counts, and the last one of the term before. */
function waitMsOf(before: LeaseSight | undefined, lease: DeepReadonly<Lease>, ownMs: number): number {
  const isSameTerm =
    before !== undefined && holderOf(before.lease) === holderOf(lease) && transitionsOf(before.lease) === transitionsOf(lease);
  const beforeMs = before === undefined ? 0 : isSameTerm ? before.waitMs : durationMsOf(before.lease, ownMs);
  return Math.max(durationMsOf(lease, ownMs), beforeMs);
}

/** Reports whether everybody who may have led when we saw this must have stopped, unless it was seen too rarely (`isSteady`). */
const isWaitOver = ({ sinceMs, waitMs }: LeaseSight, { at }: Now): boolean => at.monotonicMs >= sinceMs + waitMs;

/** Reports whether this is the record that we wrote: the same version, or the write whose response was lost. */
function isOwnRecord({ own: { written, sent } }: LeaseState, lease: DeepReadonly<Lease>): boolean {
  return (written !== undefined && sameVersion(written, lease)) || (sent !== undefined && sameRecord(sent, lease));
}

/** Reports whether the lease is free without doubt, by what was seen first or before. */
function isFreeNow({ seen: before, transitions, hold }: LeaseState, lease: DeepReadonly<Lease>, { identity }: LeaseRules): boolean {
  if (before === undefined) return holderOf(lease) === identity || isUnused(lease) || isReleased(lease);
  // While we hold it, nobody else can lead, so we may take it back from who has cleared it.
  if (hold !== undefined) return holderOf(lease) === "";
  const count = transitionsOf(lease);
  return isReleased(lease) && (count > transitions || (count === transitions && isNotOlder(lease, before.lease)));
}

/** A release is written after the last renewal; an older one comes from a backup, or an editor cleared the fields of an old record. */
function isNotOlder(lease: DeepReadonly<Lease>, than: DeepReadonly<Lease>): boolean {
  return (lease.spec?.renewTime ?? "") >= (than.spec?.renewTime ?? "");
}

function wasRead(before: LeaseState, lease: DeepReadonly<Lease>, now: Now, rules: LeaseRules): LeaseStep {
  const isOwn = isOwnRecord(before, lease);
  const looked = seenAs(before, lease, now, rules);
  const state = isOwn ? looked : { ...looked, own: { ...looked.own, sent: undefined }, trial: undefined };
  const isOurs = holderOf(lease) === rules.identity;
  if (state.releaseUntilMs !== undefined)
    return isOurs ? write(state, "update", releasedLease(lease, now.at.wallMs, rules), now, "slow") : end(state, false);
  const claim = claimedLease(lease, now.at.wallMs, rules, state.transitions);
  if (rules.isCoordinated === true) return assigned(state, claim, now, rules);
  const isFree = state.seen?.isFree === true;
  if (isOurs && (isOwn || isFree || state.hold !== undefined)) return write(state, "update", claim, now, "slow");
  const [left, notices] = gaveWay(state, holderOf(lease), rules);
  const seen = left.seen;
  if (isFree || (seen !== undefined && isWaitOver(seen, now) && seen.isSteady))
    return withNotices(notices, write(left, "update", claim, now, "slow"));
  if (seen === undefined || !isWaitOver(seen, now)) return withNotices(notices, later(left, now, rules));
  return withNotices(notices, write(onTrial(left, seen), "update", claim, now, "slow"));
}

/**
 * Renews a lease that the server assigned to us. A lease that we did not renew in time is the server's to assign again, and one with
 * another preferred holder must expire: the server gives it to that one then.
 */
function assigned(state: LeaseState, claim: DeepReadonly<Lease>, now: Now, rules: LeaseRules): LeaseStep {
  const { seen, hold } = state;
  const preferred = seen?.lease.spec?.preferredHolder ?? "";
  const holder = holderOf(seen?.lease);
  const isOurs = holder === rules.identity;
  if (!isOurs || preferred !== "") {
    const to = isOurs ? preferred : holder;
    const notices: readonly LeaseNotice[] = hold === undefined ? [] : [{ kind: "lost", to, isPreferred: isOurs }];
    return withNotices(notices, later({ ...state, hold: undefined, mayBeOurs: isOurs }, now, rules));
  }
  const isExpired = seen === undefined || isWaitOver(seen, now);
  return hold === undefined && isExpired ? later(state, now, rules) : write(state, "update", claim, now, "slow");
}

const onTrial = (state: LeaseState, { waitMs }: LeaseSight): LeaseState => ({ ...state, trial: { sinceMs: undefined, waitMs } });

/** Handles a lease with another holder or none: if we thought we held it, we do not. */
function gaveWay(state: LeaseState, holder: string, { identity }: LeaseRules): readonly [LeaseState, readonly LeaseNotice[]] {
  const next = { ...state, hold: undefined, mayBeOurs: holder === identity };
  return [next, state.hold === undefined ? [] : [{ kind: "lost", to: holder }]];
}

const withNotices = (notices: readonly LeaseNotice[], [state, effects]: LeaseStep): LeaseStep => [state, [...notices, ...effects]];

/**
 * Handles a deleted lease. Deleting it does not stop its holder, so we wait as long as if it existed. The holder creates it again at once:
 * while it holds the lease, nobody else can lead.
 */
function wasAbsent(before: LeaseState, now: Now, rules: LeaseRules): LeaseStep {
  if (before.releaseUntilMs !== undefined) return end(before, false);
  const state = { ...seenAs(before, undefined, now, rules), trial: undefined };
  const { seen, hold } = state;
  if (rules.isCoordinated === true) {
    const [left, notices] = gaveWay(state, "", rules);
    return withNotices(notices, later(left, now, rules));
  }
  const lease = newLease(seen?.lease, now.at.wallMs, rules, state.transitions);
  const isFirstSight = seen === undefined;
  if (hold !== undefined || (isFirstSight && rules.afterMissingLease !== "wait")) return write(state, "create", lease, now, "slow");
  if (isFirstSight) return write({ ...state, trial: { sinceMs: undefined, waitMs: rules.leaseDurationMs } }, "create", lease, now, "slow");
  return isWaitOver(seen, now) ? write(onTrial(state, seen), "create", lease, now, "slow") : later(state, now, rules);
}

function wasWritten(
  state: LeaseState,
  { sent, isStale }: LeasePhase & { readonly kind: "writing" },
  input: Now & { readonly lease: DeepReadonly<Lease> },
  rules: LeaseRules,
): LeaseStep {
  const { lease } = input;
  // Something between us and the store, such as a webhook, changed what we wrote.
  if (state.releaseUntilMs === undefined && holderOf(lease) !== rules.identity) return wasRead(state, lease, input, rules);
  const next = { ...seenAs(state, lease, input, rules), own: { written: lease, sent: undefined } };
  if (next.releaseUntilMs !== undefined) return end({ ...next, mayBeOurs: false }, true);
  const { renewDeadlineMs, retryPeriodMs } = rules;
  const trial = next.trial === undefined ? undefined : { ...next.trial, sinceMs: next.trial.sinceMs ?? input.at.monotonicMs };
  if (trial !== undefined && sent.monotonicMs < trial.sinceMs + trial.waitMs) return wait({ ...next, trial }, retryPeriodMs);
  const until = { monotonicMs: sent.monotonicMs + renewDeadlineMs, wallMs: sent.wallMs + renewDeadlineMs };
  const hold: Hold = { until, transitions: lease.spec?.leaseTransitions ?? 0 };
  // It may be ours on the server, but the term of this renewal has ended here.
  if (isStale || isOver(hold, input.at)) return later(next, input, rules);
  const [waiting, effects] = wait({ ...next, hold, trial: undefined }, retryPeriodMs);
  return [waiting, [{ kind: "held", hold }, ...effects]];
}

function wasRefused(state: LeaseState, { path }: LeasePhase & { readonly kind: "writing" }, now: Now, rules: LeaseRules): LeaseStep {
  const isReleasing = state.releaseUntilMs !== undefined && now.at.monotonicMs < state.releaseUntilMs;
  if (path === "fast" || isReleasing) return read(state);
  const next = { ...state, hold: undefined, trial: undefined };
  const notices: readonly LeaseNotice[] = state.hold === undefined ? [] : [{ kind: "lost", to: undefined, isContested: true }];
  return withNotices(notices, later(next, now, rules));
}

function release(state: LeaseState, { at }: Now, { renewDeadlineMs }: LeaseRules): LeaseStep {
  const leaving = { ...state, hold: undefined, trial: undefined, releaseUntilMs: at.monotonicMs + renewDeadlineMs };
  return state.mayBeOurs ? read(leaving) : end(leaving, false);
}

function end(state: LeaseState, released: boolean): LeaseStep {
  return [{ ...state, phase: { kind: "ended" } }, [{ kind: "end", released }]];
}
