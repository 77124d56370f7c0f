/** A socket of this machine as the client sees it: bytes in, bytes out. */
import { once } from "node:events";
import type { Socket } from "node:net";
import type { ByteConnection } from "@drover/client";
import type { Clock } from "@drover/machinery";

/** How long the other side may take, once it is told that nothing more comes, to take the rest and to end as well. */
const closeGraceMs = 2000;

/**
 * Guarantees: nothing is read before it is asked for; `send` waits while the other side does not read; a socket that
 * breaks ends `received` and everything
 * that waits, since nobody here could do anything about it; `close` first delivers what was sent, and waits no longer
 * than two seconds for that.
 * Assumes: the socket was made with `allowHalfOpen`, so that the end of one direction is not the end of the other.
 */
export function socketConnection(socket: Socket, { clock }: { readonly clock: Clock }): ByteConnection {
  // An error without a listener would end the process; that the socket is gone is seen from its state.
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
      // Closing a socket that has something unread would make the system throw away what was sent last.
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
    // Reset by the other side: for whoever reads, this is its end.
  }
}
