/**
 * WebSockets over real sockets, for `exec`, `attach` and port forwarding. The other file of this package that touches the outside world.
 * The library behind it is loaded when the first connection is made.
 *
 *     WebSocketRequest → CredentialSource, TlsSource → dial (TCP → proxy → TLS) → handshake → WebSocketChannel
 */
import type { IncomingMessage } from "node:http";
import { connect as connectTcp, isIP } from "node:net";
import type { Socket } from "node:net";
import { checkServerIdentity, connect as connectTls, createSecureContext } from "node:tls";
import type { Clock, HttpHeaders, Secret } from "@drover/machinery";
import { TimeoutError, abortable, withTimeout } from "@drover/machinery";
import type { WebSocket } from "ws";
import type { CredentialSource } from "../auth/credential-source.ts";
import { MessageQueue } from "../streams/message-queue.ts";
import { StreamError } from "../streams/stream-error.ts";
import { UpgradeRefusedError, closeText } from "../streams/web-socket.ts";
import type { WebSocketChannel, WebSocketClose, WebSocketConnect, WebSocketMessage, WebSocketRequest } from "../streams/web-socket.ts";
import { requestHeaders, responseHeaders } from "./header-lines.ts";
import { connectStart, connectStep } from "./http-connect-state.ts";
import { matchesNoProxy, proxyTarget } from "./proxy-target.ts";
import type { ProxyTarget } from "./proxy-target.ts";
import { parseServerUrl } from "./server-url.ts";
import type { ServerUrl } from "./server-url.ts";
import { socks5Start, socks5Step } from "./socks5-state.ts";
import type { TlsSettings, TlsSource } from "./tls-settings.ts";
import { TransportError, classifyError } from "./transport-error.ts";

export interface NodeWebSocketOptions {
  /** Where the server is: scheme (http or https), host, port and the path that comes before every path. */
  readonly server: string;
  /** Asked before every connection. */
  readonly tls: TlsSource;
  readonly clock: Clock;
  /** Gives the `authorization` header; asked for another one when the server refuses the first. @default no header */
  readonly credentials?: CredentialSource;
  /** Added to every handshake: user agent, impersonation. @default none */
  readonly headers?: HttpHeaders;
  /** `http:`, `https:` or `socks5:`, with user and password if it wants them. @default none */
  readonly proxyUrl?: string;
  /** Servers that are reached without the proxy, in the form of `NO_PROXY`. @default none */
  readonly noProxy?: string;
  /** How long making a connection may take, the server's answer included. @default 60 seconds */
  readonly connectTimeoutMs?: number;
  /** How often the other side is asked whether it is still there. @default 5 seconds */
  readonly pingIntervalMs?: number;
  /** After how long without any sign of life the connection counts as lost. @default 61 seconds */
  readonly silenceTimeoutMs?: number;
}

interface Place {
  readonly server: ServerUrl;
  readonly proxy: ProxyTarget | undefined;
  readonly clock: Clock;
  readonly pingIntervalMs: number;
  readonly silenceTimeoutMs: number;
}

const tcpKeepAliveMs = 30_000;
const closeGraceMs = 5000;
const messageBytesMax = 16 * 1024 * 1024;
const refusalBytesMax = 64 * 1024;

/**
 * Opens WebSockets over sockets of their own.
 *
 * Guarantees: an abort at any moment destroys the socket; after a 401 it tries once more if there is another credential; redirects are not
 * followed; nothing is compressed; a peer that has gone silently is found out.
 */
