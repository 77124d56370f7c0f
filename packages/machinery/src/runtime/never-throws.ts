/** The mark of logs and metrics registries that never throw, so that nothing needs to guard them. */

/** Mark of logs and registries that never throw. The same in every copy of the package. */
const mark = Symbol.for("drover.dev/NeverThrows");

/** Marks a log or a registry that never throws, so that `guardRuntime` leaves it alone. Copies made by spreading have no mark. */
export function neverThrows<T extends object>(value: T): T {
  // Configurable, or a proxy of it must not answer otherwise.
  return Object.defineProperty(value, mark, { value, configurable: true });
}

/** The mark is the value itself: a proxy of a marked value may throw. */
export function isNeverThrowing(value: object): boolean {
  try {
    return (value as { readonly [mark]?: unknown })[mark] === value;
  } catch {
    return false;
  }
}
