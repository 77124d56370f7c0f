/**
 * State machine of a reflector: decides what to do next. It is pure; `reflector.ts` does the waiting.
 *
 *     empty → listing (watch-list, else pages) → watching ⇄ backing off
 *     empty, with the state of an earlier process → probing → watching, if nothing has changed; else catching up → watching
 *
 * Guarantees, checked over every short sequence of inputs in reflector-state-model.test.ts: every state has a next action; the version
 * never decreases within an epoch; there is one request at a time.
 *
 * A stream that has made progress is resumed within 0.8 s, however short it was: longer delays would only make the cache stale. The
 * backoff of others (0.8 s, doubling to 30 s, with jitter of up to 100 %) is reset by a success: a stream that lasted two minutes, or one
 * of a second with progress. A list alone is not a success; otherwise a server whose lists work and whose watches
 * fail would be listed every second. A server that cannot be reached is tried every 0.4 to 0.8 s for half a minute before the delays
 * grow: it is probably restarting, and a connection that it refuses costs it nothing.
 */
import { compareResourceVersions } from "@drover/machinery";
import type { Failure } from "./reflector-failure.ts";

/** Phase of the reflector. All times are monotonic milliseconds. */
export type ReflectorPhase =
  | { readonly kind: "empty" }
  | { readonly kind: "probing" }
  | { readonly kind: "catching-up" }
  | { readonly kind: "listing"; readonly by: ListForm; readonly sinceMs: number; readonly resourceVersion: string }
  | { readonly kind: "watching"; readonly sinceMs: number }
  | { readonly kind: "backing-off"; readonly untilMs: number; readonly next: NextRequest };

/** What a backoff is followed by. */
type NextRequest = "list" | "watch" | "probe";

/** How the whole state is fetched: as a watch-list, or as a list in pages. */
export type ListForm = "watch-list" | "pages";

export interface ReflectorState {
  readonly phase: ReflectorPhase;
  /** Resource version up to which the state is complete; "" before the first list. */
  readonly version: string;
  /** Version of the state of an earlier process, before it is used. */
  readonly kept: string | undefined;
  /** Number of times the history of the server started again. */
  readonly epoch: number;
  readonly hasSynced: boolean;
  /** Whether the next list requests the newest state instead of one not older than `version`. */
  readonly wantsNewest: boolean;
  /** Consecutive lists older than `version`. */
  readonly lower: { readonly count: number; readonly sinceMs: number } | undefined;
  /** When watches closed without an event. */
  readonly emptyCloses: readonly number[];
  /** Consecutive watches that failed without progress, except those that reached no server. */
  readonly failedWatches: number;
  /** Steps of the backoff since the last success. */
  readonly attempt: number;
  /** Consecutive requests that reached no server, up to the number that is retried soon. */
  readonly unreached: number;
  /** Time before which watch-list is not tried. */
  readonly watchListAfterMs: number;
}

export interface ReflectorRules {
  /** Version of the first paged list: "" is the newest, "0" any version that the server has cached, as in client-go. */
  readonly firstVersion: "" | "0";
  /** Minimum requested duration of a watch; each requests up to twice as long, at random. At least 300. */
  readonly watchTimeoutMinSeconds: number;
}

/** What happened, with the time and a random number in [0, 1). */
export type ReflectorInput = { readonly nowMs: number; readonly chance: number } & (
  | { readonly kind: "waited" }
  /** `kept` is the version of the state of an earlier process. */
  | { readonly kind: "start"; readonly kept?: string }
  /** The server's current version, and whether it is the server of the kept state; `isShort`: listing is faster than catching up. */
  | { readonly kind: "probed"; readonly version: string; readonly isSameServer: boolean; readonly isShort: boolean }
  | { readonly kind: "probe-failed"; readonly failure: Failure }
  /** The watch has reached the version that the server had at the start. */
  | { readonly kind: "caught-up"; readonly version: string }
  /** The whole state was fetched. */
  | { readonly kind: "listed"; readonly version: string }
  | { readonly kind: "list-failed"; readonly failure: Failure }
  /** A watch-list ended or went silent before the bookmark that completes it. */
  | { readonly kind: "watch-list-incomplete" }
  /** Events or bookmarks were processed; `version` is that of the last one. */
  | { readonly kind: "progressed"; readonly version: string }
  /** The stream ended; without a failure, the server closed it normally. */
  | { readonly kind: "watch-ended"; readonly progressed: boolean; readonly failure: Failure | undefined }
  /** A relist was requested while no stream is open. */
  | { readonly kind: "asked" }
);