export function nodeWebSocket(options: NodeWebSocketOptions): WebSocketConnect {
  const { clock, tls, credentials, headers = {}, proxyUrl, noProxy = "", connectTimeoutMs = 60_000, pingIntervalMs = 5000, silenceTimeoutMs = 61_000 } = options;
  const server = parseServerUrl(options.server);
  const proxy = proxyUrl === undefined || matchesNoProxy(server, noProxy) ? undefined : proxyTarget(proxyUrl);
  const place: Place = { server, proxy, clock, pingIntervalMs, silenceTimeoutMs };
  const open = async (request: WebSocketRequest, header: Secret | undefined): Promise<WebSocketChannel> => {
    const authorization = header === undefined ? {} : { authorization: header.reveal() };
    const all = { ...headers, ...request.headers, ...authorization };
    const { signal } = request;
    try {
      return await withTimeout(clock, connectTimeoutMs, async (inTime) => {
        const socket = await dial(place, await abortable(tls(), inTime), inTime);
        return await handshake(place, socket, { ...request, headers: all }, inTime);
      }, signal === undefined ? {} : { signal });
    } catch (error) {
      if (signal?.aborted === true || !(error instanceof TimeoutError)) throw error;
      throw new TransportError(`connect to ${server.authority}: no WebSocket after ${connectTimeoutMs} ms`, { reason: "timeout", timeout: "connect", sent: "maybe", cause: error });
    }
  };
  return async (request) => {
    const { signal } = request;
    signal?.throwIfAborted();
    const wait = signal === undefined ? {} : { signal };
    const header = await credentials?.header(wait);
    try {
      return await open(request, header);
    } catch (error) {
      if (!(error instanceof UpgradeRefusedError) || error.status !== 401 || credentials === undefined || !(await credentials.refused(header))) throw error;
      return await open(request, await credentials.header(wait));
    }
  };
}

async function handshake(place: Place, socket: Socket, request: WebSocketRequest, inTime: AbortSignal): Promise<WebSocketChannel> {
  const { WebSocket: Constructor } = await import("ws");
  const { server } = place;
  const ws = new Constructor(`ws://${server.authority}${server.basePath}${request.path}`, [...request.protocols], {
    // The socket is connected and secured already.
    createConnection: () => socket, headers: { ...requestHeaders(request.headers), host: server.hostHeader },
    perMessageDeflate: false, maxPayload: messageBytesMax, followRedirects: false,
  });
  const channel = new NodeChannel(place, ws, request.signal);
  return await new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      inTime.removeEventListener("abort", abort);
      ws.off("open", opened).off("error", failed).off("unexpected-response", refused);
      act();
    };
    const giveUp = (error: unknown): void => settle(() => {
      ws.terminate();
      socket.destroy();
      reject(error);
    });
    const opened = (): void => settle(() => {
      channel.opened();
      resolve(channel);
    });
    const failed = (error: Error): void => giveUp(handshakeError(server, error));
    const refused = (_: unknown, response: IncomingMessage): void => void refusal(response).then(giveUp, giveUp);
    const abort = (): void => giveUp(inTime.reason);
    ws.on("open", opened).on("error", failed).on("unexpected-response", refused);
    inTime.addEventListener("abort", abort, { once: true });
    if (inTime.aborted) abort();
  });
}

function handshakeError({ authority }: ServerUrl, error: Error): Error {
  const { reason, code, what } = classifyError(error);
  if (reason === "other") return new StreamError("protocol", `connect to ${authority}: it does not open a WebSocket: ${error.message}`, { cause: error });
  return new TransportError(`connect to ${authority}: it ${what}`, { reason, sent: "maybe", ...(code === undefined ? {} : { code }), cause: error });
}

async function refusal(response: IncomingMessage): Promise<UpgradeRefusedError> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > refusalBytesMax) break;
  }
  return new UpgradeRefusedError(response.statusCode ?? 0, responseHeaders(response.rawHeaders), Buffer.concat(chunks).toString("utf8"));
}

/** One open connection. */
class NodeChannel implements WebSocketChannel {
  readonly messages: MessageQueue<WebSocketMessage>;
  readonly closed: Promise<WebSocketClose>;
  readonly #place: Place;
  readonly #ws: WebSocket;
  readonly #signal: AbortSignal | undefined;
  #failure: { readonly error: unknown } | undefined;
  #closing = false;
  #heardMs = 0;
  #cancelPing: () => void = () => undefined;

