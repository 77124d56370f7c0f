/**
 * Learns how long connections may lie unused. A proxy on the way may close them earlier than we would, and a write that
 * is sent at that very
 * moment has an unknown outcome; whoever has seen it a few times lets go earlier by itself.
 *
 *     idle connection closed by the other side → closedWhileIdle → how long an idle connection may still be used
 */

export interface IdleLimitState {
  /** How long a connection may have been idle and still be used. */
  readonly limitMs: number;
  /** After how long the last ones were closed, as far as these times are alike. */
  readonly closedAfterMs: readonly number[];
  /** When the last one was closed. */
  readonly lastMs: number;
}

/** So often it must have happened. */
const timesNeeded = 3;
/** Times are alike when each is at least this part of the longest. */
const alike = 0.8;
/** The part of the shortest that is still trusted. */
const trusted = 0.8;
/** A server that goes away closes everything at once: closes within this time count as one, and what was idle for less teaches nothing. */
const atOnceMs = 1000;

/** Nothing learned yet. */
export function idleLimit(limitMs: number): IdleLimitState {
  return { limitMs, closedAfterMs: [], lastMs: -Infinity };
}

/** The other side closed an idle connection. The limit only ever falls: no connection outlives it to prove it wrong. */
export function closedWhileIdle(
  state: IdleLimitState,
  { idleSinceMs, closedMs }: { readonly idleSinceMs: number; readonly closedMs: number },
): IdleLimitState {
  const idleMs = closedMs - idleSinceMs;
  if (idleMs < atOnceMs || closedMs - state.lastMs < atOnceMs) return state;
  const times = [...state.closedAfterMs, idleMs];
  const isAlike = Math.min(...times) >= Math.max(...times) * alike;
  const closedAfterMs = isAlike ? times : [idleMs];
  if (closedAfterMs.length < timesNeeded) return { ...state, closedAfterMs, lastMs: closedMs };
  return { limitMs: Math.min(state.limitMs, Math.min(...closedAfterMs) * trusted), closedAfterMs: [], lastMs: closedMs };
}
