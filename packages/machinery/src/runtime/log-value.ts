/**
 * Converts any value for a log line: plain JSON data of bounded size, without secrets. No value can make logging fail.
 *
 *     unknown → logValue → what JSON.stringify takes
 */
import { budget } from "../budget/budget.ts";
import type { Budget } from "../budget/budget.ts";
import { errorCause, errorName, errorStack, errorText, errorsOf, isError, isInstanceOf } from "../error-text.ts";
import { setOwn } from "../json/own.ts";
import { errorSentence } from "./error-sentence.ts";
import { redactSecretObject } from "./secret-object.ts";
import { isSecretName, redacted } from "./secret.ts";

export type LogValue = null | boolean | number | string | LogValue[] | { [key: string]: LogValue };

export interface LogValueOptions {
  /** Errors as one sentence, as their fields, or as their fields and their stacks. @default "fields" */
  readonly errors?: "sentence" | "fields" | "stack";
}

/** Bytes of one line of a log, and so of one value in it. */
export const logLineBytes: Budget = budget({
  name: "machinery/log-line",
  limit: 128 * 2 ** 10,
  unit: "bytes",
  atLimit: "the rest of a log line's fields is cut off, with a note in the line",
  uncounted: "A log has no registry; the line itself tells that fields are missing.",
});

const depthMax = 12;
const itemsMax = 1_000;
const stringMax = 64 * 1024;
/** What a number, a bracket or a comma takes of the budget: values without text must not be free. */
const memberBytes = 4;

/**
 * Returns the plain form of a value.
 *
 * Errors keep their name, message, reason and further fields, with their causes; a bigint becomes its digits, a Map an object (or a
 * list of pairs when its keys are not all strings), a Set a list. Values under a name that looks secret become "[redacted]", and so
 * does the data of a Kubernetes Secret. Deep, long or circular parts are cut off with a note, and so is everything after 128 KiB of text.
 *
 * Guarantees: never throws, and reads at most 1,000 members of each part.
 */
export function logValue(value: unknown, { errors = "fields" }: LogValueOptions = {}): LogValue {
  return plain(value, { errors, above: [], room: { left: logLineBytes.limit } });
}

interface Place {
  readonly errors: "sentence" | "fields" | "stack";
  /** The enclosing objects. */
  readonly above: readonly object[];
  /** Characters that the whole value may still take. */
  readonly room: { left: number };
}

function plain(value: unknown, place: Place): LogValue {
  place.room.left -= memberBytes;
  switch (typeof value) {
    case "string":
      return text(value, place);
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "boolean":
      return value;
    case "bigint":
    case "symbol":
    case "function":
      return text(errorText(value), place);
    case "object":
      return value === null ? null : guarded(value, place);
    case "undefined":
    default:
      return null;
  }
}

/** Cuts a text at what a string may take, and at what is left for the line. */
function text(value: string, { room }: Place): string {
  const max = Math.max(0, Math.min(stringMax, room.left));
  room.left -= Math.min(value.length, max);
  return value.length > max ? `${value.slice(0, max)}… ${value.length - max} more` : value;
}

/** Getters, proxies and `toJSON` are foreign code: whatever they throw becomes part of the line. */
function guarded(value: object, place: Place): LogValue {
  if (place.above.includes(value)) return "[circular]";
  if (place.above.length >= depthMax) return "[too deep]";
  if (place.room.left <= 0) return "[cut off]";
  try {
    return plainObject(value, { ...place, above: [...place.above, value] });
  } catch (error) {
    return text(`[unreadable: ${errorText(error)}]`, place);
  }
}

function plainObject(value: object, place: Place): LogValue {
  if (isError(value)) return plainError(value, place);
  if (Array.isArray(value)) return plainList(firstItems(value), value.length, place);
  if (value instanceof Set) return plainList(taken(value.values()), value.size, place);
  if (value instanceof Map) {
    const entries = taken((value as Map<unknown, unknown>).entries());
    return entries.every(([key]) => typeof key === "string")
      ? plainFields(entries as [string, unknown][], value.size, place)
      : plainList(entries, value.size, place);
  }
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if ("toJSON" in value && typeof value.toJSON === "function") return plain((value.toJSON as () => unknown)(), place);
  const shown = redactSecretObject(value as Readonly<Record<string, unknown>>);
  const keys = Object.keys(shown);
  return plainFields(
    keys.slice(0, itemsMax).map((key) => [key, shown[key]]),
    keys.length,
    place,
  );
}

const firstItems = (list: readonly unknown[]): unknown[] =>
  Array.from({ length: Math.min(list.length, itemsMax) }, (_, index) => list[index]);

/** Returns the first values of an iterator, which may be endless. */
function taken<T>(values: Iterable<T>): T[] {
  const items: T[] = [];
  for (const item of values) {
    items.push(item);
    if (items.length === itemsMax) break;
  }
  return items;
}

function plainList(items: readonly unknown[], length: number, place: Place): LogValue[] {
  const kept: LogValue[] = [];
  for (const item of items) {
    if (place.room.left <= 0) break;
    kept.push(plain(item, place));
  }
  return length > kept.length ? [...kept, `… ${length - kept.length} more`] : kept;
}

function plainFields(entries: readonly (readonly [string, unknown])[], length: number, place: Place): { [key: string]: LogValue } {
  const fields: { [key: string]: LogValue } = {};
  let read = 0;
  for (const [key, value] of entries) {
    place.room.left -= key.length;
    if (place.room.left <= 0) break;
    read++;
    if (value !== undefined) setOwn(fields, key, plainField(key, value, place));
  }
  if (length > read) setOwn(fields, "…", `${length - read} more`);
  return fields;
}

/** Redacts values under secret names, except those that can only tell whether there is one. */
function plainField(key: string, value: unknown, place: Place): LogValue {
  return isSecretName(key) && value !== null && typeof value !== "boolean" ? redacted : plain(value, place);
}

function plainError(error: Error, place: Place): LogValue {
  if (place.errors === "sentence") return text(errorSentence(error), place);
  const shown: [string, unknown][] = [["name", errorName(error)], ["message", errorText(error)], ...ownFields(error)];
  if (isInstanceOf(error, AggregateError)) shown.push(["errors", errorsOf(error, itemsMax)]);
  const cause = errorCause(error);
  if (cause !== undefined) shown.push(["cause", cause]);
  if (place.errors === "stack") shown.push(["stack", errorStack(error)]);
  return plainFields(shown, shown.length, place);
}

const shownApart: readonly string[] = ["name", "message", "stack", "cause", "errors"];

/** Returns the further fields of an error. One that cannot be read hides neither the others nor the message. */
function ownFields(error: Error): [string, unknown][] {
  try {
    return Object.keys(error)
      .filter((key) => !shownApart.includes(key))
      .slice(0, itemsMax)
      .map((key) => [key, fieldOf(error, key)]);
  } catch {
    return [];
  }
}

function fieldOf(error: Error, key: string): unknown {
  try {
    return (error as unknown as Readonly<Record<string, unknown>>)[key];
  } catch (thrown) {
    return `[unreadable: ${errorText(thrown)}]`;
  }
}
