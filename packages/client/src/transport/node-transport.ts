/**
 * Requests over real sockets: node:http over TCP or TLS, directly or through a proxy, with connections kept for the next request.
 * One of the two files of this package that touch the outside world.
 *
 *     HttpRequest → TlsSource → ConnectionPool → dial (TCP → proxy → TLS) → Exchange → HttpResponse
 */
import { setMaxListeners } from "node:events";
import { Agent, request as httpRequest } from "node:http";
import type { ClientRequest, IncomingMessage } from "node:http";
import { connect as connectTcp, isIP } from "node:net";
import type { Socket } from "node:net";
import { pipeline } from "node:stream";
import { checkServerIdentity, connect as connectTls, createSecureContext } from "node:tls";
import type { SecureContext } from "node:tls";
import { createUnzip } from "node:zlib";
import type { Clock, HttpHeaders, HttpRequest, HttpResponse, Log, Transport } from "@drover/machinery";
import { TimeoutError, abortable, withTimeout } from "@drover/machinery";
import { ConnectionPool } from "./connection-pool.ts";
import type { Lease } from "./connection-pool.ts";
import { firstHeader, isAscii, requestHeaders, responseHeaders, withoutHeaders } from "./header-lines.ts";
import { connectStart, connectStep } from "./http-connect-state.ts";
import { matchesNoProxy, proxyTarget } from "./proxy-target.ts";
import type { ProxyTarget } from "./proxy-target.ts";
import { attemptOf, isSafe, isStream } from "./request-nature.ts";
import { ResponseBody } from "./response-body.ts";
import type { BodyFailure } from "./response-body.ts";
import { parseServerUrl } from "./server-url.ts";
import type { ServerUrl } from "./server-url.ts";
import { socks5Start, socks5Step } from "./socks5-state.ts";
import type { TlsSettings, TlsSource } from "./tls-settings.ts";
import { TransportError, classifyError } from "./transport-error.ts";
import type { TransportFailure, TransportTimeout } from "./transport-error.ts";

export interface NodeTransportOptions {
  /** Where the server is: scheme, host, port and the path that comes before every path. */
  readonly server: string;
  /** Asked before every request; a new generation means new connections. */
  readonly tls: TlsSource;
  readonly clock: Clock;
  readonly log: Log;
  /** `http:`, `https:` or `socks5:`, with user and password if it wants them. @default none */
  readonly proxyUrl?: string;
  /** Servers that are reached without the proxy, in the form of `NO_PROXY`. @default none */
  readonly noProxy?: string;
  /** How long making a connection may take, proxy and TLS handshake included. @default 30 seconds */
  readonly connectTimeoutMs?: number;
  /** How long the head of an answer may take. The API server itself gives up after 60 seconds. @default 70 seconds */
  readonly headersTimeoutMs?: number;
  /** How long the body of a call may be silent while it is being read, or lie unread. @default 60 seconds */
  readonly idleTimeoutMs?: number;
  /** The same for watches and other streams, where silence is for the watch to judge. @default Infinity */
  readonly streamIdleTimeoutMs?: number;
  /** How long a connection waits unused for the next request; less than servers and load balancers wait. @default 45 seconds */
  readonly keepAliveMs?: number;
  /** After this age a connection takes no further requests, so that changes of address are noticed. @default 10 minutes */
  readonly connectionAgeMaxMs?: number;
  /** How many calls run at once; more wait. Streams are not counted. @default 64 */
  readonly callsMax?: number;
  /** How large the body of a call may be once decompressed. @default 512 MiB, about the longest text Node can hold */
  readonly bodyBytesMax?: number;
  /** How large the head of an answer may be. @default 64 KiB */
  readonly headerBytesMax?: number;
  /** Never asks for gzip. @default false */
  readonly disableCompression?: boolean;
}

/** A transport, and the end of it: `close` destroys every connection, in use or not. */
export type NodeTransport = Transport & { readonly close: () => void };

type Limits = Required<Omit<NodeTransportOptions, "server" | "tls" | "clock" | "log" | "proxyUrl" | "noProxy">>;

/** What an exchange needs to know about its place. */
interface Place {
  readonly server: ServerUrl;
  readonly proxy: ProxyTarget | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
}

