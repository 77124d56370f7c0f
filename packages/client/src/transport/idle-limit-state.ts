/**
 * Learns how long connections may be idle. A proxy may close idle connections earlier than we do, and a write sent at that
 * moment has an unknown outcome. After a few such closes, the limit is lowered.
 *
 *     idle connection closed by the other side → closedWhileIdle → how long an idle connection may still be used
 */

export interface IdleLimitState {
  /** Maximum idle time of a connection that may still be used. */
  readonly limitMs: number;
  /** Idle times of the connections closed last, as far as they are similar. */
  readonly closedAfterMs: readonly number[];
  /** When the last one was closed. */
  readonly lastMs: number;
}

/** Number of closes required. */
const timesNeeded = 3;
/** Times are similar if each is at least this fraction of the longest. */
const alike = 0.8;
/** Fraction of the shortest time that is still trusted. */
const trusted = 0.8;
/** A server that shuts down closes everything at once: closes within this time count as one, and shorter idle times are ignored. */
const atOnceMs = 1000;

/** The initial state. */
export function idleLimit(limitMs: number): IdleLimitState {
  return { limitMs, closedAfterMs: [], lastMs: -Infinity };
}

/** The other side closed an idle connection. The limit only falls: no connection lives long enough to disprove it. */
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
