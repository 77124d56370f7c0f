/**
 * From the signals of the operating system to the one that everything here understands.
 *
 *     SIGINT, SIGTERM → stopSignal() → manager.run(signal)
 *
 * Node ends a process whose promise was rejected and not handled, with code 1 and the error on the standard error;
 * nothing here changes that. A program
 * that would rather end in order does so in `process.on("unhandledRejection", …)`, where it aborts a signal of its own.
 */

/** As much of `process` as is needed. */
export interface SignalHost {
  on(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
  listeners(signal: "SIGINT" | "SIGTERM"): readonly unknown[];
  exit(code: number): void;
}

/** Marks our listener, so that a second call, also one by another copy of this file, finds the first. */
const mark = Symbol.for("drover.stopSignal");

/**
 * A signal that is aborted by the first SIGINT or SIGTERM; the second ends the process with code 1, at once. The
 * listeners are installed once in
 * a process: whoever asks again gets the same signal.
 */
export function stopSignal(host: SignalHost = process): AbortSignal {
  for (const listener of host.listeners("SIGTERM")) {
    if (isOurs(listener)) return listener[mark];
  }
  const controller = new AbortController();
  const listenerFor = (name: string): (() => void) =>
    Object.assign(
      () => {
        if (controller.signal.aborted) host.exit(1);
        else controller.abort(new DOMException(`the process was told to stop by ${name}`, "AbortError"));
      },
      { [mark]: controller.signal },
    );
  for (const name of ["SIGINT", "SIGTERM"] as const) host.on(name, listenerFor(name));
  return controller.signal;
}

function isOurs(listener: unknown): listener is { readonly [mark]: AbortSignal } {
  return typeof listener === "function" && mark in listener;
}
