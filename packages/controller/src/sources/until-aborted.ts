/** For what lives as long as it is wanted. */
import { abortable } from "@drover/machinery";

/** Resolves when the signal is aborted. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return abortable(new Promise<never>(() => undefined), signal).catch(() => undefined);
}
