/**
 * `channel.k8s.io`: several streams over one WebSocket. Every binary message begins with one byte that says to which stream it belongs.
 *
 *     (channel, bytes) → encodeChannelFrames → messages → decodeChannelFrame → (channel, bytes)
 */
import { StreamError } from "./stream-error.ts";
import type { WebSocketMessage } from "./web-socket.ts";

export interface ChannelFrame {
  readonly channel: number;
  readonly bytes: Uint8Array;
}

/** In the place of a channel: the channel in the next byte is closed for writing. Since v5. */
const closeSignal = 255;

/** As much as one message carries of a stream; servers refuse 32 MiB and read in pieces of this size anyway. */
export const frameBytesMax: number = 32 * 1024;

/** The messages that carry these bytes, none for none. */
export function* encodeChannelFrames(channel: number, bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let start = 0; start < bytes.length; start += frameBytesMax) {
    const part = bytes.subarray(start, start + frameBytesMax);
    const message = new Uint8Array(part.length + 1);
    message[0] = channel;
    message.set(part, 1);
    yield message;
  }
}

/** The message after which nothing more comes on a channel. */
export function encodeChannelClose(channel: number): Uint8Array {
  return Uint8Array.of(closeSignal, channel);
}

/**
 * Takes a message apart. A message of nothing but its channel has no bytes: servers announce channels this way. Throws
 * a `StreamError` at text and at an empty message.
 */
export function decodeChannelFrame(message: WebSocketMessage): ChannelFrame {
  if (typeof message === "string") throw new StreamError("protocol", "the server sent text on a connection for bytes");
  const [channel] = message;
  if (channel === undefined) throw new StreamError("protocol", "the server sent a message without a channel");
  return { channel, bytes: message.subarray(1) };
}
