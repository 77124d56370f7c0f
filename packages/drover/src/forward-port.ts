/**
 * Forwards a local port to a port of a pod, like `kubectl port-forward`.
 *
 *     listening socket → socketConnection → forwardConnections → one WebSocket per connection → port of the pod
 */
import { on, once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { forwardConnections } from "@drover/client";
import type { ByteConnection, ForwardConnectionsOptions, WebSocketConnect } from "@drover/client";
import { definedOnly } from "@drover/machinery";
import type { Clock, Log, ObjectName } from "@drover/machinery";
import { socketConnection } from "./socket-connection.ts";

/** Options of `forwardPort`. */
export interface ForwardPortOptions extends Pick<ForwardConnectionsOptions, "lingerMs"> {
  /** Port to listen on; 0 is any free port. @default the port of the pod */
  readonly local?: number;
  /** Port of the pod. */
  readonly remote: number;
  /** Address to listen on. Anything but loopback lets other machines reach the pod. @default "127.0.0.1" */
  readonly address?: string;
  /** Called when one connection fails; the others continue. @default logs a warning */
  readonly onError?: (error: unknown) => void;
  /** Closes the port and every connection, like `close`. @default no signal */
  readonly signal?: AbortSignal;
}

/** Dependencies of `forwardPort`. */
export interface ForwardPortDeps {
  readonly clock: Clock;
  readonly log: Log;
}

/** A listening port. `await using` closes it at the end of the block. */
export interface ForwardedPort extends AsyncDisposable {
  readonly address: string;
  /** The actual port, also if 0 was requested. */
  readonly port: number;
  /** Stops listening and closes every connection; resolves when all are closed. Safe to call twice. */
  close(): Promise<void>;
  /** Resolves when it is closed, for any reason; rejects if listening itself failed. */
  readonly closed: Promise<void>;
}

/**
 * Listens and forwards every connection to the pod. Resolves when it listens; rejects if it cannot, for example because
 * the port is taken. The first connection shows whether the pod answers: if not, it fails and `onError` is called.
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
        ...definedOnly({ lingerMs }),
      });
    } finally {
      signal?.removeEventListener("abort", end);
      end();
      await new Promise((resolve) => server.close(resolve));
    }
  };
  const closed = run();
  // Callers that ignore `closed` must not cause an unhandled rejection.
  closed.catch(() => undefined);
  const close = async (): Promise<void> => {
    end();
    await closed.catch(() => undefined);
  };
  return { address, port: (server.address() as AddressInfo).port, closed, close, [Symbol.asyncDispose]: close };
}

async function listening(server: Server, port: number, host: string): Promise<void> {
  // Rejects if "error" is emitted first.
  const listens = once(server, "listening");
  server.listen(port, host);
  await listens;
}

async function* connections(server: Server, clock: Clock): AsyncGenerator<ByteConnection, void, undefined> {
  for await (const [socket] of on(server, "connection", { close: ["close"] }) as AsyncIterable<[Socket]>)
    yield socketConnection(socket, { clock });
}

function warning(log: Log, { namespace, name }: ObjectName): (error: unknown) => void {
  return (error) => log.warn("connection to a forwarded port failed", { pod: `${namespace}/${name}`, error });
}
