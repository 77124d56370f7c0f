/** The mark of logs and metrics registries that never throw, so that nothing needs to guard them. */

/** Mark of logs and registries that never throw. The same in every copy of the package. */
const mark = Symbol.for("drover.dev/NeverThrows");

/** Marks a log or a registry that never throws, so that `guardRuntime` leaves it alone. Copies made by spreading have no mark. */
export function neverThrows<T extends object>(value: T): T {
  return Object.defineProperty(value, mark, { value });
}

/** The mark is the value itself: a proxy of a marked value may throw. */
export const isNeverThrowing = (value: object): boolean => (value as { readonly [mark]?: unknown })[mark] === value;
