/**
 * Converts any value for a log line: plain JSON data of bounded size, without secrets. No value can make logging fail.
 *
 *     unknown → logValue → what JSON.stringify takes
 */
import { errorText } from "../error-text.ts";
import { setOwn } from "../json/own.ts";
import { redactSecretObject } from "./secret-object.ts";
import { isSecretName, redacted } from "./secret.ts";

export type LogValue = null | boolean | number | string | LogValue[] | { [key: string]: LogValue };

export interface LogValueOptions {
  /** Whether to include stacks of errors. @default false */
  readonly stacks?: boolean;
}

const depthMax = 12;
const itemsMax = 1_000;
const stringMax = 64 * 1024;

/**
 * Returns the plain form of a value.
 *
 * Errors keep their name, message, reason and further fields, with their causes; a bigint becomes its digits, a Map an object (or a
 * list of pairs when its keys are not all strings), a Set a list. Values under a name that looks secret become "[redacted]", and so
 * does the data of a Kubernetes Secret. Deep, long or circular parts are cut off with a note.
 */
export function logValue(value: unknown, { stacks = false }: LogValueOptions = {}): LogValue {
  return plain(value, { stacks, above: [] });
}

interface Place {
  readonly stacks: boolean;
  /** The enclosing objects. */
  readonly above: readonly object[];
}

function plain(value: unknown, place: Place): LogValue {
  switch (typeof value) {
    case "string":
      return value.length > stringMax ? `${value.slice(0, stringMax)}… ${value.length - stringMax} more` : value;
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "boolean":
      return value;
    case "bigint":
      return String(value);
    case "symbol":
      return String(value);
    case "function":
      return `[function ${value.name}]`;
    case "object":
      return value === null ? null : guarded(value, place);
    case "undefined":
    default:
      return null;
  }
}

/** Getters, proxies and `toJSON` are foreign code: whatever they throw becomes part of the line. */
function guarded(value: object, place: Place): LogValue {
  if (place.above.includes(value)) return "[circular]";
  if (place.above.length >= depthMax) return "[too deep]";
  try {
    return plainObject(value, { ...place, above: [...place.above, value] });
  } catch (error) {
    return `[unreadable: ${errorText(error)}]`;
  }
}

function plainObject(value: object, place: Place): LogValue {
  if (value instanceof Error) return plainError(value, place);
  if (Array.isArray(value) || value instanceof Set) return plainList([...(value as Iterable<unknown>)], place);
  if (value instanceof Map) {
    const entries = [...(value as Map<unknown, unknown>)];
    return entries.every(([key]) => typeof key === "string")
      ? plainFields(entries as [string, unknown][], place)
      : plainList(entries, place);
  }
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if ("toJSON" in value && typeof value.toJSON === "function") return plain((value.toJSON as () => unknown)(), place);
  return plainFields(Object.entries(redactSecretObject(value as Readonly<Record<string, unknown>>)), place);
}

function plainList(items: readonly unknown[], place: Place): LogValue[] {
  const kept = items.slice(0, itemsMax).map((item) => plain(item, place));
  return items.length > itemsMax ? [...kept, `… ${items.length - itemsMax} more`] : kept;
}

function plainFields(entries: readonly (readonly [string, unknown])[], place: Place): { [key: string]: LogValue } {
  const fields: { [key: string]: LogValue } = {};
  for (const [key, value] of entries.slice(0, itemsMax)) {
    if (value !== undefined) setOwn(fields, key, plainField(key, value, place));
  }
  if (entries.length > itemsMax) setOwn(fields, "…", `${entries.length - itemsMax} more`);
  return fields;
}

/** Redacts values under secret names, except those that can only tell whether there is one. */
function plainField(key: string, value: unknown, place: Place): LogValue {
  return isSecretName(key) && value !== null && typeof value !== "boolean" ? redacted : plain(value, place);
}

function plainError(error: Error, place: Place): LogValue {
  const shown: [string, unknown][] = [
    ["name", error.name],
    ["message", errorText(error)],
  ];
  for (const [key, value] of Object.entries(error))
    if (key !== "name" && key !== "message" && key !== "stack" && key !== "cause") shown.push([key, value]);
  if (error instanceof AggregateError) shown.push(["errors", error.errors]);
  if (error.cause !== undefined) shown.push(["cause", error.cause]);
  if (place.stacks) shown.push(["stack", error.stack]);
  return plainFields(shown, place);
}