  constructor(place: Place, ws: WebSocket, signal: AbortSignal | undefined) {
    this.#place = place;
    this.#ws = ws;
    this.#signal = signal;
    this.messages = new MessageQueue({ onFull: (full) => this.#hold(full) });
    this.closed = new Promise((resolve) => ws.once("close", (code, reason) => resolve(this.#over(code, reason.toString("utf8")))));
    ws.on("message", (data: Buffer, isBinary) => {
      this.#heard();
      this.messages.push(isBinary ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : data.toString("utf8"));
    });
    ws.on("pong", () => this.#heard()).on("ping", () => this.#heard());
    // Also before the connection stands: an error without a listener would end the process.
    ws.on("error", (error) => (this.#failure ??= { error: streamError(error) }));
  }

  get protocol(): string {
    return this.#ws.protocol;
  }

  opened(): void {
    this.#heard();
    this.#signal?.addEventListener("abort", this.#abort, { once: true });
    this.#ping();
  }

  send(message: WebSocketMessage): Promise<void> {
    return new Promise((resolve, reject) => this.#ws.send(message, { binary: typeof message !== "string" }, (error) => {
      if (error === undefined || error === null) resolve();
      else reject(this.#signal?.aborted === true ? this.#signal.reason : new StreamError("lost", "the connection is closed", { cause: error }));
    }));
  }

  async close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = true;
      this.messages.discard();
      // What still comes is dropped; the good-bye of the other side would not be heard otherwise.
      this.#ws.resume();
      this.#ws.close(1000);
    }
    const cancel = this.#place.clock.timer(closeGraceMs, () => this.#ws.terminate());
    await this.closed;
    cancel();
  }

  readonly #abort = (): void => {
    this.#failure ??= { error: this.#signal?.reason };
    this.#ws.terminate();
    // Whoever says enough does not want what lies unread either.
    this.messages.cut(this.#signal?.reason);
  };

  #over(code: number, reason: string): WebSocketClose {
    this.#cancelPing();
    this.#signal?.removeEventListener("abort", this.#abort);
    // 1005: closed in good order, without a code.
    if (this.#failure !== undefined) this.messages.fail(this.#failure.error);
    else if (code === 1000 || code === 1005) this.messages.end();
    else this.messages.fail(new StreamError("lost", closeText(code, reason)));
    return { code, reason };
  }

  #hold(full: boolean): void {
    if (full) this.#ws.pause();
    else this.#ws.resume();
    this.#heard();
  }

  #heard(): void {
    this.#heardMs = this.#place.clock.monotonic();
  }

  #ping(): void {
    const { clock, pingIntervalMs, silenceTimeoutMs } = this.#place;
    this.#cancelPing = clock.timer(pingIntervalMs, () => {
      // Who does not listen cannot complain about silence.
      if (this.#ws.isPaused) this.#heard();
      if (clock.monotonic() - this.#heardMs >= silenceTimeoutMs) {
        this.#failure ??= { error: new StreamError("lost", `the other side has been silent for ${silenceTimeoutMs} ms`) };
        this.#ws.terminate();
        return;
      }
      this.#ws.ping(undefined, undefined, () => undefined);
      this.#ping();
    });
  }
}

function streamError(error: Error): StreamError {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return code.startsWith("WS_ERR_") ? new StreamError("protocol", `the other side does not keep to the protocol: ${error.message}`, { cause: error }) : new StreamError("lost", `the connection broke: ${error.message}`, { cause: error });
}

async function dial({ server, proxy }: Place, settings: TlsSettings, signal: AbortSignal): Promise<Socket> {
  const { host, port } = proxy ?? server;
  const peer = proxy === undefined ? undefined : `the proxy ${proxy.authority}`;
  let socket = await ready(connectTcp({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: tcpKeepAliveMs, autoSelectFamily: true }), "connect", server, peer, signal);
  if (proxy !== undefined) {
    if (proxy.kind === "https") socket = await ready(secured(socket, host, settings, server), "secureConnect", server, peer, signal);
    await tunnel(socket, server, proxy, signal);
  }
  return server.secure ? await ready(secured(socket, settings.serverName ?? server.host, settings, server), "secureConnect", server, undefined, signal) : socket;
}

function secured(socket: Socket, name: string, { ca, certificate, key, insecure }: TlsSettings, { authority }: ServerUrl): Socket {
  try {
    const secureContext = createSecureContext({
      minVersion: "TLSv1.2", allowPartialTrustChain: true,
      ...(ca === undefined ? {} : { ca }), ...(certificate === undefined ? {} : { cert: certificate }), ...(key === undefined ? {} : { key: key.reveal() }),
    });
    return connectTls({
      socket, secureContext, rejectUnauthorized: !insecure, ALPNProtocols: ["http/1.1"],
      servername: isIP(name) === 0 ? name : "", checkServerIdentity: (_, peer) => checkServerIdentity(name, peer),
    });
  } catch (error) {
    socket.destroy();
    throw new TransportError(`connect to ${authority}: certificate-authority, client-certificate or client-key cannot be used; they must be PEM, and certificate and key must belong together`, { reason: "tls", sent: "no", cause: error });
  }
}

/** Resolves with the socket when the event comes; destroys it when anything else does. */
function ready(socket: Socket, event: "connect" | "secureConnect", { authority }: ServerUrl, peer: string | undefined, signal: AbortSignal): Promise<Socket> {
  socket.on("error", () => undefined);
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      socket.off(event, done).off("error", fail).off("close", fail);
      signal.removeEventListener("abort", abort);
      act();
    };
    const giveUp = (error: unknown): void => settle(() => {
      socket.destroy();
      reject(error);
    });
    const done = (): void => settle(() => resolve(socket));
    const fail = (error: unknown): void => {
      const { reason, code, what } = classifyError(error instanceof Error ? error : Object.assign(new Error("closed"), { code: "ECONNRESET" }));
      giveUp(new TransportError(`connect to ${authority}: ${peer ?? "it"} ${what}`, { reason: peer === undefined ? reason : "proxy", sent: "no", ...(code === undefined ? {} : { code }), cause: error }));
    };
    const abort = (): void => giveUp(signal.reason);
    socket.on(event, done).on("error", fail).on("close", fail);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
  });
}

