import { expect, it } from "vitest";
import { endSignal } from "./end-signal.ts";

it("aborts when the process is asked to end, in whichever way, and is not disturbed by being asked again", () => {
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    const listeners = new Map<string, () => void>();
    const signal = endSignal({ on: (event, listener) => listeners.set(event, listener) });
    expect(signal.aborted).toBe(false);
    listeners.get(name)?.();
    listeners.get("SIGINT")?.();
    expect(signal.aborted).toBe(true);
  }
});
