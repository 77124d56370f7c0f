/** Decodes values of types with a JSON format of their own: times, quantities, numbers or texts, embedded JSON, schemas. */
import { decodeJson, formatMicroTime, formatTime, isInstanceOf, JsonError } from "@drover/machinery";
import { bytesType, ProtobufError, ProtobufReader, varintType } from "@drover/machinery/protobuf";
import type { JsonObject, JsonValue } from "@drover/machinery";
import type { OwnName } from "./go-type.ts";
import type { TextTable } from "./text-table.ts";

const timeCount = 64;
/** The first second of the year 1, which is written `null`. */
const zeroSeconds = -62_135_596_800;
const [secondsMin, secondsMax] = [-62_167_219_200, 253_402_300_799] as const;

/** Decodes the message of a schema into the schema of an earlier message, if there is one; `bytes` is a view of the whole message. */
export type ReadSchema = (bytes: Uint8Array, before: JsonObject | undefined) => JsonObject;

export interface OwnMessageOptions {
  /** Returns the JSON of a quantity, or throws a `ProtobufError`. @default the text itself: servers send quantities in canonical form */
  readonly quantity?: (text: string) => string;
}

/** Guarantees: keeps at most `timeCount` times. */
export class OwnMessages {
  readonly #texts: TextTable;
  readonly #quantityOf: (text: string) => string;
  // Most times of an object are the same few.
  readonly #seconds: number[] = Array.from({ length: timeCount }, () => Number.NaN);
  readonly #times: string[] = Array.from({ length: timeCount }, () => "");

  constructor(texts: TextTable, { quantity = (text) => text }: OwnMessageOptions = {}) {
    this.#texts = texts;
    this.#quantityOf = quantity;
  }

  /** Returns the JSON of the message from `from` to `to`; null for none. Throws a `ProtobufError`. */
  read(name: OwnName, bytes: Uint8Array, from: number, to: number, readSchema: ReadSchema): JsonValue {
    switch (name) {
      case "Time":
        return this.#time(bytes, from, to);
      case "MicroTime": {
        const time = timestamp(bytes.subarray(from, to));
        const isZero = time === undefined || (time.seconds === zeroSeconds && time.nanos < 1000);
        return isZero ? null : formatMicroTime(BigInt(time.seconds) * 1_000_000n + BigInt(Math.trunc(time.nanos / 1000)));
      }
      case "Quantity":
        return this.#quantity(bytes, from, to);
      case "IntOrString":
        return isSmallNumber(bytes, from, to) ? (bytes[from + 3] as number) : readIntOrString(bytes.subarray(from, to));
      case "RawExtension":
      case "FieldsV1":
      case "JSON":
        return readJson(bytes.subarray(from, to), name);
      case "JSONSchemaPropsOrBool":
      case "JSONSchemaPropsOrArray":
      case "JSONSchemaPropsOrStringArray":
      default:
        return readChoice(bytes.subarray(from, to), name, readSchema);
    }
  }

  #time(bytes: Uint8Array, from: number, to: number): string | null {
    // Five bytes of seconds until the year 2106, then no nanoseconds.
    const isUsual = to - from === 8 && bytes[from] === 0x08 && bytes[from + 6] === 0x10 && bytes[from + 7] === 0;
    let seconds = 0;
    let continued = 0x80;
    for (let at = 4; at >= 1; at--) {
      const byte = bytes[from + at] as number;
      continued &= byte;
      seconds = seconds * 128 + (byte & 0x7f);
    }
    const highest = bytes[from + 5] as number;
    if (isUsual && continued === 0x80 && highest < 0x80) return this.#format(seconds + highest * 0x1000_0000);
    const time = timestamp(bytes.subarray(from, to));
    return time === undefined ? null : this.#format(time.seconds);
  }

  #quantity(bytes: Uint8Array, from: number, to: number): string {
    const isUsual = to - from < 0x80 && bytes[from] === 0x0a && bytes[from + 1] === to - from - 2;
    const text = isUsual ? this.#texts.text(bytes, from + 2, to) : readText(bytes.subarray(from, to), "Quantity", "String_");
    return text === "" ? "0" : this.#quantityOf(text);
  }

  #format(seconds: number): string | null {
    const slot = Math.abs(seconds % timeCount);
    if (this.#seconds[slot] === seconds) return this.#times[slot] as string;
    const text = formatTime(inYears(seconds) * 1000);
    if (seconds === zeroSeconds) return null;
    this.#seconds[slot] = seconds;
    this.#times[slot] = text;
    return text;
  }
}