export type ReflectorEffect = ReflectorNotice | ReflectorAction;

/** Effects that take no time. */
export type ReflectorNotice =
  /** Pass the fetched state to the sink. `isNewEpoch`: the history may have started again, so equal versions do not prove equal content. */
  | { readonly kind: "replace"; readonly version: string; readonly isNewEpoch: boolean }
  /** Pass the kept state to the sink; it may be outdated. */
  | { readonly kind: "restore"; readonly version: string; readonly next: "watch" | "list" }
  /** The restored state is now as new as the server was at the start. */
  | { readonly kind: "caught-up" }
  /** The kept state cannot be used. */
  | { readonly kind: "drop-kept"; readonly why: string }
  /** The resource versions went back permanently: the server was restored from a backup, or is a different one. */
  | { readonly kind: "new-epoch"; readonly from: string; readonly to: string }
  /** A list was older than the current state and is dropped. */
  | { readonly kind: "refused-list"; readonly version: string; readonly have: string }
  | { readonly kind: "watch-list-put-off"; readonly untilMs: number };

/** What to do next; every step except "progressed" ends in exactly one. All except "follow" end the open stream. */
export type ReflectorAction =
  | { readonly kind: "list"; readonly by: ListForm; readonly resourceVersion: string; readonly timeoutSeconds: number }
  | { readonly kind: "watch"; readonly resourceVersion: string; readonly timeoutSeconds: number }
  /** Learn the current version of the server. */
  | { readonly kind: "probe" }
  /** Watch until a version is reached. */
  | { readonly kind: "catch-up"; readonly resourceVersion: string; readonly until: string; readonly timeoutSeconds: number }
  /** Continue with the open stream. */
  | { readonly kind: "follow" }
  | { readonly kind: "wait"; readonly delayMs: number };

/** Reports whether an effect takes time. */
export function isReflectorAction(effect: ReflectorEffect): effect is ReflectorAction {
  switch (effect.kind) {
    case "list":
    case "watch":
    case "follow":
    case "wait":
    case "probe":
    case "catch-up":
      return true;
    case "replace":
    case "restore":
    case "caught-up":
    case "drop-kept":
    case "new-epoch":
    case "refused-list":
    case "watch-list-put-off":
      break;
  }
  return false;
}

export type ReflectorStep = readonly [ReflectorState, readonly ReflectorEffect[]];

const backoffMs = 800;
const backoffMaxMs = 30_000;
/** Delay, up to twice as long, where the next attempt will probably succeed: a server that restarts, a stream that works but breaks. */
const soonMs = 400;
/** Retries of a server that cannot be reached: 24 to 48 s, before the backoff begins. */
const unreachedMax = 60;
/** Upper limit of a delay that the server requests. */
const retryAfterMaxMs = 5 * 60_000;
/** A stream that lasted this long is a success. */
const healthyMs = 2 * 60_000;
const veryShortMs = 1000;
/** This many watches closed without an event within this time mean that the server does not know our version. */
const emptyClosesMax = 3;
const emptyCloseWindowMs = 10_000;
/** Also ends a silence: a server restored from a backup sends nothing until it reaches our version again. */
const failedWatchesMax = 3;
/** This many older lists over at least this time are not caused by a server that lags behind. */
const lowerListsMax = 3;
const lowerListsMs = 10_000;
/** How long to avoid watch-list: a server without it may be upgraded, and a proxy that breaks it may be fixed. */
const unsupportedPutOffMs = 60 * 60_000;
const incompletePutOffMs = 10 * 60_000;
/** Servers send a bookmark two seconds before the end of a watch, so this one has it after a second, instead of a minute. */
const catchUpSeconds = 3;

