/**
 * Prints and compares values in kube-apiserver's internal form.
 *
 *     pod spec, "PodSpec" → `{"Volumes":null,"InitContainers":…}`
 */
import { jsonEqual, printGoJson, Quantity } from "@drover/machinery";
import type { QuantityValue } from "@drover/machinery";
import { parseGoFields, parseGoType } from "@drover/api/shapes";
import type { GoField, GoType, ScalarName } from "@drover/api/shapes";
import { internalShapes } from "./internal-shapes.ts";
import { unifiedDiff } from "./unified-diff.ts";

type Fields = Readonly<Record<string, unknown>>;
type PrintQuantity = (value: QuantityValue) => string;

interface InternalField {
  readonly name: string;
  readonly source: readonly string[];
  readonly omitEmpty: boolean;
  readonly type: GoType;
}

/** Prints a value as messages show it: members in the order of the struct, also those that are not set. */
export function printInternal(type: string, value: unknown): string {
  return print(parseGoType(type), value, canonical, undefined);
}

/** Returns the difference of two values as the server shows it: the lines of their indented texts. */
export function diffInternal(type: string, from: unknown, to: unknown): string {
  const goType = parseGoType(type);
  return unifiedDiff(print(goType, from, canonical, ""), print(goType, to, canonical, ""));
}

/** Whether two values are equal in memory: empty lists and maps equal absent ones, quantities compare by amount. */
export function internalEqual(type: string, a: unknown, b: unknown): boolean {
  if (a === b || jsonEqual(a, b)) return true;
  const goType = parseGoType(type);
  return print(goType, a, amount, undefined) === print(goType, b, amount, undefined);
}

const structs: ReadonlyMap<string, readonly InternalField[]> = new Map(
  Object.entries(internalShapes).map(([name, shape]) => [name, parseGoFields(shape).map(internalField)]),
);

const canonical: PrintQuantity = (value) => printGoJson(Quantity.fromJson(value).toString());
const amount: PrintQuantity = (value) => `${Quantity.fromJson(value).scaledValue(-9)}`;

function internalField({ name: names, mark, type }: GoField): InternalField {
  const [name = "", source = `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`] = names.split("=");
  return { name, source: source.split("/"), omitEmpty: mark === "?", type };
}

/** `indent` is the indentation of the current line; undefined prints everything on one line. */
function print(type: GoType, value: unknown, quantity: PrintQuantity, indent: string | undefined): string {
  const absent = value === undefined || value === null;
  switch (type.kind) {
    case "pointer":
      return absent ? "null" : print(type.item, value, quantity, indent);
    case "list":
      return Array.isArray(value) && value.length > 0
        ? block(
            "[",
            "]",
            value.map((item) => (deeper) => print(type.item, item, quantity, deeper)),
            indent,
          )
        : "null";
    case "map":
      return printMap(type.item, value, quantity, indent);
    case "named":
      return printStruct(type.name, isFields(value) ? value : {}, quantity, indent);
    case "own":
      if (type.name === "Quantity") return quantity(absent ? 0 : (value as QuantityValue));
      return printGoJson(absent && type.name === "IntOrString" ? 0 : value);
    case "scalar":
      return printGoJson(absent ? zeroOf(type.name) : value);
    case "bytes":
    default:
      return printGoJson(value);
  }
}

const zeroOf = (scalar: ScalarName): string | boolean | number => (scalar === "string" ? "" : scalar === "bool" ? false : 0);

function printMap(type: GoType, value: unknown, quantity: PrintQuantity, indent: string | undefined): string {
  const keys = isFields(value) ? Object.keys(value).toSorted() : [];
  if (!isFields(value) || keys.length === 0) return "null";
  return block(
    "{",
    "}",
    keys.map((key) => (deeper) => member(key, print(type, value[key], quantity, deeper), deeper)),
    indent,
  );
}

function printStruct(name: string, value: Fields, quantity: PrintQuantity, indent: string | undefined): string {
  const source = name === "PodSpec" ? withHostNamespaces(value) : value;
  const members = (structs.get(name) ?? [])
    .map((field) => ({ field, content: field.source.reduce<unknown>((at, part) => (isFields(at) ? at[part] : undefined), source) }))
    .filter(({ field, content }) => !field.omitEmpty || !isEmpty(content))
    .map(
      ({ field, content }) =>
        (deeper: string | undefined) =>
          member(field.name, print(field.type, content, quantity, deeper), deeper),
    );
  return block("{", "}", members, indent);
}

function block(
  open: string,
  close: string,
  items: readonly ((indent: string | undefined) => string)[],
  indent: string | undefined,
): string {
  if (indent === undefined || items.length === 0) return `${open}${items.map((item) => item(undefined)).join(",")}${close}`;
  const deeper = `${indent} `;
  return `${open}\n${items.map((item) => `${deeper}${item(deeper)}`).join(",\n")}\n${indent}${close}`;
}

function member(name: string, text: string, indent: string | undefined): string {
  return `${printGoJson(name)}:${indent === undefined ? "" : " "}${text}`;
}

/** Internally, host namespaces belong to the security context, which is always set. */
function withHostNamespaces(spec: Fields): Fields {
  const { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers, securityContext } = spec;
  return {
    ...spec,
    securityContext: {
      ...(isFields(securityContext) ? securityContext : {}),
      hostNetwork,
      hostPID,
      hostIPC,
      shareProcessNamespace,
      hostUsers,
    },
  };
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === 0 || value === false) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
