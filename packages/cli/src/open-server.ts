/**
 * Opens the port of an API server and creates the server behind it.
 *
 *     openServer({ listen, create, … }) → port open → create(port) → { server, listener, run }
 */
import type { ApiServer, Peer } from "@drover/apiserver";
import { listen } from "@drover/apiserver/node";
import type { Listener, ListenOptions } from "@drover/apiserver/node";
import { errorCode } from "@drover/machinery";
import type { Transport } from "@drover/machinery";
import { CommandError } from "./command-error.ts";

type ServerListenOptions = Omit<ListenOptions, "connection">;

/** Names of the options for address and port, for error messages. */
interface AddressFlags {
  readonly host: string;
  readonly port: string;
  /** What to do for any free port. */
  readonly anyPort: string;
}

/** Options of `openServer`. */
export interface OpenServerOptions {
  readonly listen: ServerListenOptions;
  readonly flags: AddressFlags;
  /** Creates the server that is reached at this port. */
  readonly create: (port: number) => Promise<ApiServer>;
  /** Wraps the server's transport. @default no wrapper */
  readonly through?: (transport: Transport) => Transport;
  /** Port to prefer if any free one may be used. @default none */
  readonly lastPort?: number;
}

/** A server and its port. */
export interface OpenServer {
  readonly server: ApiServer;
  readonly listener: Listener;
  /** Serves until `signal` aborts, and resolves when all watches have ended and all connections are closed. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/**
 * Requests that arrive before the server exists wait for it. Rejects with a `CommandError` if the port is not available; no port stays open
 * if the server cannot be created.
 */
export async function openServer({
  listen: options,
  flags,
  create,
  through = (transport) => transport,
  lastPort,
}: OpenServerOptions): Promise<OpenServer> {
  const connection = (peer: Peer): Transport => {
    const transport = server.then((made) => through(made.connection(peer)));
    return async (request) => (await transport)(request);
  };
  // Opens the port first, because the server publishes its address.
  const listening = listenAgain(lastPort, { ...options, connection }).catch((error: unknown) =>
    Promise.reject(portProblem(error, options, flags)),
  );
  const server = listening.then((listener) => create(listener.port));
  // Requests that wait for a server that cannot be created fail with their connection.
  server.catch(() => undefined);
  const listener = await listening;
  let made: ApiServer;
  try {
    made = await server;
  } catch (error) {
    await listener.run(AbortSignal.abort());
    throw error;
  }
  const run = async (signal: AbortSignal): Promise<void> => {
    await Promise.all([listener.run(signal), made.run(signal)]);
    await made.flushAudit();
    made.close();
  };
  return { server: made, listener, run };
}

/** Any free port is the one of the last run, if that is free. */
async function listenAgain(last: number | undefined, options: ListenOptions): Promise<Listener> {
  if (options.port !== 0 || last === undefined) return await listen(options);
  try {
    return await listen({ ...options, port: last });
  } catch (error) {
    if (errorCode(error) !== "EADDRINUSE" && errorCode(error) !== "EACCES") throw error;
    return await listen(options);
  }
}

function portProblem(error: unknown, { host = "127.0.0.1", port = 0 }: ServerListenOptions, flags: AddressFlags): unknown {
  const code = errorCode(error);
  switch (code) {
    case "EADDRINUSE":
      return new CommandError(
        `port ${port} on ${host} is in use by another program; choose another with ${flags.port}, or ${flags.anyPort} for any free one`,
        { problemCode: "DRV0801" },
      );
    case "EACCES":
      return new CommandError(
        `port ${port} requires privileges; choose one above 1023 with ${flags.port}, or ${flags.anyPort} for any free one`,
      );
    case "EADDRNOTAVAIL":
      return new CommandError(`this machine has no address ${host}; ${flags.host} 127.0.0.1 always works`);
    case undefined:
    default:
      return error;
  }
}
