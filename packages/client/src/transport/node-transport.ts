/**
 * Requests over real sockets: HTTP/1.1 over TCP or TLS, directly or through a proxy, with a connection pool.
 *
 *     HttpRequest → TlsSource → ConnectionPool → node-dial.ts → NodeExchange → HttpResponse
 */
import { setMaxListeners } from "node:events";
import type { Socket } from "node:net";
import type { Clock, HttpRequest, HttpResponse, Log, Random, Transport } from "@drover/machinery";
import { definedOnly, isTimeoutError, jittered, withTimeout } from "@drover/machinery";
import { ConnectionPool } from "./connection-pool.ts";
import type { Lease } from "./connection-pool.ts";
import { closedWhileIdle, idleLimit } from "./idle-limit-state.ts";
import { NodeConnection } from "./node-connection.ts";
import { dialler } from "./node-dial.ts";
import type { DialOptions } from "./dial-options.ts";
import type { Dialler } from "./node-dial.ts";
import { NodeExchange } from "./node-exchange.ts";
import type { ExchangePlace } from "./node-exchange.ts";
import { attemptOf, isSafe, isStream } from "./request-nature.ts";
import { parseServerAddress } from "./server-address.ts";
import { withTlsSettings } from "./tls-settings.ts";
import type { TlsSettings, TlsSource } from "./tls-settings.ts";
import { TransportError } from "./transport-error.ts";
import { transportLimits } from "./transport-limits.ts";
import type { TransportLimits } from "./transport-limits.ts";

export interface NodeTransportOptions extends DialOptions, TransportLimits {
  /** URL of the server: scheme, host, port and a path that prefixes every request path. */
  readonly server: string;
  /** Called before every request; a new generation opens new connections. */
  readonly tls: TlsSource;
  readonly clock: Clock;
  readonly log: Log;
  /** Adds jitter to the maximum age of connections, so that many clients do not reconnect at the same time. @default no jitter */
  readonly random?: Random;
  /** Never requests gzip. @default false */
  readonly disableCompression?: boolean;
}

/** A transport with `close`, which destroys every connection, in use or not. */
export type NodeTransport = Transport & { readonly close: () => void };

/** Where connections lead to. */
interface Place extends ExchangePlace {
  readonly way: Dialler;
  readonly log: Log;
  /** Maximum age of a connection. */
  readonly ageMaxMs: () => number;
}

/** Extends the maximum age of a connection by up to this fraction. */
const ageJitter = 0.1;

/**
 * Returns a transport over sockets.
 *
 * Guarantees: never follows a redirect; TLS 1.2 or later; an abort at any time destroys the socket and rejects with the
 * signal's reason; every other failure is a `TransportError`. Dropping a partly read body closes its connection.
 */
export function nodeTransport(options: NodeTransportOptions): NodeTransport {
  const place = placeOf(options);
  let current: { readonly generation: number; readonly pool: ConnectionPool<NodeConnection> } | undefined;
  let closed = false;
  const pools = new Set<ConnectionPool<NodeConnection>>();
  const poolFor = (settings: TlsSettings): ConnectionPool<NodeConnection> => {
    if (current !== undefined && settings.generation <= current.generation) return current.pool;
    if (current !== undefined)
      place.log.debug("TLS settings changed; not reusing connections made with the old ones", {
        host: place.server.authority,
        generation: settings.generation,
      });
    current?.pool.retire();
    // An old pool has old keys; keep it only while it has connections to close.
    for (const old of pools) if (old.isDrained) pools.delete(old);
    const pool = connectionPool(place, settings);
    pools.add(pool);
    current = { generation: settings.generation, pool };
    return pool;
  };
  const send = async (request: HttpRequest): Promise<HttpResponse> => {
    const { signal } = request;
    signal?.throwIfAborted();
    // One signal may end a thousand watches; Node would report the eleventh listener as a leak.
    if (signal !== undefined) setMaxListeners(0, signal);
    if (closed) throw closedError(request);
    request.onSent?.("no");
    const lease = await withTlsSettings(options.tls, signal, (settings) => acquire(poolFor(settings), request));
    if (closed || signal?.aborted === true) {
      if (closed) lease.connection.socket.destroy();
      else if (lease.connection.exchanges === 0) lease.connection.rest(place.clock.monotonic());
      lease.release();
      signal?.throwIfAborted();
      throw closedError(request);
    }
    return await new NodeExchange(place, lease, request).response;
  };
  const close = (): void => {
    closed = true;
    for (const pool of pools) pool.close();
  };
  return Object.assign(send, { close });
}

