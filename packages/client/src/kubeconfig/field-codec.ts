/**
 * One codec per object of the file, for both directions: reading reports every problem with its path, printing returns
 * everything that was read.
 *
 *     JsonValue → read → what the rest of this folder works with → print → JsonValue
 */
import { Secret, getOwn, isJsonObject, setOwn } from "@drover/machinery";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { isStandardBase64 } from "../encoding/base64.ts";
import { quoted } from "./kubeconfig-error.ts";

/** Path of a value, and the list that collects problems. */
export interface FieldPlace {
  readonly path: string;
  readonly problems: string[];
}

/** Reads and prints one field. */
export interface Codec<T> {
  /** Returns the value, or reports a problem and returns undefined. */
  readonly read: (value: JsonValue, place: FieldPlace) => T | undefined;
  readonly print: (value: T) => JsonValue;
}

/** Reports a problem; never includes the value, which may be a secret. */
export function refuse(place: FieldPlace, problem: string): undefined {
  place.problems.push(`${place.path}${place.path === "" ? "" : ": "}${problem}`);
  return undefined;
}

/** Text. Rejects numbers and other scalars, because YAML would already have changed them. */
export const text: Codec<string> = {
  read: (value, place) =>
    typeof value === "string"
      ? value
      : refuse(place, `must be text, not ${kindOf(value)}${typeof value === "object" ? "" : "; put it in quotes"}`),
  print: (value) => value,
};

/** Boolean. */
export const flag: Codec<boolean> = {
  read: (value, place) => (typeof value === "boolean" ? value : refuse(place, `must be true or false, not ${kindOf(value)}`)),
  print: (value) => value,
};

/** Base64, kept as written. */
export const data: Codec<string> = {
  read: (value, place) => {
    const written = text.read(value, place);
    return written === undefined || isStandardBase64(written)
      ? written
      : refuse(place, "is not base64; encode the file with `base64 -w0`, or name it in the field without -data");
  },
  print: (value) => value,
};

/** Any JSON, unchanged. */
export const anything: Codec<JsonValue> = { read: (value) => value, print: (value) => value };

/** The codec's value as a `Secret`. */
export const secret = <T>(codec: Codec<T>): Codec<Secret<T>> => ({
  read: (value, place) => {
    const read = codec.read(value, place);
    return read === undefined ? undefined : new Secret(read);
  },
  print: (value) => codec.print(value.reveal()),
});

/** Reads the items of a list one by one; omits those with problems. */
export function readItems<T>(value: JsonValue, place: FieldPlace, read: Codec<T>["read"]): T[] | undefined {
  if (!Array.isArray(value)) return refuse(place, `must be a list, not ${kindOf(value)}`);
  return value.flatMap((item, index) => read(item, { ...place, path: `${place.path}[${index}]` }) ?? []);
}

/** List of one type, in order. */
export const list = <T>(codec: Codec<T>): Codec<readonly T[]> => ({
  read: (value, place) => readItems(value, place, codec.read),
  print: (value) => value.map((item) => codec.print(item)),
});

/** Map of one type with arbitrary keys. */
export const map = <T>(codec: Codec<T>): Codec<Readonly<Record<string, T>>> => ({
  read: (value, place) => {
    if (!isJsonObject(value)) return refuse(place, `must be a mapping, not ${kindOf(value)}`);
    const read: Record<string, T> = {};
    for (const [key, entry] of Object.entries(value)) {
      const item = codec.read(entry, { ...place, path: `${place.path}[${quoted(key)}]` });
      if (item !== undefined) setOwn(read, key, item);
    }
    return read;
  },
  print: (value) => {
    const printed: JsonObject = {};
    for (const [key, entry] of Object.entries(value)) setOwn(printed, key, codec.print(entry));
    return printed;
  },
});

/** Properties that are not fields of the file: unknown fields, and where the entry came from. */
type Bookkeeping = "other" | "origin";
type FieldsOf<T> = { readonly [K in Exclude<keyof T, Bookkeeping>]-?: Codec<Exclude<T[K], undefined>> };

/** An object with these fields; other fields are kept as secrets and printed again. A null field is absent, and a null object is empty. */
export function object<T extends { readonly other?: Secret<JsonObject> }>(fields: FieldsOf<T>): Codec<Partial<T>> {
  const codecs = fields as Readonly<Record<string, Codec<unknown>>>;
  return {
    read: (value, place) => {
      if (value === null) return {};
      if (!isJsonObject(value)) return refuse(place, `must be a mapping, not ${kindOf(value)}`);
      const read: Record<string, unknown> = {};
      const other: JsonObject = {};
      for (const [key, field] of Object.entries(value)) {
        const codec = getOwn(codecs, key);
        const item =
          codec === undefined || field === null
            ? undefined
            : codec.read(field, { ...place, path: place.path === "" ? key : `${place.path}.${key}` });
        if (codec === undefined) setOwn(other, key, field);
        else if (item !== undefined) setOwn(read, key, item);
      }
      return { ...read, ...(Object.keys(other).length > 0 && { other: new Secret(other) }) } as Partial<T>;
    },
    print: (value) => {
      const printed: JsonObject = { ...value.other?.reveal() };
      for (const [key, codec] of Object.entries(codecs)) {
        const field = getOwn(value as Readonly<Record<string, unknown>>, key);
        if (field !== undefined) setOwn(printed, key, codec.print(field));
      }
      return printed;
    },
  };
}

const kindOf = (value: JsonValue): string => {
  if (value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object"
    ? "a mapping"
    : typeof value === "boolean"
      ? "true or false"
      : typeof value === "string"
        ? "text"
        : "a number";
};