/** Returns the initial state; `watchListAfterMs` is `Infinity` if the source does not support watch-list. */
export function initialReflectorState(watchListAfterMs: number): ReflectorState {
  return {
    phase: { kind: "empty" },
    version: "",
    kept: undefined,
    epoch: 0,
    hasSynced: false,
    wantsNewest: false,
    lower: undefined,
    emptyCloses: [],
    failedWatches: 0,
    attempt: 0,
    unreached: 0,
    watchListAfterMs,
  };
}

/** Performs one step. Throws for an input that does not fit the phase, which is a bug of the caller. */
export function stepReflector(state: ReflectorState, input: ReflectorInput, rules: ReflectorRules): ReflectorStep {
  const { phase } = state;
  switch (input.kind) {
    case "start":
      if (phase.kind === "empty") return input.kept === undefined ? list(state, input, rules) : probe({ ...state, kept: input.kept });
      break;
    case "waited":
      if (phase.kind === "backing-off") return resume(state, phase.next, input, rules);
      break;
    case "asked":
      if (phase.kind === "backing-off" && phase.next === "probe") return probe(state);
      if (phase.kind === "backing-off") return list({ ...state, wantsNewest: true }, input, rules);
      break;
    case "probed":
      if (phase.kind === "probing") return probed(state, input, rules);
      break;
    case "probe-failed":
      if (phase.kind === "probing") return probeFailed(state, input, rules);
      break;
    case "caught-up":
      if (phase.kind === "catching-up") return caughtUp(moved(state, input.version), input, rules);
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
      if (phase.kind === "watching" || phase.kind === "catching-up") return [moved(state, input.version), []];
      break;
    case "watch-ended":
      if (phase.kind === "catching-up") return catchUpEnded(state, input, rules);
      if (phase.kind === "watching") return watchEnded(state, phase.sinceMs, input, rules);
      break;
  }
  throw new Error(`reflector in phase ${phase.kind} received the unexpected input "${input.kind}"`);
}

function moved(state: ReflectorState, version: string): ReflectorState {
  const isOlder = compareResourceVersions(version, state.version) === -1;
  return { ...state, version: isOlder ? state.version : version, emptyCloses: [], failedWatches: 0 };
}

type Moment = Pick<ReflectorInput, "nowMs" | "chance">;

function resume(state: ReflectorState, next: NextRequest, at: Moment, rules: ReflectorRules): ReflectorStep {
  switch (next) {
    case "list":
      return list(state, at, rules);
    case "watch":
      return watch(state, at, rules);
    case "probe":
      break;
  }
  return probe(state);
}

const probe = (state: ReflectorState): ReflectorStep => [{ ...state, phase: { kind: "probing" } }, [{ kind: "probe" }]];

function probed(state: ReflectorState, input: ReflectorInput & { readonly kind: "probed" }, rules: ReflectorRules): ReflectorStep {
  const { version: until, isSameServer, isShort } = input;
  const { kept = "" } = state;
  if (!isSameServer) return dropKept(state, "it is of another server", input, rules);
  const order = compareResourceVersions(until, kept);
  if (order === undefined) return dropKept(state, "the versions of this server cannot be compared", input, rules);
  if (order === -1) return dropKept(state, "the server is at an older version: it was restored from a backup", input, rules);
  const restored: ReflectorState = { ...state, kept: undefined, version: kept, unreached: 0 };
  const then = ([next, effects]: ReflectorStep, by: "watch" | "list"): ReflectorStep => [
    next,
    [{ kind: "restore", version: kept, next: by }, ...effects],
  ];
  if (order === 0) return then(caughtUp(restored, input, rules), "watch");
  // Only the newest state is as new as the server is now. Its content is compared, because the snapshot proves nothing.
  if (isShort) return then(list({ ...restored, wantsNewest: true }, input, rules), "list");
  const action: ReflectorAction = { kind: "catch-up", resourceVersion: kept, until, timeoutSeconds: catchUpSeconds };
  return then([{ ...restored, phase: { kind: "catching-up" } }, [action]], "watch");
}

