/**
 * What quantity, duration, time and int-or-string throw when a text is not one of theirs. The message is, to the byte, the one
 * the API server would print.
 */
export class ValueSyntaxError extends Error {
  override readonly name: string = "ValueSyntaxError";
}
