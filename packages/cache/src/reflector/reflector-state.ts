/**
 * What a reflector does next: a pure machine. `reflector.ts` does the waiting.
 *
 *     empty → listing (watch-list, else pages) → watching ⇄ backing off
 *
 * Promises, proved over every short sequence of inputs in reflector-state-model.test.ts: there is no state without a next action; the
 * version never goes back inside an epoch; there is one request at a time.
 *
 * The backoff (0.8 s, doubled up to 30 s, each lengthened by up to itself) begins anew after a success: a stream that stood for two
 * minutes, or one that the server ended in good order after it had made progress. A list alone is none, or a server whose lists work and
 * whose watches fail would be listed every second.
 */
import { compareResourceVersions } from "@drover/machinery";
import type { Failure } from "./reflector-failure.ts";

/** Where it stands. All times are monotonic milliseconds. */
export type ReflectorPhase =
  | { readonly kind: "empty" }
  | { readonly kind: "listing"; readonly by: ListForm; readonly sinceMs: number; readonly resourceVersion: string }
  | { readonly kind: "watching"; readonly sinceMs: number }
  | { readonly kind: "backing-off"; readonly untilMs: number; readonly next: "list" | "watch" };

/** How the whole state is fetched: as the beginning of a watch, or as a list in pages. */
export type ListForm = "watch-list" | "pages";

export interface ReflectorState {
  readonly phase: ReflectorPhase;
  /** Nothing up to here was missed; "" before the first list. */
  readonly version: string;
  /** How often the server's history has begun anew. */
  readonly epoch: number;
  readonly hasSynced: boolean;
  /** Whether the next list asks for the newest state instead of one not older than `version`. */
  readonly wantsNewest: boolean;
  /** Lists older than what we have, one after the other. */
  readonly lower: { readonly count: number; readonly sinceMs: number } | undefined;
  /** When watches closed that had said nothing. */
  readonly emptyCloses: readonly number[];
  /** Watches in a row that failed without progress, those not counted that met no server. */
  readonly failedWatches: number;
  /** Steps of the backoff since the last success. */
  readonly attempt: number;
  /** Watch-list is not tried before this time. */
  readonly watchListAfterMs: number;
}

export interface ReflectorRules {
  /** The version of the very first paged list: "" is the newest, "0" whatever the server has at hand, as client-go asks. */
  readonly firstVersion: "" | "0";
  /** The least time a watch is asked to last; each lasts this long and up to as much again. At least 300. */
  readonly watchTimeoutMinSeconds: number;
}

/** What happened, with the time and a number in [0, 1) for whatever is left to chance. */
export type ReflectorInput = { readonly nowMs: number; readonly chance: number } & (
  | { readonly kind: "start" | "waited" }
  /** The whole state is there. */
  | { readonly kind: "listed"; readonly version: string }
  | { readonly kind: "list-failed"; readonly failure: Failure }
  /** A watch-list ended, or went silent, before it had said that the state is whole. */
  | { readonly kind: "watch-list-incomplete" }
  /** Events or bookmarks were taken; `version` is that of the last one. */
  | { readonly kind: "progressed"; readonly version: string }
  /** The stream is over; without a failure the server closed it in good order. */
  | { readonly kind: "watch-ended"; readonly progressed: boolean; readonly failure: Failure | undefined }
  /** Somebody wants a list while there is no stream to end. */
  | { readonly kind: "asked" }
);

export type ReflectorEffect = ReflectorNotice | ReflectorAction;

/** What is done at once. */
export type ReflectorNotice =
  /** Hand the collected state to the sink. */
  | { readonly kind: "replace"; readonly version: string }
  /** The versions of this server have gone back for good: it was put back from a backup, or is another one. */
  | { readonly kind: "new-epoch"; readonly from: string; readonly to: string }
  /** A list was older than what we have and is not used. */
  | { readonly kind: "refused-list"; readonly version: string; readonly have: string }
  | { readonly kind: "watch-list-put-off"; readonly untilMs: number };