/** Whether an IntOrString is a number below 128, as Go writes it: type 0, the number, an empty text. */
const isSmallNumber = (bytes: Uint8Array, from: number, to: number): boolean =>
  to - from === 6 &&
  bytes[from] === 0x08 &&
  bytes[from + 1] === 0 &&
  bytes[from + 2] === 0x10 &&
  (bytes[from + 3] as number) < 0x80 &&
  bytes[from + 4] === 0x1a &&
  bytes[from + 5] === 0;

interface Timestamp {
  readonly seconds: number;
  readonly nanos: number;
}

/** A message without fields is the zero time: undefined. */
function timestamp(bytes: Uint8Array): Timestamp | undefined {
  if (bytes.length === 0) return undefined;
  let seconds = 0;
  let nanos = 0;
  const reader = new ProtobufReader(bytes);
  while (reader.next("Timestamp")) {
    if (reader.field === 1) {
      reader.expect(varintType, "Seconds");
      seconds = Number(reader.int64());
    } else if (reader.field === 2) {
      reader.expect(varintType, "Nanos");
      nanos = reader.int32();
    } else reader.skip();
  }
  return { seconds: inYears(seconds), nanos };
}

function inYears(seconds: number): number {
  if (seconds >= secondsMin && seconds <= secondsMax) return seconds;
  throw new ProtobufError("Time.MarshalJSON: year outside of range [0,9999]");
}

/** Returns the text in field 1; "" for none. */
function readText(bytes: Uint8Array, name: string, field: string): string {
  let text = "";
  const reader = new ProtobufReader(bytes);
  while (reader.next(name)) {
    if (reader.field !== 1) reader.skip();
    else {
      reader.expect(bytesType, field);
      text = reader.string();
    }
  }
  return text;
}

function readIntOrString(bytes: Uint8Array): JsonValue {
  let type: number | bigint = 0;
  let number = 0;
  let text = "";
  const reader = new ProtobufReader(bytes);
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
  if (type !== 0 && type !== 1) throw new ProtobufError("impossible IntOrString.Type");
  return type === 0 ? number : text;
}

/** Embedded JSON. */
function readJson(bytes: Uint8Array, name: string): JsonValue {
  const text = readText(bytes, name, "Raw");
  try {
    return text === "" ? null : decodeJson(text);
  } catch (error) {
    if (!isInstanceOf(error, JsonError)) throw error;
    throw new ProtobufError(`json: error calling MarshalJSON for type ${name}: ${error.detail}`);
  }
}

/** A schema, several schemas, or what may replace them. */
function readChoice(bytes: Uint8Array, name: string, readSchema: ReadSchema): JsonValue {
  const isBool = name === "JSONSchemaPropsOrBool";
  let allows = false;
  let single: JsonObject | undefined;
  const several: JsonValue[] = [];
  const reader = new ProtobufReader(bytes);
  while (reader.next(name)) {
    if (reader.field > 2) reader.skip();
    else if (isBool && reader.field === 1) {
      reader.expect(varintType, "Allows");
      allows = reader.bool();
    } else if (name === "JSONSchemaPropsOrStringArray" && reader.field === 2) {
      reader.expect(bytesType, "Property");
      several.push(reader.string());
    } else {
      const isItem = reader.field === 2 && !isBool;
      reader.expect(bytesType, isItem ? "JSONSchemas" : "Schema");
      if (isItem) several.push(readSchema(reader.bytes(), undefined));
      else single = readSchema(reader.bytes(), single);
    }
  }
  return several.length > 0 ? several : (single ?? (isBool ? allows : null));
}