interface Connection {
  readonly socket: Socket;
  /** Of this one socket: it keeps it quiet and watched between requests, the pool decides who gets it. */
  readonly agent: Agent;
  readonly openedMs: number;
  exchanges: number;
}

const tcpKeepAliveMs = 30_000;
/** Node tries addresses one after the other; its own 250 ms is too short for far-away servers. */
const addressAttemptMs = 1000;

/**
 * A transport over sockets.
 *
 * Guarantees: never follows a redirect; TLS 1.2 or later; an abort at any moment destroys the socket and rejects with the signal's
 * reason; every other failure is a `TransportError`. A body that is dropped half read takes its connection with it.
 */
export function nodeTransport(options: NodeTransportOptions): NodeTransport {
  const place = placeOf(options);
  let current: { readonly generation: number; readonly pool: ConnectionPool<Connection> } | undefined;
  let closed = false;
  const pools = new Set<ConnectionPool<Connection>>();
  const poolFor = (settings: TlsSettings): ConnectionPool<Connection> => {
    if (current !== undefined && settings.generation <= current.generation) return current.pool;
    if (current !== undefined) place.log.debug("new TLS settings: connections made with the old ones are not used again", { host: place.server.authority, generation: settings.generation });
    current?.pool.retire();
    const pool = connectionPool(place, settings);
    pools.add(pool);
    current = { generation: settings.generation, pool };
    return pool;
  };
  const send = async (request: HttpRequest): Promise<HttpResponse> => {
    const { signal } = request;
    signal?.throwIfAborted();
    // One signal may end a thousand watches; Node would call the eleventh listener a leak.
    if (signal !== undefined) setMaxListeners(0, signal);
    if (closed) throw closedError(request);
    const settings = await (signal === undefined ? options.tls() : abortable(options.tls(), signal));
    const lease = await acquire(poolFor(settings), request);
    if (closed || signal?.aborted === true) {
      // Nothing was sent on it, but only what has been in an agent's hands is fit to lie idle.
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

const closedError = (request: HttpRequest): TransportError => new TransportError(`${attemptOf(request)}: this transport has been closed`, { reason: "closed", sent: "no" });

function placeOf({ server: serverText, clock, log, proxyUrl, noProxy = "", ...given }: NodeTransportOptions): Place {
  const server = parseServerUrl(serverText);
  const proxy = proxyUrl === undefined || matchesNoProxy(server, noProxy) ? undefined : proxyTarget(proxyUrl);
  const {
    connectTimeoutMs = 30_000, headersTimeoutMs = 70_000, idleTimeoutMs = 60_000, streamIdleTimeoutMs = Infinity, keepAliveMs = 45_000, connectionAgeMaxMs = 600_000,
    callsMax = 64, bodyBytesMax = 512 * 2 ** 20, headerBytesMax = 64 * 1024, disableCompression = false,
  } = given;
  const limits = { connectTimeoutMs, headersTimeoutMs, idleTimeoutMs, streamIdleTimeoutMs, keepAliveMs, connectionAgeMaxMs, callsMax, bodyBytesMax, headerBytesMax, disableCompression };
  return { server, proxy, clock, log, limits };
}

function acquire(pool: ConnectionPool<Connection>, request: HttpRequest): Promise<Lease<Connection>> {
  // A write on a connection that the server has just closed would have an unknown outcome. One turn of the event loop is enough to see a close that has already arrived.
  const beforeReuse = isSafe(request) ? {} : { beforeReuse: () => new Promise<void>((resolve) => void setImmediate(resolve)) };
  return pool.acquire({ counted: !isStream(request), signal: request.signal, ...beforeReuse });
}

function connectionPool(place: Place, settings: TlsSettings): ConnectionPool<Connection> {
  let context: SecureContext | undefined;
  const secureContext = (): SecureContext => (context ??= contextOf(place, settings));
  const pool: ConnectionPool<Connection> = new ConnectionPool({
    connect: async ({ signal }) => {
      const socket = await dialInTime(place, settings, secureContext, signal);
      const connection = connectionOn(place, socket);
      socket.once("close", () => pool.forget(connection));
      return connection;
    },
    isUsable: ({ socket, openedMs }) => !socket.destroyed && socket.writable && place.clock.monotonic() - openedMs < place.limits.connectionAgeMaxMs,
    close: ({ socket }) => void socket.destroy(),
    callsMax: place.limits.callsMax,
  });
  return pool;
}

function connectionOn({ clock, limits }: Place, socket: Socket): Connection {
  const agent = new Agent({ keepAlive: true, keepAliveMsecs: tcpKeepAliveMs, maxSockets: 1, timeout: limits.keepAliveMs });
  Object.assign(agent, { createConnection: () => socket });
  return { socket, agent, openedMs: clock.monotonic(), exchanges: 0 };
}

function contextOf({ server }: Place, { ca, certificate, key }: TlsSettings): SecureContext {
  try {
    return createSecureContext({
      minVersion: "TLSv1.2",
      // As in Go, any certificate in the bundle may be the anchor, not only a self-signed one.
      allowPartialTrustChain: true,
      ...(ca === undefined ? {} : { ca }), ...(certificate === undefined ? {} : { cert: certificate }), ...(key === undefined ? {} : { key: key.reveal() }),
    });
  } catch (error) {
    const { code } = classifyError(error);
    throw new TransportError(`connect to ${server.authority}: certificate-authority, client-certificate or client-key cannot be used; they must be PEM, and certificate and key must belong together`, {
      reason: "tls", sent: "no", ...(code === undefined ? {} : { code }), cause: error,
    });
  }
}

async function dialInTime(place: Place, settings: TlsSettings, context: () => SecureContext, signal: AbortSignal | undefined): Promise<Socket> {
  const { server, clock, limits, proxy } = place;
  try {
    return await withTimeout(clock, limits.connectTimeoutMs, (inTime) => dial(place, settings, context, inTime), signal === undefined ? {} : { signal });
  } catch (error) {
    if (signal?.aborted === true || !(error instanceof TimeoutError)) throw error;
    const through = proxy === undefined ? "" : ` through the proxy ${proxy.authority}`;
    throw new TransportError(`connect to ${server.authority}${through}: no connection after ${limits.connectTimeoutMs} ms`, { reason: "timeout", timeout: "connect", sent: "no", cause: error });
  }
}

async function dial({ server, proxy }: Place, settings: TlsSettings, context: () => SecureContext, signal: AbortSignal): Promise<Socket> {
  const { host, port } = proxy ?? server;
  const viaProxy = proxy === undefined ? undefined : `the proxy ${proxy.authority}`;
  let socket = await opened(connectTcp({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: tcpKeepAliveMs, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: addressAttemptMs }),
    "connect", server, viaProxy, signal);
  if (proxy !== undefined) {
    if (proxy.kind === "https") socket = await opened(handshake(socket, host, settings.insecure, context()), "secureConnect", server, viaProxy, signal);
    await tunnel(socket, server, proxy, signal);
  }
  return server.secure ? await opened(handshake(socket, settings.serverName ?? server.host, settings.insecure, context()), "secureConnect", server, undefined, signal) : socket;
}

function handshake(socket: Socket, name: string, insecure: boolean, secureContext: SecureContext): Socket {
  return connectTls({
    socket, secureContext, rejectUnauthorized: !insecure, ALPNProtocols: ["http/1.1"],
    // An address may not stand in the handshake, yet it is what the certificate must name.
    servername: isIP(name) === 0 ? name : "", checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
  });
}

/** Resolves with the socket when the event comes; destroys it when anything else does. */
function opened(socket: Socket, event: "connect" | "secureConnect", server: ServerUrl, peer: string | undefined, signal: AbortSignal): Promise<Socket> {
  // Whatever happens to it in its life, an error without a listener would end the process.
  socket.on("error", () => undefined);
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      socket.off(event, ready).off("error", fail).off("close", fail);
      signal.removeEventListener("abort", abort);
      act();
    };
    const ready = (): void => settle(() => resolve(socket));
    const fail = (error: unknown): void => settle(() => {
      socket.destroy();
      const { reason, code, what } = classifyError(error instanceof Error ? error : Object.assign(new Error("closed"), { code: "ECONNRESET" }));
      const during = event === "secureConnect" && reason === "reset" ? " during the TLS handshake" : "";
      reject(new TransportError(`connect to ${server.authority}: ${peer ?? "it"} ${what}${during}`, { reason: peer === undefined ? reason : "proxy", sent: "no", ...(code === undefined ? {} : { code }), cause: error }));
    });
    const abort = (): void => settle(() => {
      socket.destroy();
      reject(signal.reason);
    });
    socket.on(event, ready).on("error", fail).on("close", fail);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
  });
}

