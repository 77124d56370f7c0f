/**
 * All connections with the same TLS settings: a pool for HTTP/1.1, and sessions of HTTP/2 if it is offered.
 *
 *     acquire(request) → Grant → exchange
 */
import type { TLSSocket } from "node:tls";
import type { HttpRequest, HttpResponse, Log } from "@drover/machinery";
import { definedOnly, isTimeoutError, jittered, withTimeout } from "@drover/machinery";
import { CallSlots } from "./call-slots.ts";
import { ConnectionPool } from "./connection-pool.ts";
import { Http2Sessions } from "./http2-sessions.ts";
import { closedWhileIdle, idleLimit } from "./idle-limit-state.ts";
import { NodeConnection } from "./node-connection.ts";
import { dialler } from "./node-dial.ts";
import type { Dialler } from "./node-dial.ts";
import { NodeExchange } from "./node-exchange.ts";
import type { ExchangePlace } from "./node-exchange.ts";
import type { NodeHttp2Session } from "./node-http2-session.ts";
import type { NodeTransportOptions } from "./node-transport-options.ts";
import { isSafe, isStream } from "./request-nature.ts";
import { parseServerAddress } from "./server-address.ts";
import type { TlsSettings } from "./tls-settings.ts";
import { TransportError } from "./transport-error.ts";
import { transportLimits } from "./transport-limits.ts";

/** Where connections lead to. */
export interface ConnectionPlace extends ExchangePlace {
  readonly way: Dialler;
  readonly log: Log;
  /** Maximum age of a connection. */
  readonly ageMaxMs: () => number;
  readonly offersHttp2: boolean;
}

/** The right to one exchange. */
export interface Grant {
  exchange(): Promise<HttpResponse>;
  /** Gives it back unused. */
  giveBack(options: { readonly isClosed: boolean }): void;
}

/** Extends the maximum age of a connection by up to this fraction. */
const ageJitter = 0.1;

/** Throws for an invalid address or proxy. */
export function connectionPlace({
  clock,
  log,
  random,
  disableCompression = false,
  http2 = false,
  ...given
}: NodeTransportOptions): ConnectionPlace {
  const server = parseServerAddress(given.server);
  const limits = transportLimits(given);
  const ageMaxMs = (): number =>
    random === undefined ? limits.connectionAgeMaxMs : jittered(limits.connectionAgeMaxMs, ageJitter, random);
  const offersHttp2 = http2 && server.secure;
  const way = dialler(server, given, offersHttp2 ? ["h2", "http/1.1"] : ["http/1.1"]);
  return { server, way, clock, log, limits, disableCompression, ageMaxMs, offersHttp2 };
}

/** Guarantees: at most `callsMax` calls at a time for each version of HTTP; streams are not counted. */
export class NodeConnections {
  readonly #place: ConnectionPlace;
  readonly #pool: ConnectionPool<NodeConnection>;
  readonly #sessions: Http2Sessions<NodeHttp2Session> | undefined;
  readonly #slots: CallSlots;

  constructor(place: ConnectionPlace, settings: TlsSettings) {
    this.#place = place;
    this.#pool = connectionPool(place, settings);
    this.#slots = new CallSlots(place.limits.callsMax);
    this.#sessions = place.offersHttp2 ? http2Sessions(place, settings) : undefined;
  }

  /** Rejects with the signal's reason or with the error of connecting. */
  acquire(request: HttpRequest): Promise<Grant> {
    return this.#sessions === undefined ? this.#acquireHttp1(request) : this.#acquireHttp2(request, this.#sessions);
  }

  /** Whether it is retired and nothing is left to close. */
  get isDrained(): boolean {
    return this.#pool.isDrained && (this.#sessions?.isDrained ?? true);
  }

  /** Closes idle connections, and every other after its last exchange. */
  retire(): void {
    this.#pool.retire();
    this.#sessions?.retire();
  }

  /** Closes all connections, in use or not. */
  close(): void {
    this.#pool.close();
    this.#sessions?.close();
  }

  async #acquireHttp1(request: HttpRequest): Promise<Grant> {
    const place = this.#place;
    const beforeReuse = isSafe(request) ? {} : { beforeReuse: nextTurn };
    const lease = await this.#pool.acquire({ counted: !isStream(request), signal: request.signal, ...beforeReuse });
    return {
      exchange: () => new NodeExchange(place, lease, request).response,
      giveBack: ({ isClosed }) => {
        if (isClosed) lease.connection.socket.destroy();
        else if (lease.connection.exchanges === 0) lease.connection.rest(place.clock.monotonic());
        lease.release();
      },
    };
  }

  async #acquireHttp2(request: HttpRequest, sessions: Http2Sessions<NodeHttp2Session>): Promise<Grant> {
    const isCounted = !isStream(request);
    const { signal } = request;
    const wait = isCounted ? this.#slots.enter(signal) : undefined;
    if (wait !== undefined) await wait;
    const release = isCounted ? () => this.#slots.leave() : () => undefined;
    try {
      if (!isSafe(request)) await nextTurn();
      const reserved = await sessions.acquire(signal);
      if (reserved !== "http/1.1") {
        const both = (): void => {
          reserved.release();
          release();
        };
        return { exchange: () => reserved.session.exchange(this.#place, request, both), giveBack: both };
      }
    } catch (error) {
      release();
      throw error;
    }
    release();
    return await this.#acquireHttp1(request);
  }
}

/**
 * A write on a connection that the server has just closed would have an unknown outcome. One turn of the event loop is enough to notice a
 * close that has already arrived.
 */
const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

function http2Sessions(place: ConnectionPlace, settings: TlsSettings): Http2Sessions<NodeHttp2Session> {
  const { clock, limits, server } = place;
  const sessions: Http2Sessions<NodeHttp2Session> = new Http2Sessions({
    clock,
    askAgainMs: limits.connectionAgeMaxMs,
    open: (signal) =>
      inTime(place, signal, async (early) => {
        const socket = await place.way.dial(settings, early);
        if ((socket as TLSSocket).alpnProtocol !== "h2") {
          socket.destroy();
          return "http/1.1";
        }
        // Few programs need it, and Node's HTTP/2 takes several milliseconds to load.
        const { openHttp2Session } = await import("./node-http2-session.ts");
        const session: NodeHttp2Session = await openHttp2Session(
          socket,
          {
            authority: server.authority,
            clock,
            headerBytesMax: limits.headerBytesMax,
            keepAliveMs: limits.keepAliveMs,
            expiresMs: clock.monotonic() + place.ageMaxMs(),
            closed: () => sessions.forget(session),
          },
          early,
        );
        return session;
      }),
  });
  return sessions;
}

function connectionPool(place: ConnectionPlace, settings: TlsSettings): ConnectionPool<NodeConnection> {
  const { clock, limits } = place;
  let idle = idleLimit(limits.keepAliveMs);
  const isFresh = ({ idleSinceMs }: NodeConnection, nowMs: number): boolean =>
    idleSinceMs === undefined || nowMs - idleSinceMs < idle.limitMs;
  const pool: ConnectionPool<NodeConnection> = new ConnectionPool({
    connect: async ({ signal }) => {
      const socket = await inTime(place, signal, (early) => place.way.dial(settings, early));
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

/** Fails with a connect timeout. */
async function inTime<T>(
  { server, way, clock, limits }: ConnectionPlace,
  signal: AbortSignal | undefined,
  connect: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await withTimeout(clock, limits.connectTimeoutMs, connect, definedOnly({ signal }));
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
