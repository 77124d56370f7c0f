/**
 * Values during evaluation. Booleans, strings, doubles (numbers) and integers (bigints within 64 bits) are JavaScript's own; all
 * others are tagged with their kind.
 */
import type { JsonValue } from "@drover/machinery";
import type { CelType } from "../check/cel-type.ts";
import type { CelFailure } from "./failure.ts";

export interface CelUint {
  readonly kind: "uint";
  readonly value: bigint;
}

export interface CelDuration {
  readonly kind: "duration";
  readonly nanos: bigint;
}

/** Nanoseconds since 1970; the offset is only for printing it as written. */
export interface CelTimestamp {
  readonly kind: "timestamp";
  readonly nanos: bigint;
  readonly offsetMinutes: number;
}

/** How items of a list correlate: by position, as a set, or by keys. */
export type ListFlavour = "plain" | "atomic" | "set" | { readonly keys: readonly string[] };

export interface CelList {
  readonly kind: "list";
  readonly flavour: ListFlavour;
  readonly size: number;
  readonly at: (index: number) => CelValue | CelFailure;
  /** The array behind it, of which the first `size` items are its own; the owner of the whole array may append to it. */
  readonly backing?: CelValue[];
}

export interface CelMap {
  readonly kind: "map";
  readonly size: number;
  /** Whether it is an object of a schema, or built by the expression. */
  readonly fromSchema: boolean;
  readonly find: (key: CelValue) => CelValue | CelFailure | undefined;
  readonly keys: () => readonly CelValue[];
  /** Members outside the schema: compared as JSON, otherwise invisible. */
  readonly unknown: () => ReadonlyMap<string, JsonValue>;
}

export interface CelOptional {
  readonly kind: "optional";
  readonly value: CelValue | undefined;
}

export interface CelTypeValue {
  readonly kind: "type";
  readonly name: string;
}

/** A value of a Kubernetes library: a quantity, an address, a URL … */
export interface CelObject {
  readonly kind: "object";
  readonly type: CelType;
  readonly value: unknown;
  /** The size that costs are charged for. */
  readonly size: number;
  readonly equals: (other: unknown) => boolean;
}

/** A value without a schema: it can only be compared. */
export interface CelUnknown {
  readonly kind: "unknown";
  readonly value: JsonValue;
}

export type CelValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | CelUint
  | CelDuration
  | CelTimestamp
  | CelList
  | CelMap
  | CelOptional
  | CelTypeValue
  | CelObject
  | CelUnknown;

export const uint = (value: bigint): CelUint => ({ kind: "uint", value });
export const duration = (nanos: bigint): CelDuration => ({ kind: "duration", nanos });
export const optional = (value: CelValue | undefined): CelOptional => ({ kind: "optional", value });
export const none: CelOptional = { kind: "optional", value: undefined };

/** Returns a list of given values. */
export const listOf = (values: readonly CelValue[], flavour: ListFlavour = "plain"): CelList => ({
  kind: "list",
  flavour,
  size: values.length,
  at: (index) => values[index] ?? null,
});

/** Returns the kind of a value's type. */
export function kindOf(value: CelValue): CelType["kind"] | "unknown" {
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint") return "int";
  if (typeof value === "number") return "double";
  if (typeof value === "string") return "string";
  if (value === null) return "null";
  if (value instanceof Uint8Array) return "bytes";
  if (value.kind === "object") return value.type.kind;
  return value.kind === "optional" ? "opaque" : value.kind;
}

const names: Readonly<Record<string, string>> = {
  null: "null_type",
  duration: "google.protobuf.Duration",
  timestamp: "google.protobuf.Timestamp",
  opaque: "optional_type",
};

/** Returns the name of a value's type, as `type()` prints it. */
export function typeName(value: CelValue): string {
  if (typeof value === "object" && value !== null && "kind" in value && value.kind === "object") return value.type.name;
  const kind = kindOf(value);
  return names[kind] ?? kind;
}

/** Returns the name of cel-go's own type for a value, which some failures print. */
export function goTypeName(value: CelValue): string {
  if (typeof value === "object" && value !== null && "kind" in value) {
    if (value.kind === "optional") return "*types.Optional";
    if (value.kind === "type") return "*types.Type";
    if (value.kind === "map") return "*types.baseMap";
    if (value.kind === "list") return "*types.baseList";
  }
  const kind = kindOf(value);
  return `types.${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
}

/** Returns the items of a list, or the first failure among them. */
export function itemsOf(list: CelList): readonly CelValue[] | CelFailure {
  const items: CelValue[] = [];
  for (let index = 0; index < list.size; index++) {
    const item = list.at(index);
    if (typeof item === "object" && item !== null && "kind" in item && item.kind === "failure") return item;
    items.push(item);
  }
  return items;
}

/** Whether the value can be an argument of the type. Contents of lists and maps are not checked. */
export function isOfType(value: CelValue, type: CelType): boolean {
  if (type.kind === "dyn" || type.kind === "param") return true;
  const kind = kindOf(value);
  if (kind === "struct" || kind === "opaque") return kind === type.kind && typeName(value) === type.name;
  return kind === type.kind;
}