/** What to do next; every step but "progressed" ends in exactly one. All but "follow" end the stream that is open. */
export type ReflectorAction =
  | { readonly kind: "list"; readonly by: ListForm; readonly resourceVersion: string; readonly timeoutSeconds: number }
  | { readonly kind: "watch"; readonly resourceVersion: string; readonly timeoutSeconds: number }
  /** Go on with the stream that is open. */
  | { readonly kind: "follow" }
  | { readonly kind: "wait"; readonly delayMs: number };

/** Whether an effect takes time. */
export function isReflectorAction(effect: ReflectorEffect): effect is ReflectorAction {
  return effect.kind === "list" || effect.kind === "watch" || effect.kind === "follow" || effect.kind === "wait";
}

export type ReflectorStep = readonly [ReflectorState, readonly ReflectorEffect[]];

const backoffMs = 800;
const backoffMaxMs = 30_000;
/** A server may ask us to stay away, but not to stop working. */
const retryAfterMaxMs = 5 * 60_000;
/** A stream that stood for so long is a success. */
const healthyMs = 2 * 60_000;
const veryShortMs = 1000;
/** So many closes without a word within this time mean that our version is not one the server knows. */
const emptyClosesMax = 3;
const emptyCloseWindowMs = 10_000;
/** Also the way out of a silence: a server that was put back from a backup says nothing until it has come to our version again. */
const failedWatchesMax = 3;
/** So many older lists over at least this time are not one server lagging behind. */
const lowerListsMax = 3;
const lowerListsMs = 10_000;
/** A server that does not know watch-list may be upgraded; one whose streams did not complete may sit behind a proxy that is repaired. */
const unsupportedPutOffMs = 60 * 60_000;
const incompletePutOffMs = 10 * 60_000;

/** The beginning; `watchListAfterMs` is `Infinity` when the source cannot do it at all. */
export function initialReflectorState(watchListAfterMs: number): ReflectorState {
  return {
    phase: { kind: "empty" },
    version: "",
    epoch: 0,
    hasSynced: false,
    wantsNewest: false,
    lower: undefined,
    emptyCloses: [],
    failedWatches: 0,
    attempt: 0,
    watchListAfterMs,
  };
}

/** One step. Inputs that do not belong to the phase are a mistake of the caller and throw. */
export function stepReflector(state: ReflectorState, input: ReflectorInput, rules: ReflectorRules): ReflectorStep {
  const { phase } = state;
  switch (input.kind) {
    case "start":
      if (phase.kind === "empty") return list(state, input, rules);
      break;
    case "waited":
      if (phase.kind === "backing-off") return phase.next === "list" ? list(state, input, rules) : watch(state, input, rules);
      break;
    case "asked":
      if (phase.kind === "backing-off") return list({ ...state, wantsNewest: true }, input, rules);
      break;
    case "listed":
      if (phase.kind === "listing") return listed(state, phase.by, input, rules);
      break;
    case "list-failed":
      if (phase.kind === "listing") return listFailed(state, phase, input, rules);
      break;
    case "watch-list-incomplete":
      if (phase.kind === "listing" && phase.by === "watch-list") return putOffWatchList(state, incompletePutOffMs, input, rules);
      break;
    case "progressed":
      if (phase.kind === "watching") return [moved(state, input.version), []];
      break;
    case "watch-ended":
      if (phase.kind === "watching") return watchEnded(state, phase.sinceMs, input, rules);
      break;
  }
  throw new Error(`a reflector that is ${phase.kind} cannot be told "${input.kind}"`);
}

function moved(state: ReflectorState, version: string): ReflectorState {
  const isOlder = compareResourceVersions(version, state.version) === -1;
  return { ...state, version: isOlder ? state.version : version, emptyCloses: [], failedWatches: 0 };
}

type Moment = Pick<ReflectorInput, "nowMs" | "chance">;

function list(state: ReflectorState, at: Moment, rules: ReflectorRules, form?: ListForm): ReflectorStep {
  const by = form ?? (at.nowMs >= state.watchListAfterMs ? "watch-list" : "pages");
  const resourceVersion = state.wantsNewest ? "" : state.version !== "" ? state.version : by === "pages" ? rules.firstVersion : "";
  return [
    { ...state, phase: { kind: "listing", by, sinceMs: at.nowMs, resourceVersion } },
    [{ kind: "list", by, resourceVersion, timeoutSeconds: timeoutSeconds(at, rules) }],
  ];
}

