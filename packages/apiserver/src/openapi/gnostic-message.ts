/**
 * Writes JSON objects as messages of gnostic, the binary forms of OpenAPI documents. Free-form values are embedded as YAML text.
 *
 *     JsonObject, MessageForm → writeMessage → ProtobufWriter
 */
import { isJsonObject } from "@drover/machinery";
import { ProtobufWriter } from "@drover/machinery/protobuf";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { printYaml } from "@drover/yaml";
import { textOf } from "./json-order.ts";

/** How a member of a JSON object is written into a field of the message. */
export type FieldKind =
  | "string"
  | "strings"
  | "bool"
  | "int64"
  | "double"
  | "any"
  | "anys"
  | { readonly message: () => MessageForm }
  | { readonly messages: () => MessageForm }
  | { readonly map: () => MessageForm }
  | { readonly write: (writer: ProtobufWriter, field: number, value: JsonValue) => void };

/** The fields of a message. */
export interface MessageForm {
  readonly fields: readonly (readonly [field: number, key: string, kind: FieldKind])[];
  /** Field for members whose names start with "x-". @default they are dropped */
  readonly extensions?: number;
}

/** Encodes one object. */
export function encodeMessage(object: JsonObject, form: MessageForm): Uint8Array {
  const writer = new ProtobufWriter();
  writeMessage(writer, object, form);
  return writer.finish();
}

/** Writes the members that the form knows, in its order. */
export function writeMessage(writer: ProtobufWriter, object: JsonObject, { fields, extensions }: MessageForm): void {
  for (const [field, key, kind] of fields) {
    const value = object[key];
    if (value !== undefined && value !== null) writeField(writer, field, value, kind);
  }
  if (extensions === undefined) return;
  for (const [key, value] of Object.entries(object))
    if (key.startsWith("x-")) writer.message(extensions, (named) => writeNamed(named, key, (at) => writeAny(named, at, value)));
}

/** Omits zero values, as proto3 does. */
function writeField(writer: ProtobufWriter, field: number, value: JsonValue, kind: FieldKind): void {
  if (typeof kind === "object") return writeComposite(writer, field, value, kind);
  switch (kind) {
    case "string":
      return writeText(writer, field, textOf(value));
    case "strings":
      return writeTexts(writer, field, value);
    case "bool":
      return value === true ? writer.bool(field, true) : undefined;
    case "int64":
      return writeInteger(writer, field, typeof value === "bigint" ? value : Math.trunc(Number(value)));
    case "double":
      return Number(value) === 0 ? undefined : writer.double(field, Number(value));
    case "any":
      return writeAny(writer, field, value);
    case "anys":
      return listOf(value).forEach((item) => writeAny(writer, field, item));
  }
}

function writeText(writer: ProtobufWriter, field: number, text: string): void {
  if (text !== "") writer.string(field, text);
}

/** Keeps empty strings in a list. */
export function writeTexts(writer: ProtobufWriter, field: number, value: JsonValue): void {
  for (const item of listOf(value)) writer.string(field, textOf(item));
}

function writeInteger(writer: ProtobufWriter, field: number, value: number | bigint): void {
  if (BigInt(value) !== 0n) writer.int64(field, value);
}

function writeComposite(writer: ProtobufWriter, field: number, value: JsonValue, kind: Exclude<FieldKind, string>): void {
  if ("write" in kind) return kind.write(writer, field, value);
  if ("messages" in kind)
    return listOf(value).forEach((item) => writer.message(field, (inner) => writeMessage(inner, objectOf(item), kind.messages())));
  if ("message" in kind) return writer.message(field, (inner) => writeMessage(inner, objectOf(value), kind.message()));
  writer.message(field, (inner) => writeNamedMessages(inner, 1, objectOf(value), kind.map()));
}

/** Writes a map as a list of pairs. */
export function writeNamedMessages(writer: ProtobufWriter, field: number, map: JsonObject, form: MessageForm): void {
  for (const [name, value] of Object.entries(map))
    writer.message(field, (named) =>
      writeNamed(named, name, (at) => named.message(at, (inner) => writeMessage(inner, objectOf(value), form))),
    );
}

/** Writes one such pair. */
export function writeNamed(writer: ProtobufWriter, name: string, writeValue: (field: number) => void): void {
  writeText(writer, 1, name);
  writeValue(2);
}

const writeAny = (writer: ProtobufWriter, field: number, value: JsonValue): void =>
  writer.message(field, (any) => writeText(any, 2, yamlText(value)));

/** Keeps the order of members, which the YAML printer would sort. */
function yamlText(value: JsonValue): string {
  if (!isJsonObject(value) || Object.keys(value).length === 0) return printYaml(value);
  return Object.entries(value)
    .map((member) => printYaml(Object.fromEntries([member])))
    .join("");
}

export const listOf = (value: JsonValue): readonly JsonValue[] => (Array.isArray(value) ? value : [value]);
export const objectOf = (value: JsonValue): JsonObject => (isJsonObject(value) ? value : {});

/** The same in both versions. */
export const externalDocsForm: MessageForm = {
  fields: [
    [1, "description", "string"],
    [2, "url", "string"],
  ],
  extensions: 3,
};

/** The security requirements of a document or an operation, the same in both versions. */
export const securityKind: FieldKind = {
  write: (writer, field, value) =>
    listOf(value)
      .map(objectOf)
      .forEach((requirement) =>
        writer.message(field, (inner) => {
          for (const [name, scopes] of Object.entries(requirement))
            inner.message(1, (named) => writeNamed(named, name, (at) => named.message(at, (list) => writeTexts(list, 1, scopes))));
        }),
      ),
};
