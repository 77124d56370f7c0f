/** Waits for the end of a signal. */
import { abortable } from "@drover/machinery";

/** Resolves when the signal aborts. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return abortable(new Promise<never>(() => undefined), signal).catch(() => undefined);
}
