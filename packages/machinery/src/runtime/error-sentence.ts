/**
 * What failed and why, as one line for people.
 *
 *     error → errorSentence → "update pods/web-0: the object has been modified: …"
 */
import { errorCause, errorText, errorsOf } from "../error-text.ts";
import { isApiError } from "../errors/api-error.ts";

const causesMax = 5;
const errorsMax = 3;
const lengthMax = 1_000;

/**
 * Returns the message of an error, followed by those of its causes that it does not contain yet, without line breaks. A longer text is
 * cut at 1,000 characters. Never throws.
 */
export function errorSentence(error: unknown): string {
  let text = oneLine(ownText(error));
  let cause = errorCause(error);
  for (let depth = 0; depth < causesMax && cause !== undefined && text.length <= lengthMax; depth++) {
    const own = oneLine(ownText(cause));
    if (!text.includes(own)) text = `${text}: ${own}`;
    cause = errorCause(cause);
  }
  return text.length > lengthMax ? `${text.slice(0, lengthMax)}… ${text.length - lengthMax} more characters` : text;
}

function ownText(error: unknown): string {
  const text = errorText(error);
  if (isApiError(error)) return attempted(error.attempt, text);
  const parts = errorsOf(error, errorsMax + 1)
    .map(errorText)
    .filter((part) => !text.includes(part));
  if (parts.length === 0) return text;
  return `${text} (${parts.slice(0, errorsMax).join("; ")}${parts.length > errorsMax ? "; …" : ""})`;
}

const attempted = (attempt: unknown, text: string): string =>
  typeof attempt === "string" && attempt !== "" ? `${attempt}: ${text}` : text;

/** The fix of a mistake stands on a line of its own. */
const oneLine = (text: string): string =>
  text
    .split("\n", 20)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("; ");
