/**
 * Reads anything that can be thrown. A thrown value is a stranger's: its getters may throw or differ between two reads, it may be a
 * revoked proxy, contain itself, or have a message of 100 MB. No function here throws, and each returns text of bounded size.
 *
 *     catch (error) → errorText, errorName, errorStack, errorCause, errorCode, isInstanceOf
 */
import { budget } from "./budget/budget.ts";

/** A constructor, for `isInstanceOf`. */
type AnyClass<T> = abstract new (...args: never[]) => T;

const textBytes = budget({
  name: "machinery/error-text",
  limit: 64 * 2 ** 10,
  unit: "bytes",
  atLimit: "the rest of an error's message, name or stack is cut off, with a note",
  uncounted: "Errors are printed where no registry is at hand; the text itself tells how much is missing.",
});
/** Errors of an `AggregateError` that its text shows. */
const errorsShownMax = 10;

/** Printing a bigint takes time that grows with the square of its digits. */
const bigintBitsMax = 4096;

const unprintable = "a value that cannot be printed";

/**
 * Returns the message of an error, or any other value as text. An error without a message shows its name, and an `AggregateError`
 * without one the messages of its first errors.
 *
 * Guarantees: never throws; never empty; at most 64 KiB of UTF-8, besides a note about what was cut off.
 */
export function errorText(error: unknown): string {
  return textOf(error, 0) || "an error without a message";
}

/** Returns the `name` of an error, the type of any other value ("string", "object"). Never throws. */
export function errorName(error: unknown): string {
  if (!isError(error)) return error === null ? "null" : typeof error;
  return asText(readProperty(error, "name") ?? "") || "Error";
}

/** Returns the stack of an error, or undefined when it has none that can be read. Never throws. */
export function errorStack(error: unknown): string | undefined {
  const stack = isError(error) ? readProperty(error, "stack") : undefined;
  return typeof stack === "string" ? cut(stack) : undefined;
}

/** Returns the cause of an error, or undefined when it has none that can be read. Never throws. */
export function errorCause(error: unknown): unknown {
  return isError(error) ? readProperty(error, "cause") : undefined;
}

/** Returns the `code` of an error of Node, such as "ENOENT", or undefined when it has none that can be read. Never throws. */
export function errorCode(error: unknown): string | undefined {
  const code = isError(error) ? readProperty(error, "code") : undefined;
  return typeof code === "string" ? code : undefined;
}

/** Returns the first errors of an `AggregateError`; none for any other value. Never throws. */
export function errorsOf(error: unknown, max: number): readonly unknown[] {
  if (!isInstanceOf(error, AggregateError)) return [];
  try {
    const errors: unknown = error.errors;
    return Array.isArray(errors) ? Array.from({ length: Math.min(errors.length, max) }, (_, index): unknown => errors[index]) : [];
  } catch {
    return [];
  }
}

/** Like `value instanceof type`, but false for a value whose prototype cannot be read, such as a revoked proxy. Never throws. */
export function isInstanceOf<T>(value: unknown, type: AnyClass<T>): value is T {
  try {
    return value instanceof type;
  } catch {
    return false;
  }
}

/** Reports whether a value is an error, also one of another realm, such as a vm context. Never throws. */
export function isError(value: unknown): value is Error {
  try {
    return value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";
  } catch {
    return false;
  }
}

/** Returns a property, or undefined when its getter throws. */
function readProperty(error: Error, name: "message" | "name" | "stack" | "cause" | "code"): unknown {
  try {
    return (error as { readonly [key in typeof name]?: unknown })[name];
  } catch {
    return undefined;
  }
}

function textOf(error: unknown, depth: number): string {
  if (!isError(error)) return asText(error);
  const message = asText(readProperty(error, "message") ?? "");
  if (message !== "") return message;
  // One level: an aggregate may contain itself.
  const inside = depth === 0 ? errorsOf(error, errorsShownMax).map((each) => textOf(each, depth + 1)) : [];
  return cut(inside.join("; ")) || errorName(error);
}

function asText(value: unknown): string {
  try {
    if (typeof value === "string") return cut(value);
    if (typeof value === "function") return `[function ${cut(value.name)}]`;
    if (typeof value === "bigint" && value !== BigInt.asIntN(bigintBitsMax, value)) return `a bigint of more than ${bigintBitsMax} bits`;
    // Not `String(list)`: lists that contain lists can be short in memory and endless as text.
    if (Array.isArray(value)) return `a list of ${String(value.length)} values`;
    return cut(String(value));
  } catch {
    return unprintable;
  }
}

/** Cuts a text at the budget, between two characters. */
function cut(text: string): string {
  const { limit } = textBytes;
  // A UTF-16 unit takes at most three bytes of UTF-8.
  if (text.length * 3 <= limit) return text;
  let end = 0;
  for (let bytes = 0; end < text.length;) {
    const point = text.codePointAt(end) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (bytes > limit) return `${text.slice(0, end)}… ${text.length - end} more`;
    end += point < 0x10000 ? 1 : 2;
  }
  return text;
}
