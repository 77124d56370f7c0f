/**
 * Warnings of the server: it did what was asked and has something to say about it ("v1beta1 is deprecated").
 *
 *     HttpResponse.headers.warning → parseWarnings → a WarningHandler
 */
import type { HttpHeaders, Log } from "@drover/machinery";

/** Something the server has to say besides its answer. */
export interface Warning {
  /** 299 for everything the API server says. */
  readonly code: number;
  /** Who says it, "-" mostly. */
  readonly agent: string;
  readonly text: string;
}

/** Is told each warning of an answer, in order. */
export type WarningHandler = (warning: Warning) => void;

/** Says nothing to anybody. */
export const noWarnings: WarningHandler = () => undefined;

/** Writes warnings with code 299 to the log, level "warn". */
export function warningLogger(log: Log): WarningHandler {
  return ({ code, text }) => {
    if (code === 299 && text !== "") log.warn(`Warning: ${text}`);
  };
}

/** Hands the warnings of an answer to the handler and gives them back. What the handler throws is logged and does not spoil the answer. */
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

/**
 * Reads `Warning` headers; one may hold several, separated by commas. From the first that is malformed the rest of its
 * header is dropped.
 */
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
