/** Formats durations for people. */
import { humanDuration } from "@drover/machinery";

/** Returns "0.2 ms", "34 ms", "1.5 s" or "5m32s". */
export function durationText(ms: number): string {
  if (ms >= 120_000) return humanDuration(ms);
  if (ms >= 1000) return `${Math.round(ms / 100) / 10} s`;
  return `${ms >= 10 ? Math.round(ms) : Math.round(ms * 10) / 10} ms`;
}
