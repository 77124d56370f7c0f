/**
 * Warnings of the server, sent with a successful response ("v1beta1 is deprecated").
 *
 *     HttpResponse.headers.warning → parseWarnings → a WarningHandler
 */
import type { HttpHeaders, Log } from "@drover/machinery";

/** One warning of the server. */
export interface Warning {
  /** 299 for all warnings of the API server. */
  readonly code: number;
  /** Origin of the warning, mostly "-". */
  readonly agent: string;
  readonly text: string;
}

/** Called with each warning of a response, in order. */
export type WarningHandler = (warning: Warning) => void;

/** Ignores warnings. */
export const noWarnings: WarningHandler = () => undefined;

/** Logs warnings with code 299, level "warn". */
export function warningLogger(log: Log): WarningHandler {
  return ({ code, text }) => {
    if (code === 299 && text !== "") log.warn(`Warning: ${text}`);
  };
}

/** Passes the warnings of a response to the handler and returns them. Logs what the handler throws. */
export function handleWarnings(headers: HttpHeaders, handler: WarningHandler, log: Log): readonly Warning[] {
  const { warning } = headers;
  if (warning === undefined) return [];
  const warnings = parseWarnings(warning);
  for (const each of warnings) {
    try {
      handler(each);
    } catch (error) {
      log.error("a warning handler failed", { error, warning: each.text });
    }
  }
  return warnings;
}

// `299 - "text" "date"`: the date is optional. Quoted text escapes with a backslash.
const form = /^\s*(\d{3}) ([^\s"\p{Cc}]+) "((?:[^"\\]|\\.)*)"\s*(?:"[^"]*"\s*)?(?:,\s*|$)/su;
const control = /\p{Cc}/u;

/** Parses `Warning` headers; one may contain several, separated by commas. Drops the rest of a header after a malformed warning. */
export function parseWarnings(header: string | readonly string[]): readonly Warning[] {
  const warnings: Warning[] = [];
  for (const value of typeof header === "string" ? [header] : header) {
    let rest = value;
    for (let found = form.exec(rest); found !== null; found = form.exec(rest)) {
      const [{ length }, code = "", agent = "", quoted = ""] = found;
      const text = quoted.replaceAll(/\\(.)/gsu, "$1");
      if (control.test(text)) break;
      warnings.push({ code: Number(code), agent, text });
      rest = rest.slice(length);
    }
  }
  return warnings;
}
