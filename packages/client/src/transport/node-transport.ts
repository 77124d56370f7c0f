/**
 * Requests over real sockets: node:http over TCP or TLS, directly or through a proxy, with a connection pool.
 *
 *     HttpRequest → TlsSource → ConnectionPool → node-dial.ts → Exchange → HttpResponse
 */
import { setMaxListeners } from "node:events";
import { Agent, request as httpRequest } from "node:http";
import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { pipeline } from "node:stream";
import { createUnzip } from "node:zlib";
import type { Clock, HttpHeaders, HttpRequest, HttpResponse, Log, Random, Transport } from "@drover/machinery";
import { definedOnly, isInstanceOf, isTimeoutError, jittered, withTimeout } from "@drover/machinery";
import { ConnectionPool } from "./connection-pool.ts";
import type { Lease } from "./connection-pool.ts";
import { firstHeader, isAscii, requestHeaders, responseHeaders, withoutHeaders } from "./header-lines.ts";
import { closedWhileIdle, idleLimit } from "./idle-limit-state.ts";
import { dialler, tcpKeepAliveMs } from "./node-dial.ts";
import type { DialOptions } from "./dial-options.ts";
import type { Dialler } from "./node-dial.ts";
import { attemptOf, isSafe, isStream } from "./request-nature.ts";
import { ResponseBody } from "./response-body.ts";
import type { BodyFailure } from "./response-body.ts";
import { parseServerAddress } from "./server-address.ts";
import type { ServerAddress } from "./server-address.ts";
import { withTlsSettings } from "./tls-settings.ts";
import type { TlsSettings, TlsSource } from "./tls-settings.ts";
import { TransportError, classifyError } from "./transport-error.ts";
import type { TransportFailure, TransportTimeout } from "./transport-error.ts";
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

/** Context of an exchange. */
interface Place {
  readonly server: ServerAddress;
  readonly way: Dialler;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Required<TransportLimits>;
  readonly disableCompression: boolean;
  /** Maximum age of a connection. */
  readonly ageMaxMs: () => number;
}

interface Connection {
  readonly socket: Socket;
  /** For this one socket: monitors it between requests, while the pool decides who gets it. */
  readonly agent: Agent;
  readonly expiresMs: number;
  exchanges: number;
  idleSinceMs: number | undefined;
}

/** How much of a body is read ahead: two reads of a socket, which often contain the end and start of two chunks each. */
const aheadBytesMax = 2 * 64 * 1024;

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
  let current: { readonly generation: number; readonly pool: ConnectionPool<Connection> } | undefined;
  let closed = false;
  const pools = new Set<ConnectionPool<Connection>>();
  const poolFor = (settings: TlsSettings): ConnectionPool<Connection> => {
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
      // Nothing was sent on it, but only a socket that an agent has used can be idle.
      if (closed || lease.connection.exchanges === 0) lease.connection.socket.destroy();
      lease.release();
      signal?.throwIfAborted();
      throw closedError(request);
    }
    return await new Exchange(place, lease, request).response;
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

function acquire(pool: ConnectionPool<Connection>, request: HttpRequest): Promise<Lease<Connection>> {
  // A write on a connection that the server has just closed would have an unknown outcome. One turn of the event loop is enough
  // to notice a close that has already arrived.
  const beforeReuse = isSafe(request) ? {} : { beforeReuse: () => new Promise<void>((resolve) => void setImmediate(resolve)) };
  return pool.acquire({ counted: !isStream(request), signal: request.signal, ...beforeReuse });
}

