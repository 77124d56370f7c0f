/**
 * A connection to a port of a pod, through the API server: bytes in, bytes out.
 *
 *     ByteConnection ⇄ channels 0 (data) and 1 (errors) ⇄ (WebSocket, v4.channel.k8s.io) ⇄ port
 *
 * Every connection has its own WebSocket, so that an unread one does not block the others. Of the two protocols that servers
 * accept, this is the one without SPDY inside. It cannot end only one direction.
 */
import { definedOnly } from "@drover/machinery";
import type { ObjectName } from "@drover/machinery";
import { decodeChannelFrame, encodeChannelFrames } from "./channel-frame.ts";
import { attemptText, openChannel } from "./open-channel.ts";
import { PortHeader } from "./port-header.ts";
import { StreamError } from "./stream-error.ts";
import type { WebSocketChannel, WebSocketConnect } from "./web-socket.ts";

/** Bytes in both directions: a port of a pod, or a local socket. */
export interface ByteConnection {
  /** Bytes from the other side until it closes, for one reader. A slow reader slows the sender down. */
  readonly received: AsyncIterable<Uint8Array>;
  /** Resolves when there is room for more. */
  send(bytes: Uint8Array): Promise<void>;
  /** Closes both directions and resolves when that is done. Idempotent. */
  close(): Promise<void>;
}

export interface PortForwardOptions {
  /** Ends the connection, also after it was opened. @default only `close` ends it */
  readonly signal?: AbortSignal;
}

const dataChannel = 0;
const errorChannel = 1;

/**
 * Connects to a port of a pod. Rejects with an `ApiError` if the server refuses. The node notices a port without a listener
 * only later: `received` then throws a `StreamError` of reason "remote".
 */
export async function portForward(
  connect: WebSocketConnect,
  pod: ObjectName,
  port: number,
  { signal }: PortForwardOptions = {},
): Promise<ByteConnection> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new TypeError(`portForward: ${port} is not a port from 1 to 65535`);
  const channel = await openChannel(connect, {
    pod,
    subresource: "portforward",
    query: [["ports", port]],
    protocols: ["v4.channel.k8s.io"],
    ...definedOnly({ signal }),
  });
  return {
    received: received(channel, port, `${attemptText("portforward", pod)}, ${port}`),
    send: async (bytes) => {
      for (const message of encodeChannelFrames(dataChannel, bytes)) await channel.send(message);
    },
    close: () => channel.close(),
  };
}

async function* received(channel: WebSocketChannel, port: number, attempt: string): AsyncGenerator<Uint8Array, void, undefined> {
  const headers = [new PortHeader(port), new PortHeader(port)];
  try {
    for await (const message of channel.messages) {
      const frame = decodeChannelFrame(message);
      const bytes = headers[frame.channel]?.cut(frame.bytes) ?? frame.bytes;
      if (bytes.length === 0) continue;
      if (frame.channel === dataChannel) yield bytes;
      else if (frame.channel === errorChannel) throw new StreamError("remote", `${attempt}: ${new TextDecoder().decode(bytes)}`);
    }
  } finally {
    await channel.close();
  }
}
