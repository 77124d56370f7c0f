/**
 * Parses HTTP dates: "Wed, 21 Oct 2026 07:28:00 GMT". The two obsolete forms are not supported; no server of ours sends
 * them.
 */
import { parseTime } from "@drover/machinery";

const form = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT$/;
const months: readonly string[] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Milliseconds since 1970, or undefined for an invalid date. */
export function parseHttpDate(text: string): number | undefined {
  const [, day, month = "", year, time] = form.exec(text) ?? [];
  const number = months.indexOf(month) + 1;
  if (number === 0) return undefined;
  try {
    return parseTime(`${year}-${String(number).padStart(2, "0")}-${day}T${time}Z`);
  } catch {
    return undefined;
  }
}
