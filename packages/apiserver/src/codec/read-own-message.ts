/** Decodes values of types with their own unmarshaller from protobuf. `write-message.ts` encodes them. */
import { Quantity, canonicalTime, decodeJson, formatMicroTime, formatTime, isJsonObject, JsonError } from "@drover/machinery";
import { boundedQuantity } from "./bounded-quantity.ts";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { bytesType, ProtobufError, varintType } from "@drover/machinery/protobuf";
import type { ProtobufReader } from "@drover/machinery/protobuf";
import type { OwnShape, StructShape } from "@drover/api/shapes";

/** Reads a struct inside such a value; the reader is before its length. */
export type ReadNested = (reader: ProtobufReader, shape: StructShape, into: JsonObject) => void;

/** Returns the value as JSON; null for none. Throws a `ProtobufError`. */
export function readOwnMessage(reader: ProtobufReader, { name, schema }: OwnShape, readNested: ReadNested): JsonValue {
  switch (name) {
    case "Quantity":
      return readQuantity(reader);
    case "IntOrString":
      return readIntOrString(reader);
    case "Time":
      return readTimestamp(reader, ({ seconds }) => (inYears(seconds), canonicalTime(formatTime(seconds * 1000))));
    case "MicroTime":
      return readTimestamp(
        reader,
        ({ seconds, nanos }) => (inYears(seconds), formatMicroTime(BigInt(seconds) * 1_000_000n + BigInt(Math.trunc(nanos / 1000)))),
      );
    case "RawExtension":
    case "FieldsV1":
    case "JSON":
      return readRaw(reader, name);
    case "JSONSchemaPropsOrBool":
    case "JSONSchemaPropsOrArray":
    case "JSONSchemaPropsOrStringArray":
    default:
      return readChoice(reader, name, schema, readNested);
  }
}

function readQuantity(reader: ProtobufReader): string {
  let text = "";
  const outer = reader.enter();
  while (reader.next("Quantity")) {
    if (reader.field !== 1) reader.skip();
    else {
      reader.expect(bytesType, "String_");
      text = reader.string();
    }
  }
  reader.leave(outer);
  return text === "" ? "0" : parsedQuantity(text);
}

function parsedQuantity(text: string): string {
  try {
    return boundedQuantity(text, (given) => Quantity.parse(given)).toString();
  } catch (error) {
    throw new ProtobufError((error as Error).message);
  }
}

function readIntOrString(reader: ProtobufReader): JsonValue {
  let type: number | bigint = 0;
  let number = 0;
  let text = "";
  const outer = reader.enter();
  while (reader.next("IntOrString")) {
    if (reader.field === 1) {
      reader.expect(varintType, "Type");
      type = reader.int64();
    } else if (reader.field === 2) {
      reader.expect(varintType, "IntVal");
      number = reader.int32();
    } else if (reader.field === 3) {
      reader.expect(bytesType, "StrVal");
      text = reader.string();
    } else reader.skip();
  }
  reader.leave(outer);
  if (type !== 0 && type !== 1) throw new ProtobufError("impossible IntOrString.Type");
  return type === 0 ? number : text;
}

interface Timestamp {
  readonly seconds: number;
  readonly nanos: number;
}

/** A message without fields is the zero time. */
function readTimestamp(reader: ProtobufReader, write: (time: Timestamp) => string | null): string | null {
  let seconds: number | bigint = 0;
  let nanos = 0;
  const outer = reader.enter();
  const isZero = !reader.hasMore;
  while (reader.next("Timestamp")) {
    if (reader.field === 1) {
      reader.expect(varintType, "Seconds");
      seconds = reader.int64();
    } else if (reader.field === 2) {
      reader.expect(varintType, "Nanos");
      nanos = reader.int32();
    } else reader.skip();
  }
  reader.leave(outer);
  return isZero ? null : write({ seconds: Number(seconds), nanos });
}

const [secondsMin, secondsMax] = [-62_167_219_200, 253_402_300_799] as const;

function inYears(seconds: number): void {
  if (seconds < secondsMin || seconds > secondsMax) throw new ProtobufError("Time.MarshalJSON: year outside of range [0,9999]");
}

/** Embedded JSON. */
function readRaw(reader: ProtobufReader, name: string): JsonValue {
  let text = "";
  const outer = reader.enter();
  while (reader.next(name)) {
    if (reader.field !== 1) reader.skip();
    else {
      reader.expect(bytesType, "Raw");
      text = reader.string();
    }
  }
  reader.leave(outer);
  return text === "" ? null : parsedJson(text, name);
}

function parsedJson(text: string, name: string): JsonValue {
  try {
    return decodeJson(text);
  } catch (error) {
    if (error instanceof JsonError) throw new ProtobufError(`json: error calling MarshalJSON for type ${name}: ${error.detail}`);
    throw error;
  }
}

/** A schema, several schemas, or what may replace them. */
function readChoice(reader: ProtobufReader, name: string, schema: StructShape | undefined, readNested: ReadNested): JsonValue {
  const isBool = name === "JSONSchemaPropsOrBool";
  let allows = false;
  let single: JsonObject | undefined;
  const several: JsonValue[] = [];
  const outer = reader.enter();
  while (reader.next(name)) {
    if (reader.field > 2) reader.skip();
    else if (isBool && reader.field === 1) {
      reader.expect(varintType, "Allows");
      allows = reader.bool();
    } else if (name === "JSONSchemaPropsOrStringArray" && reader.field === 2) {
      reader.expect(bytesType, "Property");
      several.push(reader.string());
    } else {
      reader.expect(bytesType, reader.field === 2 && !isBool ? "JSONSchemas" : "Schema");
      const isItem = reader.field === 2 && !isBool;
      const into: JsonObject = isItem ? {} : isJsonObject(single) ? single : {};
      if (schema !== undefined) readNested(reader, schema, into);
      if (isItem) several.push(into);
      else single = into;
    }
  }
  reader.leave(outer);
  return several.length > 0 ? several : (single ?? (isBool ? allows : null));
}
