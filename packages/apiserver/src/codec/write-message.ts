/**
 * Encodes objects as protobuf, byte for byte as Go does: fields by number, non-pointer values even if zero, maps sorted by key.
 *
 *     JSON value in its kind's shape, StructShape → writeMessage → bytes of the message
 */
import { compareBytes, encodeJson, getOwn, isJsonObject, parseMicroTime, parseTime } from "@drover/machinery";
import { ProtobufWriter } from "@drover/machinery/protobuf";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { decodeBase64 } from "./base64.ts";
import type { OwnShape, Shape, ShapeField, StructShape } from "@drover/api/shapes";

/** Encodes an object; fields beyond its shape are dropped. Assumes that the values fit. */
export function encodeMessage(object: JsonObject, shape: StructShape): Uint8Array {
  const writer = new ProtobufWriter();
  writeMessage(writer, object, shape);
  return writer.finish();
}

/** Writes the fields of a message. */
export function writeMessage(writer: ProtobufWriter, object: JsonObject, shape: StructShape): void {
  for (const part of shape.message) {
    if ("field" in part) writeField(writer, part.number, object[part.field.name] ?? null, part.field);
    else {
      const start = writer.begin(part.number);
      writeMessage(writer, object, part.embedded);
      writer.end(start);
    }
  }
}

function writeField(writer: ProtobufWriter, number: number, value: JsonValue, { shape, pointer }: ShapeField): void {
  if (value === null && pointer) return;
  if (shape.kind === "list") return writeItems(writer, number, value, shape.item);
  if (shape.kind === "map") return writeEntries(writer, number, value, shape.item);
  if (shape.kind !== "bytes" || value !== null) writeValue(writer, number, value, shape);
}

function writeItems(writer: ProtobufWriter, number: number, value: JsonValue, item: Shape): void {
  if (Array.isArray(value)) for (const each of value) writeValue(writer, number, each, item);
}

function writeEntries(writer: ProtobufWriter, number: number, value: JsonValue, item: Shape): void {
  if (!isJsonObject(value)) return;
  for (const key of Object.keys(value).toSorted(compareBytes)) {
    const start = writer.begin(number);
    writer.string(1, key);
    const entry = getOwn(value, key) ?? null;
    if (item.kind !== "bytes" || entry !== null) writeValue(writer, 2, entry, item);
    writer.end(start);
  }
}

/** Null is the zero value. */
function writeValue(writer: ProtobufWriter, number: number, value: JsonValue, shape: Shape): void {
  switch (shape.kind) {
    case "string":
      return writer.string(number, typeof value === "string" ? value : "");
    case "bool":
      return writer.bool(number, value === true);
    case "int32":
    case "int64":
      return writer.int64(number, typeof value === "number" || typeof value === "bigint" ? value : 0);
    case "float64":
      return writer.double(number, Number(value ?? 0));
    case "bytes":
      return writer.bytes(number, decodeBase64(typeof value === "string" ? value : ""));
    case "struct":
      return writeNested(writer, number, (inner) => writeMessage(inner, isJsonObject(value) ? value : {}, shape));
    // As a value of a map, a list is a message with nothing else in it.
    case "list":
      return writeNested(writer, number, (inner) => writeItems(inner, 1, value, shape.item));
    case "own":
      return writeNested(writer, number, (inner) => writeOwn(inner, value, shape));
    case "map":
    default:
      throw new TypeError(`a map is no value of its own in protobuf: ${shape.goType}`);
  }
}

function writeNested(writer: ProtobufWriter, number: number, write: (writer: ProtobufWriter) => void): void {
  const start = writer.begin(number);
  write(writer);
  writer.end(start);
}

function writeOwn(writer: ProtobufWriter, value: JsonValue, { name, schema }: OwnShape): void {
  switch (name) {
    case "Quantity":
      return writer.string(1, typeof value === "string" ? value : "0");
    case "IntOrString":
      return writeIntOrString(writer, value);
    case "Time":
      return typeof value === "string" ? writeTimestamp(writer, Math.floor(parseTime(value) / 1000), 0) : undefined;
    case "MicroTime":
      return typeof value === "string" ? writeMicroTime(writer, parseMicroTime(value)) : undefined;
    case "RawExtension":
    case "FieldsV1":
    case "JSON":
      return value === null ? undefined : writer.string(1, encodeJson(value));
    case "JSONSchemaPropsOrBool":
      writer.bool(1, value !== null && value !== false);
      return writeSchema(writer, 2, value, schema);
    case "JSONSchemaPropsOrArray":
      if (Array.isArray(value)) return value.forEach((item) => writeSchema(writer, 2, item, schema));
      return writeSchema(writer, 1, value, schema);
    case "JSONSchemaPropsOrStringArray":
    default:
      if (Array.isArray(value)) return value.forEach((item) => writer.string(2, typeof item === "string" ? item : ""));
      return writeSchema(writer, 1, value, schema);
  }
}

function writeIntOrString(writer: ProtobufWriter, value: JsonValue): void {
  const isText = typeof value === "string";
  writer.int64(1, isText ? 1 : 0);
  writer.int64(2, isText ? 0 : Number(value));
  writer.string(3, isText ? value : "");
}

function writeMicroTime(writer: ProtobufWriter, micros: bigint): void {
  const rest = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  writeTimestamp(writer, (micros - rest) / 1_000_000n, Number(rest) * 1000);
}

function writeTimestamp(writer: ProtobufWriter, seconds: number | bigint, nanos: number): void {
  writer.int64(1, seconds);
  writer.int64(2, nanos);
}

function writeSchema(writer: ProtobufWriter, number: number, value: JsonValue, schema: StructShape | undefined): void {
  if (isJsonObject(value) && schema !== undefined) writeNested(writer, number, (inner) => writeMessage(inner, value, schema));
}
