/** Ctrl-C, and the other ways in which a program is asked to end. */

/** What of a process is needed here. */
export interface SignalSource {
  on(signal: "SIGINT" | "SIGTERM" | "SIGHUP", listener: () => void): unknown;
}

export interface EndSignalOptions {
  /** Ends the process at once: somebody asked again. */
  readonly hurry: () => void;
  /** Milliseconds that never go back. */
  readonly now: () => number;
}

/** A terminal asks, and `npm` asks once more when it gets round to it, which may take a busy machine a while. */
const sameMomentMs = 1000;

/** Aborts when the process is asked to end. Whoever asks again, a second later, does not want to wait. */
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
