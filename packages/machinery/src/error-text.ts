/** Text of anything that can be thrown. */

/** Returns the message of an error, or any other value as text. Never throws. */
export function errorText(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "a value that cannot be printed";
  }
}
