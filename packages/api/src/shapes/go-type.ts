/**
 * Go types as the tables of this package write them: as in Go, with "@" before types that have their own unmarshaller.
 *
 *     "[]string", "map[string]@Quantity", "*core/v1.PodSpec" → parseGoType → GoType
 */
import type { JsonValue } from "@drover/machinery";

export type GoType =
  | { readonly kind: "pointer"; readonly item: GoType }
  | { readonly kind: "list"; readonly item: GoType }
  | { readonly kind: "map"; readonly key: GoType; readonly item: GoType }
  | { readonly kind: "bytes" }
  | { readonly kind: "scalar"; readonly name: ScalarName }
  | { readonly kind: "own"; readonly name: OwnName }
  /** A struct, or a named type of another kind. */
  | { readonly kind: "named"; readonly name: string };

export type ScalarName = "string" | "bool" | "int32" | "int64" | "float64";

/** Types with their own (un)marshaller. */
export type OwnName =
  | "Quantity"
  | "IntOrString"
  | "Time"
  | "MicroTime"
  | "RawExtension"
  | "FieldsV1"
  | "JSON"
  | "JSONSchemaPropsOrBool"
  | "JSONSchemaPropsOrArray"
  | "JSONSchemaPropsOrStringArray";

/** Returns the JSON of the zero value. */
export function zeroOfOwn(name: OwnName): JsonValue {
  if (name === "Quantity") return "0";
  if (name === "IntOrString") return 0;
  return name === "JSONSchemaPropsOrBool" ? false : null;
}

/** A field of a struct in a table: name, mark, type, and `#5` where its protobuf number is not the one after the previous. */
export interface GoField {
  readonly name: string;
  /** When the field is omitted in writing: ":" never, "?" when empty, "&" when empty or zero. ">" embeds the fields of a struct. */
  readonly mark: string;
  readonly type: GoType;
  readonly number: number | undefined;
}

/** Parses the fields of a struct, which are separated by spaces. */
export function parseGoFields(text: string): GoField[] {
  return text === "" ? [] : text.split(" ").map(parseGoField);
}

function parseGoField(text: string): GoField {
  const [, name = "", mark = "", type = "", number] = /^(.*?)([:?&>])([^#]*)(?:#(\d+))?$/.exec(text) ?? [];
  return { name, mark, type: parseGoType(type), number: number === undefined ? undefined : Number(number) };
}

export function parseGoType(text: string): GoType {
  if (text === "[]uint8") return { kind: "bytes" };
  if (text.startsWith("*")) return { kind: "pointer", item: parseGoType(text.slice(1)) };
  if (text.startsWith("[]")) return { kind: "list", item: parseGoType(text.slice(2)) };
  if (text.startsWith("map[")) {
    const end = text.indexOf("]");
    return { kind: "map", key: parseGoType(text.slice(4, end)), item: parseGoType(text.slice(end + 1)) };
  }
  if (text.startsWith("@")) return { kind: "own", name: text.slice(1) as OwnName };
  return isScalar(text) ? { kind: "scalar", name: text } : { kind: "named", name: text };
}

const isScalar = (name: string): name is ScalarName =>
  name === "string" || name === "bool" || name === "int32" || name === "int64" || name === "float64";