type TunnelStep<S> = { readonly kind: "more"; readonly state: S; readonly send?: Uint8Array } | { readonly kind: "done"; readonly rest: Uint8Array } | { readonly kind: "failed"; readonly why: string };

/** Asks the proxy to connect onwards. */
function tunnel(socket: Socket, server: ServerUrl, proxy: ProxyTarget, signal: AbortSignal): Promise<void> {
  const login = proxy.login === undefined ? {} : { login: proxy.login };
  const refused = (why: string): TransportError => new TransportError(`connect to ${server.authority}: the proxy ${proxy.authority} did not connect us: ${why}`, { reason: "proxy", sent: "no" });
  return proxy.kind === "socks5"
    ? negotiate(socket, socks5Start({ host: server.host, port: server.port, ...login }), socks5Step, refused, signal)
    : negotiate(socket, connectStart({ authority: server.authority, ...login }, (text) => Buffer.from(text, "utf8").toString("base64")), connectStep, refused, signal);
}

async function negotiate<S>(socket: Socket, start: TunnelStep<S>, step: (state: S, chunk: Uint8Array) => TunnelStep<S>, refused: (why: string) => Error, signal: AbortSignal): Promise<void> {
  const fail = (error: unknown): never => {
    socket.destroy();
    // oxlint-disable-next-line typescript/only-throw-error -- a signal's reason is passed on as it is
    throw error;
  };
  for (let current = start; ;) {
    if (current.kind === "failed") return fail(refused(current.why));
    if (current.kind === "done") return current.rest.length > 0 ? fail(refused("it sent something before it was asked")) : undefined;
    if (current.send !== undefined) socket.write(current.send);
    const chunk = await abortable(nextChunk(socket), signal).catch(fail);
    if (chunk === undefined) return fail(refused("it closed the connection"));
    current = step(current.state, chunk);
  }
}

/** What has come, as soon as something has; undefined when the socket has closed. */
function nextChunk(socket: Socket): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    const settle = (chunk: Uint8Array | undefined): void => {
      socket.off("readable", readable).off("close", gone);
      resolve(chunk);
    };
    const readable = (): void => {
      const chunk = socket.read() as Uint8Array | null;
      if (chunk !== null) settle(chunk);
    };
    const gone = (): void => settle(undefined);
    socket.on("readable", readable).on("close", gone);
    if (socket.destroyed) gone();
  });
}
