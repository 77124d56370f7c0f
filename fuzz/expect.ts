/** Invariants: how targets say that the code under test broke one. */
import { isDeepStrictEqual } from "node:util";

/** An invariant does not hold. The text before the first colon names it; failures with the same name count as one. */
export class BrokenInvariant extends Error {
  override readonly name: string = "BrokenInvariant";
}

/** Throws unless the condition holds. `name` is the invariant, `detail` what was seen. */
export function holds(condition: boolean, name: string, detail?: () => string): asserts condition {
  if (!condition) throw new BrokenInvariant(detail === undefined ? name : `${name}: ${short(detail())}`);
}

/**
 * Throws unless both values are equal JSON data: 0 equals -0, a bigint the number of the same value, a key named `__proto__` is a key,
 * and undefined members do not count.
 */
export function equal(actual: unknown, expected: unknown, name: string): void {
  if (!sameData(actual, expected)) throw new BrokenInvariant(`${name}: ${short(show(actual))} is not ${short(show(expected))}`);
}

export type Outcome<T> = { readonly value: T } | { readonly error: Error };
type ErrorType = abstract new (...args: never[]) => Error;

/** Runs an action that may throw these errors; any other error breaks an invariant. */
export function attempt<T>(action: () => T, ...errors: readonly ErrorType[]): Outcome<T> {
  try {
    return { value: action() };
  } catch (error) {
    if (error instanceof Error && errors.some((type) => error instanceof type)) return { error };
    throw error;
  }
}

export function sameData(a: unknown, b: unknown): boolean {
  if (a === b || (typeof a === "bigint" && typeof b === "number" && Number.isInteger(b) && BigInt(b) === a)) return true;
  if (typeof b === "bigint" && typeof a === "number") return sameData(b, a);
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (a instanceof Uint8Array) return isDeepStrictEqual(a, b);
  if (Array.isArray(a) || Array.isArray(b))
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, at) => sameData(item, b[at]));
  const [left, right] = [definedEntries(a), new Map(definedEntries(b))];
  return left.length === right.size && left.every(([key, value]) => right.has(key) && sameData(value, right.get(key)));
}

const definedEntries = (value: object): [string, unknown][] => Object.entries(value).filter(([, member]) => member !== undefined);

/** Returns a value as text, with bigints. */
export const show = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? `${member}n` : member)) ?? String(value);

const short = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text);