const encodeBase64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");

/** Asks the proxy to connect onwards. */
function tunnel(socket: Socket, server: ServerUrl, proxy: ProxyTarget, signal: AbortSignal): Promise<void> {
  const login = proxy.login === undefined ? {} : { login: proxy.login };
  return proxy.kind === "socks5"
    ? converse(socket, socks5Start({ host: server.host, port: server.port, ...login }), socks5Step, { server, proxy, signal })
    : converse(socket, connectStart({ authority: server.authority, ...login }, encodeBase64), connectStep, { server, proxy, signal });
}

type TunnelStep<S> = { readonly kind: "more"; readonly state: S; readonly send?: Uint8Array } | { readonly kind: "done"; readonly rest: Uint8Array } | { readonly kind: "failed"; readonly why: string };

function converse<S>(socket: Socket, start: TunnelStep<S>, step: (state: S, chunk: Uint8Array) => TunnelStep<S>, { server, proxy, signal }: { readonly server: ServerUrl; readonly proxy: ProxyTarget; readonly signal: AbortSignal }): Promise<void> {
  return new Promise((resolve, reject) => {
    let state: S | undefined;
    const settle = (act: () => void): void => {
      socket.off("readable", readable).off("close", gone);
      signal.removeEventListener("abort", abort);
      act();
    };
    const refuse = (why: string): void => settle(() => {
      socket.destroy();
      reject(new TransportError(`connect to ${server.authority}: the proxy ${proxy.authority} did not connect us: ${why}`, { reason: "proxy", sent: "no" }));
    });
    const take = (next: TunnelStep<S>): void => {
      if (next.kind === "failed") return refuse(next.why);
      if (next.kind === "done") return next.rest.length > 0 ? refuse("it sent something before it was asked") : settle(resolve);
      state = next.state;
      if (next.send !== undefined) socket.write(next.send);
    };
    const readable = (): void => {
      const chunk = socket.read() as Uint8Array | null;
      if (chunk !== null && state !== undefined) take(step(state, chunk));
    };
    const gone = (): void => refuse("it closed the connection");
    const abort = (): void => settle(() => {
      socket.destroy();
      reject(signal.reason);
    });
    socket.on("readable", readable).on("close", gone);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    else take(start);
  });
}