const closedError = (request: HttpRequest): TransportError =>
  new TransportError(`${attemptOf(request)}: this transport has been closed`, { reason: "closed", sent: "no" });

function placeOf({ clock, log, random, disableCompression = false, ...given }: NodeTransportOptions): Place {
  const server = parseServerAddress(given.server);
  const limits = transportLimits(given);
  const ageMaxMs = (): number =>
    random === undefined ? limits.connectionAgeMaxMs : jittered(limits.connectionAgeMaxMs, ageJitter, random);
  return { server, way: dialler(server, given), clock, log, limits, disableCompression, ageMaxMs };
}

function acquire(pool: ConnectionPool<NodeConnection>, request: HttpRequest): Promise<Lease<NodeConnection>> {
  // A write on a connection that the server has just closed would have an unknown outcome. One turn of the event loop is enough
  // to notice a close that has already arrived.
  const beforeReuse = isSafe(request) ? {} : { beforeReuse: () => new Promise<void>((resolve) => void setImmediate(resolve)) };
  return pool.acquire({ counted: !isStream(request), signal: request.signal, ...beforeReuse });
}

function connectionPool(place: Place, settings: TlsSettings): ConnectionPool<NodeConnection> {
  const { clock, limits } = place;
  let idle = idleLimit(limits.keepAliveMs);
  const isFresh = ({ idleSinceMs }: NodeConnection, nowMs: number): boolean =>
    idleSinceMs === undefined || nowMs - idleSinceMs < idle.limitMs;
  const pool: ConnectionPool<NodeConnection> = new ConnectionPool({
    connect: async ({ signal }) => {
      const socket = await dialInTime(place, settings, signal);
      const connection = new NodeConnection(socket, { ...limits, expiresMs: clock.monotonic() + place.ageMaxMs() });
      // A socket that closes while idle was closed by the other side, unless `close` or its timeout cleared `idleSinceMs` first.
      const learn = (): void => {
        if (connection.idleSinceMs !== undefined)
          idle = closedWhileIdle(idle, { idleSinceMs: connection.idleSinceMs, closedMs: clock.monotonic() });
        connection.idleSinceMs = undefined;
      };
      socket.once("end", learn).once("error", learn).once("close", learn);
      socket.once("close", () => pool.forget(connection));
      return connection;
    },
    isUsable: (connection) => {
      const nowMs = clock.monotonic();
      return !connection.socket.destroyed && connection.socket.writable && nowMs < connection.expiresMs && isFresh(connection, nowMs);
    },
    close: (connection) => {
      connection.idleSinceMs = undefined;
      connection.socket.destroy();
    },
    callsMax: limits.callsMax,
  });
  return pool;
}

async function dialInTime({ server, way, clock, limits }: Place, settings: TlsSettings, signal: AbortSignal | undefined): Promise<Socket> {
  try {
    return await withTimeout(clock, limits.connectTimeoutMs, (inTime) => way.dial(settings, inTime), definedOnly({ signal }));
  } catch (error) {
    if (signal?.aborted === true || !isTimeoutError(error)) throw error;
    throw new TransportError(`connect to ${server.authority}${way.through}: no connection after ${limits.connectTimeoutMs} ms`, {
      reason: "timeout",
      timeout: "connect",
      sent: "no",
      cause: error,
    });
  }
}
