/** Whether a callback returned a promise. */

/** Whether the value has a `then`: a promise of this realm or another, or of another library. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