function dropKept(state: ReflectorState, why: string, at: Moment, rules: ReflectorRules): ReflectorStep {
  const [listing, effects] = list({ ...state, kept: undefined }, at, rules);
  return [listing, [{ kind: "drop-kept", why }, ...effects]];
}

function probeFailed(state: ReflectorState, input: Moment & { readonly failure: Failure }, rules: ReflectorRules): ReflectorStep {
  const { kind, retryAfterMs } = input.failure;
  if (kind === "unreachable") return backOffUnreached(state, "probe", input);
  if (kind === "throttled" || kind === "unwilling") return backOff({ ...state, unreached: 0 }, "probe", input, retryAfterMs);
  return dropKept({ ...state, unreached: 0 }, "the server cannot say its version", input, rules);
}

function caughtUp(state: ReflectorState, at: Moment, rules: ReflectorRules): ReflectorStep {
  const [watching, effects] = watch({ ...state, hasSynced: true }, at, rules);
  return [watching, [{ kind: "caught-up" }, ...effects]];
}

/** Lists: at once if the server has answered, because it does not know the version, or sends no bookmark in time. */
function catchUpEnded(
  state: ReflectorState,
  input: Moment & { readonly failure: Failure | undefined },
  rules: ReflectorRules,
): ReflectorStep {
  const newest = { ...state, wantsNewest: true };
  switch (input.failure?.kind) {
    case "unreachable":
      return backOffUnreached(newest, "list", input);
    case "throttled":
    case "unwilling":
      return backOff(newest, "list", input, input.failure.retryAfterMs);
    case undefined:
    case "expired":
    case "too-large":
    case "lost":
    case "silent":
    case "unsupported":
    case "protocol":
    case "asked":
    case "other":
      break;
  }
  return list(newest, input, rules);
}

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

/** Random, so that a thousand watches do not end at the same time. */
function timeoutSeconds({ chance }: Moment, { watchTimeoutMinSeconds }: ReflectorRules): number {
  const least = Math.max(5 * 60, watchTimeoutMinSeconds);
  return Math.floor(least * (1 + chance));
}

/** Waits one step of the backoff, or as long as the server requests, up to five minutes. */
function backOff(state: ReflectorState, next: NextRequest, at: Moment, retryAfterMs = 0): ReflectorStep {
  const base = Math.min(backoffMs * 2 ** state.attempt, backoffMaxMs);
  const [waiting, effects] = pause(state, next, at, Math.max(base * (1 + at.chance), Math.min(retryAfterMs, retryAfterMaxMs)));
  // The delay no longer grows here, so stop counting: the count must stay a safe number for years.
  return [{ ...waiting, attempt: Math.min(state.attempt + 1, 16) }, effects];
}

/** Retries soon while the server may be restarting, then backs off. */
function backOffUnreached(state: ReflectorState, next: NextRequest, at: Moment): ReflectorStep {
  if (state.unreached >= unreachedMax) return backOff(state, next, at);
  return pause({ ...state, unreached: state.unreached + 1 }, next, at, soonMs * (1 + at.chance));
}

function pause(state: ReflectorState, next: NextRequest, { nowMs }: Moment, delayMs: number): ReflectorStep {
  return [{ ...state, phase: { kind: "backing-off", untilMs: nowMs + delayMs, next } }, [{ kind: "wait", delayMs }]];
}

function listed(state: ReflectorState, by: ListForm, input: Moment & { readonly version: string }, rules: ReflectorRules): ReflectorStep {
  const { version, nowMs } = input;
  const isLower = compareResourceVersions(version, state.version) === -1;
  const lower = isLower ? { count: (state.lower?.count ?? 0) + 1, sinceMs: state.lower?.sinceMs ?? nowMs } : undefined;
  if (lower !== undefined && (lower.count < lowerListsMax || nowMs - lower.sinceMs < lowerListsMs)) {
    // Only the newest state distinguishes a server that lags from one that was restored.
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
    unreached: 0,
  };
  // The newest state is requested only when something was wrong with our version: also a restored server that has passed it by now.
  const replaced: readonly ReflectorEffect[] = [...epoch, { kind: "replace", version, isNewEpoch: isLower || state.wantsNewest }];
  if (by === "watch-list") return [{ ...current, phase: { kind: "watching", sinceMs: nowMs } }, [...replaced, { kind: "follow" }]];
  const [watching, effects] = watch(current, input, rules);
  return [watching, [...replaced, ...effects]];
}

