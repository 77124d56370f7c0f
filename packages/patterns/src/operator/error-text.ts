/** What went wrong, in words short enough for a condition or an event. */

const charactersMax = 1000;

/** What is beyond a thousand characters is cut off. Never throws and is never empty. */
export function errorText(error: unknown): string {
  const text = textOf(error);
  return text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text;
}

function textOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "" && error.errors.length > 0) return error.errors.map(textOf).join("; ");
  if (error instanceof Error) return error.message === "" ? error.name : error.message;
  try {
    return String(error) || "an error without words";
  } catch {
    return "something that cannot be printed";
  }
}
