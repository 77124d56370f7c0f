import { expect, it } from "vitest";
import { endSignal } from "./end-signal.ts";

it("endSignal aborts on every termination signal, ignores a repetition within a second, and exits immediately on a later one", () => {
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    const listeners = new Map<string, () => void>();
    let nowMs = 0;
    let hurried = 0;
    const signal = endSignal({ on: (event, listener) => listeners.set(event, listener) }, { hurry: () => hurried++, now: () => nowMs });
    expect(signal.aborted).toBe(false);
    listeners.get(name)?.();
    listeners.get("SIGINT")?.();
    expect([signal.aborted, hurried]).toEqual([true, 0]);
    nowMs = 1100;
    listeners.get("SIGINT")?.();
    expect(hurried).toBe(1);
  }
});
