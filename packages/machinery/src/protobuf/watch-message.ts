/**
 * Watch events in protobuf: each is a message with a four-byte length prefix that holds the enveloped object.
 *
 *     type, enveloped object ⇄ one frame of a stream
 */
import { isWatchEventType } from "../wire/watch-frame.ts";
import type { WatchEventType } from "../wire/watch-frame.ts";
import { protobufMediaType } from "./envelope.ts";
import { ProtobufError } from "./protobuf-error.ts";
import { ProtobufReader } from "./protobuf-reader.ts";
import { ProtobufWriter } from "./protobuf-writer.ts";
import { bytesType } from "./wire-type.ts";

/** Media type of such a stream. */
export const protobufWatchMediaType: string = `${protobufMediaType};stream=watch`;

export interface WatchMessage {
  readonly type: WatchEventType;
  /** In its envelope. */
  readonly object: Uint8Array;
}

const lengthSize = 4;

/** Encodes one frame. */
export function encodeWatchMessage({ type, object }: WatchMessage): Uint8Array {
  const writer = new ProtobufWriter();
  writer.raw(new Uint8Array(lengthSize));
  writer.string(1, type);
  const start = writer.begin(2);
  writer.bytes(1, object);
  writer.end(start);
  const frame = writer.finish();
  new DataView(frame.buffer).setUint32(0, frame.length - lengthSize);
  return frame;
}

/** Decodes all complete frames, and returns the remaining bytes. Throws a `ProtobufError` for an invalid frame. */
export function decodeWatchMessages(bytes: Uint8Array): { readonly messages: readonly WatchMessage[]; readonly rest: Uint8Array } {
  const messages: WatchMessage[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (at + lengthSize <= bytes.length) {
    const end = at + lengthSize + view.getUint32(at);
    if (end > bytes.length) break;
    messages.push(decodeWatchMessage(bytes.subarray(at + lengthSize, end)));
    at = end;
  }
  return { messages, rest: bytes.subarray(at) };
}

/** Decodes a frame without its length. Throws a `ProtobufError`. */
export function decodeWatchMessage(bytes: Uint8Array): WatchMessage {
  const reader = new ProtobufReader(bytes);
  let type = "";
  let object: Uint8Array = new Uint8Array();
  while (reader.next("WatchEvent")) {
    if (reader.field === 1) {
      reader.expect(bytesType, "Type");
      type = reader.string();
    } else if (reader.field === 2) {
      reader.expect(bytesType, "Object");
      object = decodeRaw(reader) ?? object;
    } else reader.skip();
  }
  if (!isWatchEventType(type)) throw new ProtobufError(`the type of a watch event is ${JSON.stringify(type)}`);
  return { type, object };
}

/** Returns the bytes in a RawExtension. */
function decodeRaw(reader: ProtobufReader): Uint8Array | undefined {
  let raw: Uint8Array | undefined;
  const outer = reader.enter();
  while (reader.next("RawExtension")) {
    if (reader.field === 1) {
      reader.expect(bytesType, "Raw");
      raw = reader.bytes();
    } else reader.skip();
  }
  reader.leave(outer);
  return raw;
}
