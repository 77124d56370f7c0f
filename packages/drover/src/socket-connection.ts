/** Adapts a Node socket to the client's byte connection. */
import { once } from "node:events";
import type { Socket } from "node:net";
import type { ByteConnection } from "@drover/client";
import type { Clock } from "@drover/machinery";

/** Milliseconds for the peer to read the rest and close, after we have ended our side. */
const closeGraceMs = 2000;

/**
 * Guarantees: reads only on demand; `send` waits while the peer does not read; a broken socket ends `received` and all
 * waits without an error, because the caller could not handle it; `close` first delivers pending data, for at most two
 * seconds. Assumes that the socket was created with `allowHalfOpen`, so that each direction ends separately.
 */
export function socketConnection(socket: Socket, { clock }: { readonly clock: Clock }): ByteConnection {
  // An error without a listener would crash the process; the socket's state shows that it is closed.
  socket.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => void (socket.closed ? resolve() : socket.once("close", () => resolve())));
  return {
    received: received(socket),
    send: async (bytes) => {
      if (!socket.writable || socket.write(bytes)) return;
      await Promise.race([once(socket, "drain"), closed]).catch(() => undefined);
    },
    close: async () => {
      socket.end();
      // If unread data remains on close, the system discards what was sent last.
      socket.removeAllListeners("readable").resume();
      const cancel = clock.timer(closeGraceMs, () => socket.destroy());
      await closed;
      cancel();
    },
  };
}

async function* received(socket: Socket): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) yield chunk;
  } catch {
    // Reset by the peer: ends the stream.
  }
}
