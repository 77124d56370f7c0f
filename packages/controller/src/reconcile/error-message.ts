/** What was thrown, in words: people throw anything. */

/** Never throws, and is never empty for an `Error`. */
export function errorMessage(error: unknown): string {
  if (error instanceof Error) return error.message === "" ? error.name : error.message;
  try {
    return String(error);
  } catch {
    return "something that cannot be printed";
  }
}
