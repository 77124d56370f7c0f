/** Error texts short enough for a condition or an Event. */
import { errorSentence } from "@drover/machinery";

const charactersMax = 1000;

/** Returns the error and its causes in one line, cut after 1000 characters. Never throws and never returns an empty text. */
export function errorText(error: unknown): string {
  const text = errorSentence(error);
  return text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text;
}
