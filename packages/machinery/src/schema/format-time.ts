/** The formats date, date-time and duration. */
import { daysInMonth } from "../values/calendar.ts";
import { parseDurationNanos } from "../values/duration.ts";

/** `2006-01-02`, an existing day. */
export function isDate(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false;
  const month = Number(text.slice(5, 7));
  const day = Number(text.slice(8));
  return month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(Number(text.slice(0, 4)), month);
}

const plainDateTime = /^[0-9-]{10}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$/;

/** `2006-01-02T15:04:05Z` in any case, with a fraction or an offset. Like the server, ignores everything after a second "t". */
export function isDateTime(text: string): boolean {
  if (plainDateTime.test(text)) return isDate(text.slice(0, 10));
  const [date = "", time = ""] = text.toLowerCase().split("t", 2);
  const [, hour = "", minute = "", second = ""] =
    /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[^\n][0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/u.exec(time) ?? [];
  return hour !== "" && hour <= "23" && minute <= "59" && second <= "59" && isDate(date);
}

/** `1h30m` as in Go, or any text that contains a number and a unit in words: "2 weeks", "about 3 days". */
export function isDuration(text: string): boolean {
  return hasWorded(text) || isGoDuration(text);
}

function isGoDuration(text: string): boolean {
  try {
    parseDurationNanos(text);
    return true;
  } catch {
    return false;
  }
}

const worded = /^(?:ns|us|\u00b5s|ms|s|m|h|hr|d|w|wk|nano.*|micro.*|milli.*|sec.*|min.*|hour.*|day.*|week.*)$/;
const wholeMax = 2n ** 63n - 1n;

function hasWorded(text: string): boolean {
  let found = false;
  for (const [, digits = "", unit = ""] of text.matchAll(/([0-9]+)[\t\n\f\r ]*([A-Za-z\u00b5]+)/g)) {
    if (digits.length > 18 && BigInt(digits.slice(0, 4000)) > wholeMax) return false;
    found ||= worded.test(unit.toLowerCase());
  }
  return found;
}