/** One request on one connection, from its first byte to the last byte of the answer. */
class Exchange {
  readonly response: Promise<HttpResponse>;
  readonly #place: Place;
  readonly #request: HttpRequest;
  readonly #connection: Connection;
  readonly #reused: boolean;
  readonly #writtenBefore: number;
  readonly #asksForGzip: boolean;
  /** The first that went wrong on the wire: what comes later is only its consequence. */
  #cause: unknown;
  #settle: { readonly resolve: (response: HttpResponse) => void; readonly reject: (error: unknown) => void } | undefined;
  #cancelTimer: () => void = () => undefined;

  constructor(place: Place, { connection, release }: Lease<Connection>, request: HttpRequest) {
    this.#place = place;
    this.#request = request;
    this.#connection = connection;
    this.#reused = connection.exchanges++ > 0;
    this.#writtenBefore = connection.socket.bytesWritten;
    this.#asksForGzip = !place.limits.disableCompression && !isStream(request) && !Object.hasOwn(request.headers, "accept-encoding");
    const { socket, agent } = connection;
    const giveBack = (): void => {
      socket.off("close", giveBack);
      agent.off("free", giveBack);
      release();
    };
    // An agent frees its socket only after a complete exchange that both sides want to be followed by another.
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
      message.on("error", (error) => {
        this.#cause ??= error;
        this.#fail(error);
      });
      message.on("close", () => this.#fail(undefined));
      message.on("response", (response) => this.#answered(response));
      this.#cancelTimer = this.#place.clock.timer(this.#place.limits.headersTimeoutMs, () => this.#timedOut("headers", this.#place.limits.headersTimeoutMs));
      this.#write(message);
    } catch (error) {
      this.#connection.socket.destroy();
      this.#fail(error);
    }
  }

  #open(): ClientRequest {
    const { method, path, headers } = this.#request;
    const { server, limits } = this.#place;
    return httpRequest({
      agent: this.#connection.agent, method, path: `${server.basePath}${path}`, setHost: false, maxHeaderSize: limits.headerBytesMax,
      headers: { host: server.hostHeader, ...(this.#asksForGzip ? { "accept-encoding": "gzip" } : {}), ...lengthOf(this.#request), ...requestHeaders(headers) },
    });
  }

  #write(message: ClientRequest): void {
    const { headers } = this.#request;
    // Node writes headers and a body of text in one go, and then the headers in the encoding of the body.
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
      clock, signal, idleMs: stream ? limits.streamIdleTimeoutMs : limits.idleTimeoutMs, unreadMs: limits.idleTimeoutMs, bytesMax: stream ? Infinity : limits.bodyBytesMax,
      failed: (failure) => this.#bodyError(failure), abandon: () => void this.#connection.socket.destroy(),
    });
    this.#end(({ resolve }) => resolve({ status, headers: unzip ? withoutHeaders(headers, "content-encoding", "content-length") : headers, body }));
  }

  #bodyError(failure: BodyFailure): TransportError {
    const { limits, server } = this.#place;
    if (failure.kind === "idle") return this.#error(`${server.authority} sent nothing more of the body for ${isStream(this.#request) ? limits.streamIdleTimeoutMs : limits.idleTimeoutMs} ms`, { reason: "timeout", timeout: "idle" });
    if (failure.kind === "unread") return this.#error(`nobody read the body of the answer for ${limits.idleTimeoutMs} ms`, { reason: "timeout", timeout: "unread" });
    if (failure.kind === "too-large") return this.#error(`the body of the answer from ${server.authority} is larger than ${limits.bodyBytesMax} bytes`, { reason: "too-large" });
    return this.#wireError(this.#cause ?? failure.error);
  }

  #timedOut(timeout: TransportTimeout, afterMs: number): void {
    this.#end(({ reject }) => reject(this.#error(`${this.#place.server.authority} did not answer within ${afterMs} ms`, { reason: "timeout", timeout })));
    this.#connection.socket.destroy();
  }

  readonly #abort = (): void => {
    this.#end(({ reject }) => reject(this.#request.signal?.reason));
    this.#connection.socket.destroy();
  };

  #fail(error: unknown): void {
    this.#end(({ reject }) => reject(this.#wireError(error)));
  }

  /** The head is there or never will be. */
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
    // Node says ECONNRESET for both; only a real reset comes from a call to the system.
    const orderly = error === undefined || (code === "ECONNRESET" && !(error instanceof Error && "syscall" in error));
    const { authority } = this.#place.server;
    if (orderly) return this.#error(`${authority} closed the connection before the answer was complete`, { reason: "aborted-by-peer", cause: error });
    return this.#error(`${authority} ${what}`, { reason, ...(code === undefined ? {} : { code }), cause: withoutPacket(error) });
  }

  #error(what: string, failure: Omit<TransportFailure, "sent" | "reused">): TransportError {
    const sent = this.#connection.socket.bytesWritten > this.#writtenBefore ? "maybe" : "no";
    return new TransportError(`${attemptOf(this.#request)}: ${what}`, { sent, reused: this.#reused, ...failure });
  }
}

function readHead({ method }: HttpRequest, response: IncomingMessage): { readonly status: number; readonly headers: HttpHeaders; readonly isEmpty: boolean } {
  const headers = responseHeaders(response.rawHeaders);
  const status = response.statusCode ?? 0;
  return { status, headers, isEmpty: method === "HEAD" || status === 204 || status === 304 || firstHeader(headers, "content-length") === "0" };
}

/** A body always has a length; without one Node leaves DELETE bodies unframed, and the server takes them for the next request. */
function lengthOf({ method, body, headers }: HttpRequest): Record<string, string> {
  if (Object.hasOwn(headers, "content-length")) return {};
  if (body === undefined) return method === "POST" || method === "PUT" || method === "PATCH" ? { "content-length": "0" } : {};
  if (typeof body === "string" || body instanceof Uint8Array) return { "content-length": String(Buffer.byteLength(body)) };
  return { "transfer-encoding": "chunked" };
}

/** What the parser choked on may be a document with secrets in it. */
function withoutPacket(error: unknown): unknown {
  if (error instanceof Error && "rawPacket" in error) delete error.rawPacket;
  return error;
}
