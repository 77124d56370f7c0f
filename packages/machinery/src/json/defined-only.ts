/** Objects without undefined members, as `exactOptionalPropertyTypes` requires for optional ones. */
import { setOwn } from "./own.ts";

/** `T` whose members that may be undefined are optional instead. */
export type DefinedOnly<T extends object> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Every member of `T`, each possibly undefined. `satisfies AllMembers<T>` makes the compiler reject a literal that forgets one. */
export type AllMembers<T extends object> = { readonly [K in keyof Required<T>]: T[K] | undefined };

/**
 * Returns a copy without the members that are undefined.
 *
 *     { name, ...definedOnly({ labels, annotations }) }    instead of    ...(labels === undefined ? {} : { labels })
 */
export function definedOnly<T extends object>(members: T): DefinedOnly<T> {
  const defined: Record<string, unknown> = {};
  // Hot paths call this for every object: `Object.entries` takes five times as long.
  for (const key in members) {
    const value: unknown = members[key];
    if (value !== undefined && Object.hasOwn(members, key)) setOwn(defined, key, value);
  }
  return defined as DefinedOnly<T>;
}
