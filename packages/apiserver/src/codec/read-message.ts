/**
 * Decodes protobuf into a type as Go does: later values replace earlier ones, repeated messages are merged, unknown fields are
 * skipped.
 *
 *     bytes of a message, StructShape → decodeMessage → JSON value that fits the type → writeStruct
 *
 * The result contains zero values where the bytes do; `write-typed.ts` decides which of them stay.
 */
import { isJsonObject, setOwn } from "@drover/machinery";
import { bytesType, fixed64Type, ProtobufError, ProtobufReader, varintType } from "@drover/machinery/protobuf";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { encodeBase64 } from "./base64.ts";
import { readOwnMessage } from "./read-own-message.ts";
import type { MapShape, MessageField, Shape, ShapeField, StructShape } from "@drover/api/shapes";

/** Decodes a whole message. Throws a `ProtobufError` in Go's words. */
export function decodeMessage(bytes: Uint8Array, shape: StructShape): JsonObject {
  const object: JsonObject = {};
  readMessage(new ProtobufReader(bytes), shape, object);
  return object;
}

function readMessage(reader: ProtobufReader, shape: StructShape, into: JsonObject): void {
  while (reader.next(shape.goName)) {
    const part = shape.at(reader.field);
    if (part === undefined) reader.skip();
    else readPart(reader, part, into);
  }
}

function readPart(reader: ProtobufReader, part: MessageField, into: JsonObject): void {
  if ("field" in part) return readField(reader, part.field, into);
  reader.expect(bytesType, part.embedded.goName);
  readNested(reader, part.embedded, into);
}

function readField(reader: ProtobufReader, field: ShapeField, into: JsonObject): void {
  const { name, shape } = field;
  const before = into[name];
  switch (shape.kind) {
    case "list": {
      const list = Array.isArray(before) ? before : [];
      into[name] = list;
      return readItems(reader, shape.item, field, list);
    }
    case "map": {
      reader.expect(bytesType, goFieldName(name));
      const map = isJsonObject(before) ? before : {};
      into[name] = map;
      return readEntry(reader, shape, map);
    }
    case "struct": {
      reader.expect(bytesType, goFieldName(name));
      const struct = isJsonObject(before) ? before : {};
      into[name] = struct;
      return readNested(reader, shape, struct);
    }
    case "string":
    case "bool":
    case "int32":
    case "int64":
    case "float64":
    case "bytes":
    case "own":
    default:
      reader.expect(wireTypeOf(shape), goFieldName(name));
      into[name] = readValue(reader, shape);
  }
}

/** Reads one item, or several packed numbers. */
function readItems(reader: ProtobufReader, item: Shape, { name }: ShapeField, list: JsonValue[]): void {
  const wireType = wireTypeOf(item);
  const isPacked = wireType !== bytesType && reader.wireType === bytesType;
  if (!isPacked) {
    reader.expect(wireType, goFieldName(name));
    list.push(readValue(reader, item));
    return;
  }
  const outer = reader.enter();
  while (reader.hasMore) list.push(readValue(reader, item));
  reader.leave(outer);
}

function readEntry(reader: ProtobufReader, { item }: MapShape, map: JsonObject): void {
  let key = "";
  let value: JsonValue | undefined;
  const outer = reader.enter();
  while (reader.next("map entry")) {
    if (reader.field === 1) key = reader.string();
    else if (reader.field === 2) value = readValue(reader, item);
    else reader.skip();
  }
  reader.leave(outer);
  // Absent bytes are empty, not null.
  setOwn(map, key, value ?? (item.kind === "bytes" ? "" : null));
}

function readNested(reader: ProtobufReader, shape: StructShape, into: JsonObject): void {
  const outer = reader.enter();
  readMessage(reader, shape, into);
  reader.leave(outer);
}

function readValue(reader: ProtobufReader, shape: Shape): JsonValue {
  switch (shape.kind) {
    case "string":
      return reader.string();
    case "bool":
      return reader.bool();
    case "int32":
      return reader.int32();
    case "int64":
      return reader.int64();
    case "float64":
      return finite(reader.double());
    case "bytes":
      return encodeBase64(reader.bytes());
    case "struct": {
      const struct: JsonObject = {};
      readNested(reader, shape, struct);
      return struct;
    }
    // As a value of a map, a list is a message with nothing else in it.
    case "list":
      return readWrappedList(reader, shape.item, shape.goType);
    case "own":
      return readOwnMessage(reader, shape, readNested);
    case "map":
    default:
      throw new TypeError(`a map is no value of its own in protobuf: ${shape.goType}`);
  }
}

function readWrappedList(reader: ProtobufReader, item: Shape, goType: string): JsonValue[] {
  const list: JsonValue[] = [];
  const outer = reader.enter();
  while (reader.next(goType.slice(goType.indexOf(".") + 1))) {
    if (reader.field !== 1) {
      reader.skip();
      continue;
    }
    reader.expect(wireTypeOf(item), "Items");
    list.push(readValue(reader, item));
  }
  reader.leave(outer);
  return list;
}

function wireTypeOf({ kind }: Shape): number {
  return kind === "bool" || kind === "int32" || kind === "int64" ? varintType : kind === "float64" ? fixed64Type : bytesType;
}

/** JSON has no other numbers. */
function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new ProtobufError(`json: unsupported value: ${Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf"}`);
}

/** Go's name of a field, for messages; a few ("podIPs", "osImage") differ in case. */
const goFieldName = (name: string): string => (name === "metadata" ? "ObjectMeta" : name.charAt(0).toUpperCase() + name.slice(1));
