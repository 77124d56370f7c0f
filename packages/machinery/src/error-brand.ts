/**
 * Recognises errors of one class, also those that another copy of the package created: two copies have two classes, so
 * `instanceof` knows only its own, and a name such as "ApiError" is taken by other libraries too.
 *
 *     const brand = errorBrand<ApiError>("ApiError");
 *     export class ApiError extends Error { static { brand.mark(this); } }
 *     export const isApiError = (error: unknown): error is ApiError => brand.is(error);
 */

/** The mark of one error class. */
export interface ErrorBrand<E extends Error> {
  /** Marks all instances of a class. Call it in a static block of the class. */
  mark(type: { readonly prototype: E }): void;
  /** Reports whether the value is an instance of the class, in any copy of the package. Never throws. */
  is(value: unknown): value is E;
}

/** Returns the mark for the class of this name. The same name gives the same mark in every copy and every realm. */
export function errorBrand<E extends Error>(name: string): ErrorBrand<E> {
  const mark = Symbol.for(`drover.dev/${name}`);
  return {
    // On the prototype: neither a log nor a comparison of two errors shows it. Not `true`, which some proxies return for every key.
    mark: ({ prototype }) => void Object.defineProperty(prototype, mark, { value: name }),
    is: (value): value is E => {
      if (typeof value !== "object" || value === null) return false;
      try {
        return (value as { readonly [key: symbol]: unknown })[mark] === name;
      } catch {
        // A proxy that is revoked or whose traps throw.
        return false;
      }
    },
  };
}
