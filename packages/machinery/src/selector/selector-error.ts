/** A text that is no selector, or a requirement that cannot hold; the message is the one the API server answers with. */
export class SelectorError extends Error {
  override readonly name = "SelectorError";
}