function watch(state: ReflectorState, at: Moment, rules: ReflectorRules): ReflectorStep {
  return [
    { ...state, phase: { kind: "watching", sinceMs: at.nowMs } },
    [{ kind: "watch", resourceVersion: state.version, timeoutSeconds: timeoutSeconds(at, rules) }],
  ];
}

/** At random, so that a thousand watches do not end together. */
function timeoutSeconds({ chance }: Moment, { watchTimeoutMinSeconds }: ReflectorRules): number {
  const least = Math.max(5 * 60, watchTimeoutMinSeconds);
  return Math.floor(least * (1 + chance));
}

/** Waits one step of the backoff, or longer when the server asks for it, up to five minutes. */
function backOff(state: ReflectorState, next: "list" | "watch", at: Moment, retryAfterMs = 0): ReflectorStep {
  const base = Math.min(backoffMs * 2 ** state.attempt, backoffMaxMs);
  const [waiting, effects] = pause(state, next, at, Math.max(base * (1 + at.chance), Math.min(retryAfterMs, retryAfterMaxMs)));
  // Beyond this the delay is flat, and a number that grows for years would stop being one.
  return [{ ...waiting, attempt: Math.min(state.attempt + 1, 16) }, effects];
}

function pause(state: ReflectorState, next: "list" | "watch", { nowMs }: Moment, delayMs: number): ReflectorStep {
  return [{ ...state, phase: { kind: "backing-off", untilMs: nowMs + delayMs, next } }, [{ kind: "wait", delayMs }]];
}

function listed(state: ReflectorState, by: ListForm, input: Moment & { readonly version: string }, rules: ReflectorRules): ReflectorStep {
  const { version, nowMs } = input;
  const isLower = compareResourceVersions(version, state.version) === -1;
  const lower = isLower ? { count: (state.lower?.count ?? 0) + 1, sinceMs: state.lower?.sinceMs ?? nowMs } : undefined;
  if (lower !== undefined && (lower.count < lowerListsMax || nowMs - lower.sinceMs < lowerListsMs)) {
    // Only the newest state can tell a server that lags from one that was put back.
    const [waiting, effects] = backOff({ ...state, lower, wantsNewest: true }, "list", input);
    return [waiting, [{ kind: "refused-list", version, have: state.version }, ...effects]];
  }
  const epoch: readonly ReflectorEffect[] = isLower ? [{ kind: "new-epoch", from: state.version, to: version }] : [];
  const current: ReflectorState = {
    ...state,
    version,
    epoch: state.epoch + epoch.length,
    hasSynced: true,
    wantsNewest: false,
    lower: undefined,
    emptyCloses: [],
    failedWatches: 0,
  };
  const replaced: readonly ReflectorEffect[] = [...epoch, { kind: "replace", version }];
  if (by === "watch-list") return [{ ...current, phase: { kind: "watching", sinceMs: nowMs } }, [...replaced, { kind: "follow" }]];
  const [watching, effects] = watch(current, input, rules);
  return [watching, [...replaced, ...effects]];
}

function listFailed(
  state: ReflectorState,
  phase: ReflectorPhase & { readonly kind: "listing" },
  input: Moment & { readonly failure: Failure },
  rules: ReflectorRules,
): ReflectorStep {
  const { failure } = input;
  switch (failure.kind) {
    case "expired":
    case "too-large":
      // The server cannot answer for that version; for the newest it can. Once: if that is refused in the same words,
      // it is a fault like others.
      if (phase.resourceVersion !== "") return list({ ...state, wantsNewest: true }, input, rules, phase.by);
      break;
    case "throttled":
      return backOff(state, "list", input, failure.retryAfterMs);
    case "unreachable":
      return backOff(state, "list", input);
    case "unsupported":
      if (phase.by === "watch-list") return putOffWatchList(state, unsupportedPutOffMs, input, rules);
      break;
    case "lost":
    case "silent":
    case "unwilling":
    case "protocol":
    case "asked":
    case "other":
      break;
  }
  return phase.by === "watch-list" ? list(state, input, rules, "pages") : backOff(state, "list", input, failure.retryAfterMs);
}

