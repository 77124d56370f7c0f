/** Objects that are looked at, not touched. */

/** `T` with every field and every list read-only, all the way down. Functions and primitives stay as they are. */
export type DeepReadonly<T> = T extends (...args: never[]) => unknown ? T
  : T extends readonly (infer E)[] ? readonly DeepReadonly<E>[]
  : T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
  : T;
