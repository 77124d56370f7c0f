/** Time zones by name, from the platform's database: the offset from UTC at a moment. Pure: the moment is a parameter. */
import { isInstanceOf } from "../error-text.ts";
import { dayNumber } from "./calendar.ts";

/** A zone with its history. */
export interface TimeZone {
  /** Returns how many milliseconds its clocks are ahead of UTC at a moment, given in milliseconds since 1970. */
  readonly offsetAt: (epochMs: number) => number;
}

const utc: TimeZone = { offsetAt: () => 0 };

/** Whether the platform knows the zone under exactly this name; it would also accept names that differ in case, and bare offsets. */
export function isTimeZone(name: string): boolean {
  return name === "Local" || timeZoneOf(name) !== undefined;
}

/** Returns the zone of this name, spelled as in the zone database; "" is UTC. Undefined for an unknown zone. */
export function timeZoneOf(name: string): TimeZone | undefined {
  if (name === "" || name === "UTC") return utc;
  if (/^[+-]/.test(name)) return undefined;
  try {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    const { timeZone } = format.resolvedOptions();
    // An alias resolves to another name; only a name that resolves to itself shows its spelling.
    if (timeZone !== name && timeZone.toLowerCase() === name.toLowerCase()) return undefined;
    return { offsetAt: (epochMs) => wallSeconds(format.formatToParts(epochMs)) * 1000 - Math.floor(epochMs / 1000) * 1000 };
  } catch (error) {
    if (isInstanceOf(error, RangeError)) return undefined;
    throw error;
  }
}

/** Wall clock time, counted as if it were UTC. */
function wallSeconds(parts: readonly Intl.DateTimeFormatPart[]): number {
  const read = new Map(parts.map(({ type, value }) => [type, value]));
  const number = (type: Intl.DateTimeFormatPartTypes): number => Number(read.get(type));
  const year = read.get("era") === "BC" ? 1 - number("year") : number("year");
  const days = dayNumber({ year, month: number("month"), day: number("day") });
  return days * 86_400 + number("hour") * 3600 + number("minute") * 60 + number("second");
}