function connectionPool(place: Place, settings: TlsSettings): ConnectionPool<Connection> {
  const { clock, limits } = place;
  let idle = idleLimit(limits.keepAliveMs);
  const isFresh = ({ idleSinceMs }: Connection, nowMs: number): boolean => idleSinceMs === undefined || nowMs - idleSinceMs < idle.limitMs;
  const pool: ConnectionPool<Connection> = new ConnectionPool({
    connect: async ({ signal }) => {
      const socket = await dialInTime(place, settings, signal);
      const connection = connectionOn(place, socket);
      // A socket that closes while idle was closed by the other side, unless `close` or the agent's timeout cleared
      // `idleSinceMs` first. Since Node 22 an idle socket emits neither "end" nor "error": the agent destroys it at the first
      // read.
      const learn = (): void => {
        if (connection.idleSinceMs !== undefined)
          idle = closedWhileIdle(idle, { idleSinceMs: connection.idleSinceMs, closedMs: clock.monotonic() });
        connection.idleSinceMs = undefined;
      };
      socket.once("end", learn).once("error", learn).once("close", learn);
      socket.once("timeout", () => (connection.idleSinceMs = undefined));
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

function connectionOn({ clock, limits, ageMaxMs }: Place, socket: Socket): Connection {
  const agent = new Agent({ keepAlive: true, keepAliveMsecs: tcpKeepAliveMs, maxSockets: 1, timeout: limits.keepAliveMs });
  Object.assign(agent, { createConnection: () => socket });
  return { socket, agent, expiresMs: clock.monotonic() + ageMaxMs(), exchanges: 0, idleSinceMs: undefined };
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

/** One request on one connection, from its first byte to the last byte of the response. */
class Exchange {
  readonly response: Promise<HttpResponse>;
  readonly #place: Place;
  readonly #request: HttpRequest;
  readonly #connection: Connection;
  readonly #reused: boolean;
  readonly #writtenBefore: number;
  readonly #asksForGzip: boolean;
  /** The first failure on the wire: later ones are only its consequences. */
  #cause: unknown;
  #settle: { readonly resolve: (response: HttpResponse) => void; readonly reject: (error: unknown) => void } | undefined;
  #cancelTimer: () => void = () => undefined;

  constructor(place: Place, { connection, release }: Lease<Connection>, request: HttpRequest) {
    this.#place = place;
    this.#request = request;
    this.#connection = connection;
    this.#reused = connection.exchanges++ > 0;
    this.#writtenBefore = connection.socket.bytesWritten;
    this.#asksForGzip = !place.disableCompression && !isStream(request) && !Object.hasOwn(request.headers, "accept-encoding");
    const { socket, agent } = connection;
    connection.idleSinceMs = undefined;
    const giveBack = (): void => {
      socket.off("close", giveBack);
      agent.off("free", giveBack);
      connection.idleSinceMs = place.clock.monotonic();
      release();
    };
    // An agent frees its socket only after a complete exchange on a connection that both sides keep alive.
    agent.on("free", giveBack);
    socket.on("close", giveBack);
    this.response = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#begin();
    });
  }

  #begin(): void {
    this.#request.signal?.addEventListener("abort", this.#abort, { once: true });
    if (this.#connection.socket.destroyed) return this.#fail(undefined);
    try {
      const message = this.#open();
      // Node passes a message to its socket only after all pending microtasks, which may take long; after this event it writes
      // at once.
      message.once("socket", () => this.#beforeFirstByte());
      message.on("error", (error) => {
        this.#cause ??= error;
        this.#fail(error);
      });
      message.on("close", () => this.#fail(undefined));
      message.on("response", (response) => this.#answered(response));
      this.#cancelTimer = this.#place.clock.timer(this.#place.limits.headersTimeoutMs, () =>
        this.#timedOut("headers", this.#place.limits.headersTimeoutMs),
      );
      this.#write(message);
    } catch (error) {
      this.#connection.socket.destroy();
      this.#fail(error);
    }
  }

  /** `onSent` may still throw: then nothing is sent. */
  #beforeFirstByte(): void {
    try {
      this.#request.onSent?.("maybe");
    } catch (error) {
      this.#connection.socket.destroy();
      this.#fail(error);
    }
  }

  #open(): ClientRequest {
    const { method, path, headers } = this.#request;
    const { server, limits } = this.#place;
    return httpRequest({
      agent: this.#connection.agent,
      method,
      path: `${server.basePath}${path}`,
      setHost: false,
      maxHeaderSize: limits.headerBytesMax,
      headers: {
        host: server.hostHeader,
        ...(this.#asksForGzip ? { "accept-encoding": "gzip" } : {}),
        ...lengthOf(this.#request),
        ...requestHeaders(headers),
      },
    });
  }

  #write(message: ClientRequest): void {
    const { headers } = this.#request;
    // Node writes headers and a text body together, with the headers in the encoding of the body.
    const body = typeof this.#request.body === "string" && !isAscii(headers) ? Buffer.from(this.#request.body) : this.#request.body;
    if (body === undefined || typeof body === "string" || body instanceof Uint8Array) message.end(body);
    else void this.#pour(body, message);
  }

  async #pour(body: AsyncIterable<string | Uint8Array>, message: ClientRequest): Promise<void> {
    try {
      for await (const chunk of body) {
        if (message.destroyed) return;
        if (!message.write(chunk)) await new Promise<void>((resolve) => void message.once("drain", resolve).once("close", resolve));
      }
      message.end();
    } catch (error) {
      this.#end((settle) => settle.reject(error));
      this.#connection.socket.destroy();
    }
  }

  #answered(response: IncomingMessage): void {
    const { status, headers, isEmpty } = readHead(this.#request, response);
    const { signal } = this.#request;
    if (isEmpty) {
      response.resume();
      response.on("error", () => undefined);
      return this.#end(({ resolve }) => resolve({ status, headers, body: "" }));
    }
    const { limits, clock } = this.#place;
    const stream = isStream(this.#request);
    const unzip = this.#asksForGzip && /^(?:x-)?gzip$|^deflate$/i.test(firstHeader(headers, "content-encoding"));
    response.on("error", () => undefined);
    const source = unzip ? pipeline(response, createUnzip(), () => undefined) : response;
    const body = new ResponseBody(source, {
      clock,
      signal,
      idleMs: stream ? limits.streamIdleTimeoutMs : limits.idleTimeoutMs,
      unreadMs: limits.idleTimeoutMs,
      bytesMax: stream ? Infinity : limits.bodyBytesMax,
      aheadBytesMax,
      failed: (failure) => this.#bodyError(failure),
      abandon: () => void this.#connection.socket.destroy(),
    });
    this.#end(({ resolve }) =>
      resolve({ status, headers: unzip ? withoutHeaders(headers, "content-encoding", "content-length") : headers, body }),
    );
  }

  #bodyError(failure: BodyFailure): TransportError {
    const { limits, server } = this.#place;
    if (failure.kind === "idle")
      return this.#error(
        `${server.authority} sent nothing more of the body for ${isStream(this.#request) ? limits.streamIdleTimeoutMs : limits.idleTimeoutMs} ms`,
        { reason: "timeout", timeout: "idle" },
      );
    if (failure.kind === "unread")
      return this.#error(`the body of the response was not read for ${limits.idleTimeoutMs} ms`, { reason: "timeout", timeout: "unread" });
    if (failure.kind === "too-large")
      return this.#error(`the body of the response from ${server.authority} is larger than ${limits.bodyBytesMax} bytes`, {
        reason: "too-large",
      });
    return this.#wireError(this.#cause ?? failure.error);
  }

  #timedOut(timeout: TransportTimeout, afterMs: number): void {
    this.#end(({ reject }) =>
      reject(this.#error(`${this.#place.server.authority} did not answer within ${afterMs} ms`, { reason: "timeout", timeout })),
    );
    this.#connection.socket.destroy();
  }

  readonly #abort = (): void => {
    this.#end(({ reject }) => reject(this.#request.signal?.reason));
    this.#connection.socket.destroy();
  };

  #fail(error: unknown): void {
    this.#end(({ reject }) => reject(this.#wireError(error)));
  }

  /** The response headers have arrived or never will. */
  #end(settle: (to: { readonly resolve: (response: HttpResponse) => void; readonly reject: (error: unknown) => void }) => void): void {
    const to = this.#settle;
    if (to === undefined) return;
    this.#settle = undefined;
    this.#cancelTimer();
    this.#request.signal?.removeEventListener("abort", this.#abort);
    settle(to);
  }

  #wireError(error: unknown): TransportError {
    const { reason, code, what } = classifyError(error);
    // Node reports ECONNRESET for both; only a real reset has a syscall.
    const orderly = error === undefined || (code === "ECONNRESET" && !(isInstanceOf(error, Error) && "syscall" in error));
    const { authority } = this.#place.server;
    if (orderly)
      return this.#error(`${authority} closed the connection before the response was complete`, {
        reason: "aborted-by-peer",
        cause: error,
      });
    return this.#error(`${authority} ${what}`, { reason, ...definedOnly({ code }), cause: withoutPacket(error) });
  }

  #error(what: string, failure: Omit<TransportFailure, "sent" | "reused">): TransportError {
    const sent = this.#connection.socket.bytesWritten > this.#writtenBefore ? "maybe" : "no";
    return new TransportError(`${attemptOf(this.#request)}: ${what}`, { sent, reused: this.#reused, ...failure });
  }
}

function readHead(
  { method }: HttpRequest,
  response: IncomingMessage,
): { readonly status: number; readonly headers: HttpHeaders; readonly isEmpty: boolean } {
  const headers = responseHeaders(response.rawHeaders);
  const status = response.statusCode ?? 0;
  return {
    status,
    headers,
    isEmpty: method === "HEAD" || status === 204 || status === 304 || firstHeader(headers, "content-length") === "0",
  };
}

/** A body always has a length; without one Node sends DELETE bodies unframed, and the server reads them as the next request. */
function lengthOf({ method, body, headers }: HttpRequest): Record<string, string> {
  if (Object.hasOwn(headers, "content-length")) return {};
  if (body === undefined) return method === "POST" || method === "PUT" || method === "PATCH" ? { "content-length": "0" } : {};
  if (typeof body === "string" || body instanceof Uint8Array) return { "content-length": String(Buffer.byteLength(body)) };
  return { "transfer-encoding": "chunked" };
}

/** The rejected packet may contain secrets. */
function withoutPacket(error: unknown): unknown {
  if (isInstanceOf(error, Error) && "rawPacket" in error) delete error.rawPacket;
  return error;
}
