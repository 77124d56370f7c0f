/** Whether a callback returned a promise. */

/** Whether the value has a `then` that can be read: a promise of this realm or another, or of another library. Never throws. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (typeof value !== "object" || value === null) return false;
  try {
    return "then" in value && typeof value.then === "function";
  } catch {
    return false;
  }
}
