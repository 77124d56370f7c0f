/**
 * A forwarded port as a stream of Node, so that its HTTP client can use it. No local port is opened: other users of this machine could ask
 * through it.
 *
 *     ByteConnection → tunnelStream → Duplex → http.request
 */
import { Duplex } from "node:stream";
import { errorText, isInstanceOf } from "@drover/machinery";
import type { ByteConnection } from "drover/client";

/** Returns the stream. It fails with what the connection throws, and closes the connection when it ends: both directions end together. */
export function tunnelStream(connection: ByteConnection): Duplex {
  const received = connection.received[Symbol.asyncIterator]();
  return new Duplex({
    read() {
      received.next().then(
        ({ done, value }) => void this.push(done === true ? null : value),
        (error: unknown) => void this.destroy(asError(error)),
      );
    },
    write(bytes: Uint8Array, _encoding, written) {
      connection.send(bytes).then(
        () => written(),
        (error: unknown) => written(asError(error)),
      );
    },
    destroy(error, closed) {
      const end = (): void => closed(error);
      connection.close().then(end, end);
    },
  });
}

const asError = (error: unknown): Error => (isInstanceOf(error, Error) ? error : new Error(errorText(error)));