function listFailed(
  before: ReflectorState,
  phase: ReflectorPhase & { readonly kind: "listing" },
  input: Moment & { readonly failure: Failure },
  rules: ReflectorRules,
): ReflectorStep {
  const { failure } = input;
  const state = { ...before, unreached: 0 };
  switch (failure.kind) {
    case "expired":
    case "too-large":
      // The server cannot serve that version, but can serve the newest. Try that once: if it fails the same way,
      // treat it like any other failure.
      if (phase.resourceVersion !== "") return list({ ...state, wantsNewest: true }, input, rules, phase.by);
      break;
    case "throttled":
      return backOff(state, "list", input, failure.retryAfterMs);
    case "unreachable":
      return backOffUnreached(before, "list", input);
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
  const isResumed = failure === undefined || failure.kind === "lost";
  const inGoodOrder = isResumed && progressed && livedMs >= veryShortMs;
  const hasLasted = livedMs >= healthyMs;
  // Silence is not a success, but has taken long enough: without events and bookmarks, a growing backoff would make
  // the cache stale for longer and longer.
  const isSuccess = inGoodOrder || (hasLasted && failure?.kind !== "silent");
  const attempt = inGoodOrder || hasLasted ? 0 : before.attempt;
  const state = { ...before, attempt, failedWatches: isSuccess ? 0 : before.failedWatches, unreached: 0 };
  // Without a version the watch cannot be resumed: events since then, above all deletions, would be lost.
  if (!isKnown(state.version) && failure?.kind !== "asked") return backOff(state, "list", input, failure?.retryAfterMs);
  if (failure === undefined) return watchClosed(state, livedMs, input, rules);
  switch (failure.kind) {
    case "asked":
      return list({ ...state, wantsNewest: true }, input, rules);
    case "throttled":
      return backOff(state, "watch", input, failure.retryAfterMs);
    case "unreachable":
      return backOffUnreached({ ...state, unreached: before.unreached }, "watch", input);
    case "silent":
      return progressed ? pause(state, "watch", input, input.chance * backoffMs) : failedWatch(state, input, 0);
    case "lost":
      // The stream worked and then broke: resume it soon, but not at the same moment as all other streams of the server.
      if (livedMs >= emptyCloseWindowMs || (progressed && livedMs >= veryShortMs))
        return pause(state, "watch", input, input.chance * backoffMs);
      return progressed ? resumeSoon(state, input) : failedWatch(state, input, 0);
    case "unwilling":
      return failedWatch(state, input, failure.retryAfterMs);
    case "expired":
      // As after every restart of a server without history: relist soon, but not at the same moment as all others. One failure before
      // does not count: a server that is stopping closes watches in good order, and drops the next ones.
      if (state.attempt <= 1) return pause({ ...state, attempt: state.attempt + 1 }, "list", input, input.chance * backoffMs);
      break;
    case "too-large":
    case "unsupported":
    case "protocol":
    case "other":
      break;
  }
  return backOff(state, "list", input, failure.retryAfterMs);
}

/** Reports whether a watch can resume from this version; servers without versions send none. */
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
  return livedMs < veryShortMs ? resumeSoon(state, input) : watch(state, input, rules);
}

/** A server that ends every stream after its first event cannot cause a hot loop, but the cache stays current. */
const resumeSoon = (state: ReflectorState, at: Moment): ReflectorStep => pause(state, "watch", at, soonMs * (1 + at.chance));

/** Watches that fail repeatedly may fail because of the version that they request. */
function failedWatch(state: ReflectorState, input: Moment, retryAfterMs: number): ReflectorStep {
  const failedWatches = state.failedWatches + 1;
  if (failedWatches < failedWatchesMax) return backOff({ ...state, failedWatches }, "watch", input, retryAfterMs);
  return backOff({ ...state, failedWatches: 0, wantsNewest: true }, "list", input, retryAfterMs);
}
