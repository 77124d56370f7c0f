/** Decodes a Status in protobuf, so that errors can be read without the tables of all types. */
import { definedOnly } from "../json/defined-only.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";
import { decodeEnvelope } from "./envelope.ts";
import { ProtobufReader } from "./protobuf-reader.ts";
import { bytesType, varintType } from "./wire-type.ts";

/** Returns the JSON of a Status in its envelope; undefined for an object of another kind. Throws a `ProtobufError`. */
export function decodeStatusMessage(bytes: Uint8Array): JsonObject | undefined {
  const { kind, apiVersion, message } = decodeEnvelope(bytes);
  if (kind !== "Status") return undefined;
  const texts = ["", "", "status", "message", "reason"] as const;
  const found: JsonObject = {};
  let metadata: JsonObject = {};
  const reader = new ProtobufReader(message);
  while (reader.next("Status")) {
    const text = texts[reader.field];
    if (text !== undefined && text !== "") found[text] = readText(reader, text);
    else if (reader.field === 1) metadata = within(reader, "metadata", readListMeta);
    else if (reader.field === 5) found["details"] = within(reader, "details", readDetails);
    else if (reader.field === 6) found["code"] = readNumber(reader, "code");
    else reader.skip();
  }
  return withoutZeros({ kind, apiVersion, metadata, ...found });
}

function readListMeta(reader: ProtobufReader): JsonObject {
  const names = ["", "selfLink", "resourceVersion", "continue"] as const;
  const found: JsonObject = {};
  let remainingItemCount: number | bigint | undefined;
  while (reader.next("ListMeta")) {
    const name = names[reader.field];
    if (name !== undefined && name !== "") found[name] = readText(reader, name);
    else if (reader.field === 4) {
      expectType(reader, varintType, "remainingItemCount");
      remainingItemCount = reader.int64();
    } else reader.skip();
  }
  // A pointer in Go, so that 0 is not left out.
  return { ...withoutZeros(found), ...definedOnly({ remainingItemCount }) };
}

function readDetails(reader: ProtobufReader): JsonObject {
  const names = ["", "name", "group", "kind", "", "", "uid"] as const;
  const found: JsonObject = {};
  const causes: JsonValue[] = [];
  while (reader.next("StatusDetails")) {
    const name = names[reader.field];
    if (name !== undefined && name !== "") found[name] = readText(reader, name);
    else if (reader.field === 4) causes.push(within(reader, "causes", readCause));
    else if (reader.field === 5) found["retryAfterSeconds"] = readNumber(reader, "retryAfterSeconds");
    else reader.skip();
  }
  const { name, group, kind, uid, retryAfterSeconds } = found;
  return withoutZeros(definedOnly({ name, group, kind, uid, causes: causes.length > 0 ? causes : undefined, retryAfterSeconds }));
}

function readCause(reader: ProtobufReader): JsonObject {
  const names = ["", "reason", "message", "field"] as const;
  const found: JsonObject = {};
  while (reader.next("StatusCause")) {
    const name = names[reader.field];
    if (name !== undefined && name !== "") found[name] = readText(reader, name);
    else reader.skip();
  }
  return withoutZeros(found);
}

function within(reader: ProtobufReader, name: string, read: (reader: ProtobufReader) => JsonObject): JsonObject {
  expectType(reader, bytesType, name);
  const outer = reader.enter();
  const value = read(reader);
  reader.leave(outer);
  return value;
}

function readText(reader: ProtobufReader, name: string): string {
  expectType(reader, bytesType, name);
  return reader.string();
}

function readNumber(reader: ProtobufReader, name: string): number {
  expectType(reader, varintType, name);
  return reader.int32();
}

const expectType = (reader: ProtobufReader, wireType: number, name: string): void =>
  reader.expect(wireType, name.charAt(0).toUpperCase() + name.slice(1));

const withoutZeros = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== "" && value !== 0));
