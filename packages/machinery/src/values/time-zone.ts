/** Time zones by name, as the platform knows them: how far a zone is from UTC at a moment. Pure: the moment is handed in. */
import { dayNumber } from "./calendar.ts";

/** A zone with its history. */
export interface TimeZone {
  /** How many milliseconds its clocks are ahead of UTC at this moment, which is in milliseconds since 1970. */
  readonly offsetAt: (epochMs: number) => number;
}

const utc: TimeZone = { offsetAt: () => 0 };

/** Whether the platform knows the zone under just this name; it would also take others that differ in case, and bare offsets. */
export function isTimeZone(name: string): boolean {
  return name === "Local" || timeZoneOf(name) !== undefined;
}

/** The zone of this name, spelled as the database of zones spells it; "" is UTC. Undefined when there is none. */
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
    // An alias resolves to another name; only one that resolves to itself shows how it is spelled.
    if (timeZone !== name && timeZone.toLowerCase() === name.toLowerCase()) return undefined;
    return { offsetAt: (epochMs) => wallSeconds(format.formatToParts(epochMs)) * 1000 - Math.floor(epochMs / 1000) * 1000 };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** What clocks on the wall show, counted as if it were UTC. */
function wallSeconds(parts: readonly Intl.DateTimeFormatPart[]): number {
  const read = new Map(parts.map(({ type, value }) => [type, value]));
  const number = (type: Intl.DateTimeFormatPartTypes): number => Number(read.get(type));
  const year = read.get("era") === "BC" ? 1 - number("year") : number("year");
  const days = dayNumber({ year, month: number("month"), day: number("day") });
  return days * 86_400 + number("hour") * 3600 + number("minute") * 60 + number("second");
}
