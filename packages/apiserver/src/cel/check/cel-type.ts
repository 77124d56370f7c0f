/** Types of CEL expressions. */

export type CelKind =
  | "dyn"
  | "error"
  | "null"
  | "bool"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "duration"
  | "timestamp"
  | "type"
  | "list"
  | "map"
  | "opaque"
  | "struct"
  | "param";

/** A type. Two types are equal if kind, name and parameters are. */
export interface CelType {
  readonly kind: CelKind;
  /** The name that `type()` prints; for a type parameter, its name. */
  readonly name: string;
  readonly params: readonly CelType[];
  /** Fields of an object with a schema; undefined for opaque objects. */
  readonly fields?: ReadonlyMap<string, CelType>;
  /** Whether an object may have any other field, of type `dyn`. @default false */
  readonly isOpen?: boolean;
}

const simple = (kind: CelKind, name: string = kind): CelType => ({ kind, name, params: [] });

export const dynType: CelType = simple("dyn");
/** The type of an expression with an error, which suppresses follow-up errors. */
export const errorType: CelType = simple("error");
export const nullType: CelType = simple("null", "null_type");
export const boolType: CelType = simple("bool");
export const intType: CelType = simple("int");
export const uintType: CelType = simple("uint");
export const doubleType: CelType = simple("double");
export const stringType: CelType = simple("string");
export const bytesType: CelType = simple("bytes");
export const durationType: CelType = simple("duration", "google.protobuf.Duration");
export const timestampType: CelType = simple("timestamp", "google.protobuf.Timestamp");
export const typeType: CelType = simple("type");

export const listType = (element: CelType): CelType => ({ kind: "list", name: "list", params: [element] });
export const mapType = (key: CelType, value: CelType): CelType => ({ kind: "map", name: "map", params: [key, value] });
export const typeOfType = (type: CelType): CelType => ({ kind: "type", name: "type", params: [type] });
export const opaqueType = (name: string, ...params: readonly CelType[]): CelType => ({ kind: "opaque", name, params });
export const optionalType = (type: CelType): CelType => opaqueType("optional_type", type);
export const paramType = (name: string): CelType => simple("param", name);
/** An object type; without fields, an opaque one of a library. */
export const structType = (name: string, fields?: ReadonlyMap<string, CelType>): CelType => ({
  kind: "struct",
  name,
  params: [],
  ...(fields === undefined ? {} : { fields }),
});

/** An object type with any fields, whose types are not known. */
export const openType = (name: string): CelType => ({ kind: "struct", name, params: [], isOpen: true });

/** Whether two types are equal, including their parameters. */
export function sameType(a: CelType, b: CelType): boolean {
  return (
    a === b ||
    (a.kind === b.kind &&
      a.name === b.name &&
      a.params.length === b.params.length &&
      a.params.every((param, index) => sameType(param, b.params[index] ?? dynType)))
  );
}

export const isOptional = ({ kind, name }: CelType): boolean => kind === "opaque" && name === "optional_type";

/** Returns the type inside an optional; other types unchanged. */
export const withoutOptional = (type: CelType): CelType => (isOptional(type) ? (type.params[0] ?? dynType) : type);

/** Prints a type by its full name, as errors about the result of an expression do. */
export const printFullType = ({ name, params }: CelType): string =>
  params.length === 0 ? name : `${name}(${params.map(printFullType).join(", ")})`;

/** Prints a type as errors show it. */
export function printType(type: CelType): string {
  const { kind, name, params } = type;
  if (kind === "error") return "!error!";
  if (kind === "null" || kind === "duration" || kind === "timestamp") return kind;
  return params.length === 0 ? name : `${name}(${params.map(printType).join(", ")})`;
}
