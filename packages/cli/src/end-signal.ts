/** Turns Ctrl-C and termination signals into an AbortSignal. */

/** The part of `process` that is used. */
export interface SignalSource {
  on(signal: "SIGINT" | "SIGTERM" | "SIGHUP", listener: () => void): unknown;
}

/** Options of `endSignal`. */
export interface EndSignalOptions {
  /** Exits immediately, on a repeated signal. */
  readonly hurry: () => void;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** A terminal signals the whole group, and `npm` forwards the signal again, possibly later on a busy machine. */
const sameMomentMs = 1000;

/** Returns a signal that aborts on the first SIGINT, SIGTERM or SIGHUP. Another one more than a second later exits immediately. */
export function endSignal(source: SignalSource, { hurry, now }: EndSignalOptions): AbortSignal {
  const ending = new AbortController();
  let askedAt: number | undefined;
  const ask = (): void => {
    if (askedAt === undefined) askedAt = now();
    else if (now() - askedAt > sameMomentMs) hurry();
    ending.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) source.on(signal, ask);
  return ending.signal;
}
