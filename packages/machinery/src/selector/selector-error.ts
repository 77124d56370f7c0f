/** An invalid selector or requirement; the message is the API server's. */
export class SelectorError extends Error {
  override readonly name = "SelectorError";
}
