/** What an event or a condition says of an error. */

/** Its message, which of a refusal is the server's own. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
