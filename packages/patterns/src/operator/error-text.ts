/** Error texts short enough for a condition or an Event. */

const charactersMax = 1000;

/** Returns the error's text, cut after 1000 characters. Never throws and never returns an empty text. */
export function errorText(error: unknown): string {
  const text = textOf(error);
  return text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text;
}

function textOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "" && error.errors.length > 0) return error.errors.map(textOf).join("; ");
  if (error instanceof Error) return error.message === "" ? error.name : error.message;
  try {
    return String(error) || "an error without a message";
  } catch {
    return "an error that cannot be printed";
  }
}
