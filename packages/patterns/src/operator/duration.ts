/** Durations as authors write them: milliseconds, or "90s", "10m", "1h30m". */
import { logValue, parseDuration } from "@drover/machinery";
import { MistakeError } from "./mistake-error.ts";

type Unit = "ms" | "s" | "m" | "h";

/** Milliseconds, or numbers with units. The type checks up to two units; more are accepted at run time. */
export type Duration = number | `${number}${Unit}` | `${number}${"h" | "m" | "s"}${number}${Unit}`;

/** Converts to milliseconds. Throws `MistakeError` for an invalid duration. */
export function durationMs(duration: Duration, where: string): number {
  const ms = typeof duration === "number" ? duration : parsed(duration);
  if (ms !== undefined && ms >= 0 && ms < Infinity) return ms;
  throw new MistakeError({
    where,
    what: `${JSON.stringify(logValue(duration)).slice(0, 80)} is not a valid duration`,
    fix: 'a number and a unit (ms, s, m, h), as in "10m" or "1h30m"; a bare number is milliseconds; a day is "24h"',
  });
}

function parsed(text: unknown): number | undefined {
  try {
    return typeof text === "string" ? parseDuration(text) : undefined;
  } catch {
    return undefined;
  }
}
