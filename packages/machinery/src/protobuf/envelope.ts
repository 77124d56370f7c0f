/**
 * Protobuf objects on the wire: four magic bytes, then a message with the kind and the object's own message.
 *
 *     kind, message ⇄ "k8s\0" and runtime.Unknown
 */
import { ProtobufError } from "./protobuf-error.ts";
import { ProtobufReader } from "./protobuf-reader.ts";
import { ProtobufWriter } from "./protobuf-writer.ts";
import { bytesType } from "./wire-type.ts";

/** Media type of an enveloped object. */
export const protobufMediaType = "application/vnd.kubernetes.protobuf";

export interface Envelope {
  /** "apps/v1"; "" when unset. */
  readonly apiVersion: string;
  /** "" when unset. */
  readonly kind: string;
  /** Message of the object. */
  readonly message: Uint8Array;
}

const prefix: Readonly<Uint8Array> = new Uint8Array([0x6b, 0x38, 0x73, 0x00]);

/** Encodes an object from its message. */
export function encodeEnvelope({ apiVersion, kind, message }: Envelope): Uint8Array {
  const writer = new ProtobufWriter();
  writer.raw(prefix);
  const start = writer.begin(1);
  writer.string(1, apiVersion);
  writer.string(2, kind);
  writer.end(start);
  writer.bytes(2, message);
  // Content encoding and content type; empty means protobuf as it is.
  writer.string(3, "");
  writer.string(4, "");
  return writer.finish();
}

/** Whether these bytes are an object in its envelope. */
export const isEnvelope = (bytes: Uint8Array): boolean => prefix.every((byte, at) => bytes[at] === byte);

/** Decodes an envelope; the message is a view of the bytes. Throws a `ProtobufError` in the server's words. */
export function decodeEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw new ProtobufError("empty data");
  if (prefix.some((byte, at) => bytes[at] !== byte))
    throw new ProtobufError(`provided data does not appear to be a protobuf message, expected prefix [${prefix.join(" ")}]`);
  if (bytes.length === prefix.length) throw new ProtobufError("empty body");
  const reader = new ProtobufReader(bytes.subarray(prefix.length));
  let names = { apiVersion: "", kind: "" };
  let message: Uint8Array = new Uint8Array();
  while (reader.next("Unknown")) {
    if (reader.field === 1) names = decodeTypeMeta(reader, names);
    else if (reader.field === 2) {
      reader.expect(bytesType, "Raw");
      message = reader.bytes();
    } else {
      if (reader.field === 3 || reader.field === 4) reader.expect(bytesType, reader.field === 3 ? "ContentEncoding" : "ContentType");
      reader.skip();
    }
  }
  return { ...names, message };
}

interface TypeNames {
  readonly apiVersion: string;
  readonly kind: string;
}

function decodeTypeMeta(reader: ProtobufReader, before: TypeNames): TypeNames {
  reader.expect(bytesType, "TypeMeta");
  let { apiVersion, kind } = before;
  const outer = reader.enter();
  while (reader.next("TypeMeta")) {
    if (reader.field === 1) {
      reader.expect(bytesType, "APIVersion");
      apiVersion = reader.string();
    } else if (reader.field === 2) {
      reader.expect(bytesType, "Kind");
      kind = reader.string();
    } else reader.skip();
  }
  reader.leave(outer);
  return { apiVersion, kind };
}
