/** Thrown for an invalid quantity, duration, time or int-or-string. The message is exactly the API server's. */
export class ValueSyntaxError extends Error {
  override readonly name: string = "ValueSyntaxError";
}
