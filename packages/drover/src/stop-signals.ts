/**
 * Turns SIGINT and SIGTERM into an AbortSignal.
 *
 *     SIGINT, SIGTERM → stopSignal() → manager.run(signal)
 *
 * Unhandled rejections still end the process with code 1, as is Node's default. To shut down in order instead, abort
 * your own signal in `process.on("unhandledRejection", …)`.
 */

/** The part of `process` that is used. */
export interface SignalHost {
  on(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
  listeners(signal: "SIGINT" | "SIGTERM"): readonly unknown[];
  exit(code: number): void;
}

/** Marks our listener, so that later calls, also from another copy of this file, find it. */
const mark = Symbol.for("drover.stopSignal");

/**
 * Returns a signal that aborts on the first SIGINT or SIGTERM; the second exits immediately with code 1. Installs its
 * listeners once per process and returns the same signal on every call.
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
        else controller.abort(new DOMException(`the process received ${name}`, "AbortError"));
      },
      { [mark]: controller.signal },
    );
  for (const name of ["SIGINT", "SIGTERM"] as const) host.on(name, listenerFor(name));
  return controller.signal;
}

function isOurs(listener: unknown): listener is { readonly [mark]: AbortSignal } {
  return typeof listener === "function" && mark in listener;
}
