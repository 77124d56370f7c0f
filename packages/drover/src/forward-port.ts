/**
 * A port of this machine that leads to a port of a pod, as `kubectl port-forward` makes one.
 *
 *     listening socket → socketConnection → forwardConnections → one WebSocket per connection → port of the pod
 */
import { on, once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { forwardConnections } from "@drover/client";
import type { ByteConnection, ForwardConnectionsOptions, WebSocketConnect } from "@drover/client";
import type { Clock, Log, ObjectName } from "@drover/machinery";
import { socketConnection } from "./socket-connection.ts";

export interface ForwardPortOptions extends Pick<ForwardConnectionsOptions, "lingerMs"> {
  /** The port to listen on; 0 lets the system choose a free one. @default the port of the pod */
  readonly local?: number;
  /** The port of the pod. */
  readonly remote: number;
  /** Where to listen. Anything but loopback lets others reach the pod through this machine. @default "127.0.0.1" */
  readonly address?: string;
  /** Is told when one connection could not be made or broke; the others go on. @default a warning in the log */
  readonly onError?: (error: unknown) => void;
  /** Ends the listening and every connection, as `close` does. @default only `close` does */
  readonly signal?: AbortSignal;
}

export interface ForwardPortDeps {
  readonly clock: Clock;
  readonly log: Log;
}

/** A port that listens. `await using` closes it at the end of the block. */
export interface ForwardedPort extends AsyncDisposable {
  readonly address: string;
  /** The port that was chosen, where 0 was asked for. */
  readonly port: number;
  /** Stops listening, ends every connection, and resolves when all of it is over. Doing it twice does no harm. */
  close(): Promise<void>;
  /** Resolves when it is over, whoever ended it; rejects when listening itself failed. */
  readonly closed: Promise<void>;
}

/**
 * Listens, and leads every connection to the pod. Resolves when it listens; rejects when that cannot be, as with a port that is taken.
 * Whether the pod answers is found out by the first connection: that one fails, and `onError` hears of it.
 */
export async function forwardPort(
  connect: WebSocketConnect,
  pod: ObjectName,
  options: ForwardPortOptions,
  { clock, log }: ForwardPortDeps,
): Promise<ForwardedPort> {
  const { remote, local = remote, address = "127.0.0.1", signal, lingerMs, onError = warning(log, pod) } = options;
  signal?.throwIfAborted();
  const server = createServer({ allowHalfOpen: true, noDelay: true });
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await listening(server, local, address);
  const ending = new AbortController();
  const end = (): void => {
    ending.abort(signal?.aborted === true ? signal.reason : new Error("the forwarded port was closed"));
    for (const socket of sockets) socket.destroy();
  };
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted === true) end();
  const run = async (): Promise<void> => {
    try {
      await forwardConnections(connect, pod, remote, connections(server, clock), {
        clock,
        signal: ending.signal,
        onError,
        ...(lingerMs === undefined ? {} : { lingerMs }),
      });
    } finally {
      signal?.removeEventListener("abort", end);
      end();
      await new Promise((resolve) => server.close(resolve));
    }
  };
  const closed = run();
  // Whoever does not look at it must not be punished with an unhandled rejection.
  closed.catch(() => undefined);
  const close = async (): Promise<void> => {
    end();
    await closed.catch(() => undefined);
  };
  return { address, port: (server.address() as AddressInfo).port, closed, close, [Symbol.asyncDispose]: close };
}

async function listening(server: Server, port: number, host: string): Promise<void> {
  // Rejects with an "error" that comes first.
  const listens = once(server, "listening");
  server.listen(port, host);
  await listens;
}

async function* connections(server: Server, clock: Clock): AsyncGenerator<ByteConnection, void, undefined> {
  for await (const [socket] of on(server, "connection", { close: ["close"] }) as AsyncIterable<[Socket]>)
    yield socketConnection(socket, { clock });
}

function warning(log: Log, { namespace, name }: ObjectName): (error: unknown) => void {
  return (error) => log.warn("a connection to a forwarded port failed", { pod: `${namespace}/${name}`, error });
}
