/** Dates in HTTP headers: "Sun, 06 Nov 1994 08:49:37 GMT". */
import { formatTime, parseTime } from "@drover/machinery";

const days: readonly string[] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months: readonly string[] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const dayMs = 24 * 60 * 60 * 1000;
/** 1 January 1970 was a Thursday. */
const firstDay = 4;

/** Truncates fractions of a second. */
export function formatHttpDate(epochMs: number, zone: "GMT" | "UTC" = "GMT"): string {
  const [date = "", time = ""] = formatTime(epochMs).slice(0, -1).split("T");
  const [year = "", month = "", day = ""] = date.split("-");
  const weekday = (((Math.floor(epochMs / dayMs) + firstDay) % 7) + 7) % 7;
  return `${days[weekday] ?? ""}, ${day} ${months[Number(month) - 1] ?? ""} ${year} ${time} ${zone}`;
}

/** Undefined for malformed dates. */
export function parseHttpDate(text: string): number | undefined {
  const [, day, month = "", year, time] =
    /^(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat), (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d:\d\d) GMT$/.exec(text) ?? [];
  const at = months.indexOf(month);
  if (at === -1) return undefined;
  try {
    return parseTime(`${year ?? ""}-${String(at + 1).padStart(2, "0")}-${day ?? ""}T${time ?? ""}Z`);
  } catch {
    return undefined;
  }
}

/** Returns the same date and time one year later; 29 February becomes 1 March. */
export function yearLater(epochMs: number): number {
  const text = formatTime(epochMs);
  const year = String(Number(text.slice(0, 4)) + 1).padStart(4, "0");
  const rest = text.slice(4);
  const isLeapDay = rest.startsWith("-02-29");
  return parseTime(`${year}${isLeapDay ? rest.replace("-02-29", "-03-01") : rest}`);
}