function putOffWatchList(state: ReflectorState, forMs: number, input: Moment, rules: ReflectorRules): ReflectorStep {
  const watchListAfterMs = input.nowMs + forMs;
  const [listing, effects] = list({ ...state, watchListAfterMs }, input, rules, "pages");
  return [listing, [{ kind: "watch-list-put-off", untilMs: watchListAfterMs }, ...effects]];
}

function watchEnded(
  before: ReflectorState,
  sinceMs: number,
  input: Moment & { readonly progressed: boolean; readonly failure: Failure | undefined },
  rules: ReflectorRules,
): ReflectorStep {
  const { nowMs, progressed, failure } = input;
  const livedMs = nowMs - sinceMs;
  const inGoodOrder = failure === undefined && progressed && livedMs >= veryShortMs;
  const hasLasted = livedMs >= healthyMs;
  // Silence is no success, but it has cost time enough: where nothing happens and no bookmarks come, growing pauses
  // would make us blind for longer and longer.
  const isSuccess = inGoodOrder || (hasLasted && failure?.kind !== "silent");
  const state = { ...before, attempt: inGoodOrder || hasLasted ? 0 : before.attempt, failedWatches: isSuccess ? 0 : before.failedWatches };
  // From no version there is no way on: what happened meanwhile, deletions above all, would be lost.
  if (!isKnown(state.version) && failure?.kind !== "asked") return backOff(state, "list", input, failure?.retryAfterMs);
  if (failure === undefined) return watchClosed(state, livedMs, input, rules);
  switch (failure.kind) {
    case "asked":
      return list({ ...state, wantsNewest: true }, input, rules);
    case "throttled":
      return backOff(state, "watch", input, failure.retryAfterMs);
    case "unreachable":
      return backOff(state, "watch", input);
    case "silent":
      return progressed ? pause(state, "watch", input, input.chance * backoffMs) : failedWatch(state, input, 0);
    case "lost":
      // A stream that worked and broke: go on from where it was, soon, but not all streams of a server at the same moment.
      if (livedMs >= emptyCloseWindowMs || (progressed && livedMs >= veryShortMs))
        return pause(state, "watch", input, input.chance * backoffMs);
      return failedWatch(state, input, 0);
    case "unwilling":
      return failedWatch(state, input, failure.retryAfterMs);
    case "expired":
    case "too-large":
    case "unsupported":
    case "protocol":
    case "other":
      break;
  }
  return backOff(state, "list", input, failure.retryAfterMs);
}

/** Whether a watch can begin where another ended; servers without versions give none. */
const isKnown = (version: string): boolean => version !== "" && version !== "0";

function watchClosed(
  state: ReflectorState,
  livedMs: number,
  input: Moment & { readonly progressed: boolean },
  rules: ReflectorRules,
): ReflectorStep {
  const { nowMs, progressed } = input;
  if (!progressed && livedMs < emptyCloseWindowMs) {
    const emptyCloses = [...state.emptyCloses.filter((atMs) => nowMs - atMs <= emptyCloseWindowMs), nowMs];
    if (emptyCloses.length >= emptyClosesMax) return backOff({ ...state, emptyCloses: [], wantsNewest: true }, "list", input);
    return backOff({ ...state, emptyCloses }, "watch", input);
  }
  return livedMs < veryShortMs ? backOff(state, "watch", input) : watch(state, input, rules);
}

/** Watches that fail again and again may fail because of the version they ask for. */
function failedWatch(state: ReflectorState, input: Moment, retryAfterMs: number): ReflectorStep {
  const failedWatches = state.failedWatches + 1;
  if (failedWatches < failedWatchesMax) return backOff({ ...state, failedWatches }, "watch", input, retryAfterMs);
  return backOff({ ...state, failedWatches: 0, wantsNewest: true }, "list", input, retryAfterMs);
}
