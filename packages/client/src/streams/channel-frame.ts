/**
 * `channel.k8s.io`: several streams over one WebSocket. The first byte of every binary message is the stream's number.
 *
 *     (channel, bytes) → encodeChannelFrames → messages → decodeChannelFrame → (channel, bytes)
 */
import { StreamError } from "./stream-error.ts";
import type { WebSocketMessage } from "./web-socket.ts";

export interface ChannelFrame {
  readonly channel: number;
  readonly bytes: Uint8Array;
}

/** Instead of a channel: closes the channel in the next byte for writing. Since v5. */
const closeSignal = 255;

/** Maximum payload of one message; servers refuse 32 MiB and read in pieces of this size anyway. */
export const frameBytesMax: number = 32 * 1024;

/** Yields the messages for these bytes; none if empty. */
export function* encodeChannelFrames(channel: number, bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let start = 0; start < bytes.length; start += frameBytesMax) {
    const part = bytes.subarray(start, start + frameBytesMax);
    const message = new Uint8Array(part.length + 1);
    message[0] = channel;
    message.set(part, 1);
    yield message;
  }
}

/** Returns the message that ends a channel. */
export function encodeChannelClose(channel: number): Uint8Array {
  return Uint8Array.of(closeSignal, channel);
}

/**
 * Decodes a message. A message with only its channel has no bytes: servers announce channels this way. Throws a
 * `StreamError` for text and for an empty message.
 */
export function decodeChannelFrame(message: WebSocketMessage): ChannelFrame {
  if (typeof message === "string") throw new StreamError("protocol", "the server sent text on a binary connection");
  const [channel] = message;
  if (channel === undefined) throw new StreamError("protocol", "the server sent a message without a channel");
  return { channel, bytes: message.subarray(1) };
}
