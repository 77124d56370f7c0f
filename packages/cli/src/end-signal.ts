/** Ctrl-C, and the other ways in which a program is asked to end. */

/** What of a process is needed here. */
export interface SignalSource {
  on(signal: "SIGINT" | "SIGTERM" | "SIGHUP", listener: () => void): unknown;
}

/** Aborts when the process is asked to end. Being asked again changes nothing: the end takes a few seconds at most, and a terminal and `npm` both ask. */
export function endSignal(source: SignalSource): AbortSignal {
  const ending = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) source.on(signal, () => ending.abort());
  return ending.signal;
}
