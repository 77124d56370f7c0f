/**
 * WebSockets over real sockets, for `exec`, `attach` and port forwarding. Loads the WebSocket library on first use.
 *
 *     WebSocketRequest → CredentialSource, TlsSource → node-dial.ts → handshake → WebSocketChannel
 */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Clock, HttpHeaders, Secret } from "@drover/machinery";
import { definedOnly, isTimeoutError, withTimeout } from "@drover/machinery";
import type { WebSocket } from "ws";
import { noCredential } from "../auth/credential-source.ts";
import type { CredentialSource } from "../auth/credential-source.ts";
import { MessageQueue } from "../streams/message-queue.ts";
import { StreamError } from "../streams/stream-error.ts";
import { UpgradeRefusedError, closeText, isUpgradeRefusedError } from "../streams/web-socket.ts";
import type { WebSocketChannel, WebSocketClose, WebSocketConnect, WebSocketMessage, WebSocketRequest } from "../streams/web-socket.ts";
import { requestHeaders, responseHeaders } from "./header-lines.ts";
import { login } from "./login.ts";
import type { Login } from "./login.ts";
import { dialler } from "./node-dial.ts";
import type { DialOptions } from "./dial-options.ts";
import { parseServerAddress } from "./server-address.ts";
import type { ServerAddress } from "./server-address.ts";
import { withTlsSettings } from "./tls-settings.ts";
import type { TlsSource } from "./tls-settings.ts";
import { TransportError, classifyError } from "./transport-error.ts";

export interface NodeWebSocketOptions extends DialOptions {
  /** URL of the server: scheme (http or https), host, port and a path that prefixes every request path. */
  readonly server: string;
  /** Called before every connection. */
  readonly tls: TlsSource;
  readonly clock: Clock;
  /** Provides the `authorization` header, and another one if the server rejects the first. @default no header */
  readonly credentials?: CredentialSource;
  /** Added to every handshake: user agent, impersonation. @default none */
  readonly headers?: HttpHeaders;
  /** Timeout for opening a connection, the server's response included. @default 60 seconds */
  readonly connectTimeoutMs?: number;
  /** Interval between pings. @default 5 seconds */
  readonly pingIntervalMs?: number;
  /** Silence after which the connection counts as lost. @default 61 seconds */
  readonly silenceTimeoutMs?: number;
}

interface Place {
  readonly server: ServerAddress;
  readonly clock: Clock;
  readonly pingIntervalMs: number;
  readonly silenceTimeoutMs: number;
}

const closeGraceMs = 5000;
const messageBytesMax = 16 * 1024 * 1024;
const refusalBytesMax = 64 * 1024;

/**
 * Opens WebSockets, each over its own socket.
 *
 * Guarantees: an abort at any time destroys the socket; after a 401 it retries once if there is another credential; it
 * follows no redirects and uses no compression; it detects a peer that disappeared silently.
 */
export function nodeWebSocket(options: NodeWebSocketOptions): WebSocketConnect {
  const {
    clock,
    tls,
    credentials = noCredential,
    headers = {},
    connectTimeoutMs = 60_000,
    pingIntervalMs = 5000,
    silenceTimeoutMs = 61_000,
  } = options;
  const server = parseServerAddress(options.server);
  const way = dialler(server, options);
  const place: Place = { server, clock, pingIntervalMs, silenceTimeoutMs };
  const open = async (request: WebSocketRequest, header: Secret | undefined): Promise<WebSocketChannel> => {
    const authorization = header === undefined ? {} : { authorization: header.reveal() };
    const all = { ...headers, ...request.headers, ...authorization };
    const { signal } = request;
    let sent: "no" | "maybe" = "no";
    try {
      return await withTimeout(
        clock,
        connectTimeoutMs,
        async (inTime) => {
          const socket = await withTlsSettings(tls, inTime, (settings) => way.dial(settings, inTime));
          sent = "maybe";
          return await handshake(place, socket, { ...request, headers: all }, inTime);
        },
        definedOnly({ signal }),
      );
    } catch (error) {
      if (signal?.aborted === true || !isTimeoutError(error)) throw error;
      throw new TransportError(`connect to ${server.authority}${way.through}: no WebSocket after ${connectTimeoutMs} ms`, {
        reason: "timeout",
        timeout: "connect",
        sent,
        cause: error,
      });
    }
  };
  return async (request) => {
    const { signal } = request;
    signal?.throwIfAborted();
    const show = (): Promise<Login> => login(credentials, { tls, ...definedOnly({ signal }) });
    const shown = await show();
    try {
      return await open(request, shown.header);
    } catch (error) {
      if (!isUpgradeRefusedError(error) || error.status !== 401 || !(await shown.refused())) throw error;
      return await open(request, (await show()).header);
    }
  };
}

async function handshake(place: Place, socket: Socket, request: WebSocketRequest, inTime: AbortSignal): Promise<WebSocketChannel> {
  const { WebSocket: Constructor } = await import("ws");
  const { server } = place;
  const ws = new Constructor(`ws://${server.authority}${server.basePath}${request.path}`, [...request.protocols], {
    // The socket is already connected and secured.
    createConnection: () => socket,
    headers: { ...requestHeaders(request.headers), host: server.hostHeader },
    perMessageDeflate: false,
    maxPayload: messageBytesMax,
    followRedirects: false,
  });
  const channel = new NodeChannel(place, ws, request.signal);
  return await new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      inTime.removeEventListener("abort", abort);
      ws.off("open", opened).off("error", failed).off("unexpected-response", refused);
      act();
    };
    const giveUp = (error: unknown): void =>
      settle(() => {
        ws.terminate();
        socket.destroy();
        reject(error);
      });
    const opened = (): void =>
      settle(() => {
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

function handshakeError({ authority }: ServerAddress, error: Error): Error {
  const { reason, code, what } = classifyError(error);
  if (reason === "other")
    return new StreamError("protocol", `connect to ${authority}: it does not open a WebSocket: ${error.message}`, { cause: error });
  return new TransportError(`connect to ${authority}: it ${what}`, {
    reason,
    sent: "maybe",
    ...definedOnly({ code }),
    cause: error,
  });
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
    // Also before the connection is open: an error without a listener would end the process.
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
    return new Promise((resolve, reject) =>
      this.#ws.send(message, { binary: typeof message !== "string" }, (error) => {
        if (error === undefined || error === null) resolve();
        else
          reject(
            this.#signal?.aborted === true ? this.#signal.reason : new StreamError("lost", "the connection is closed", { cause: error }),
          );
      }),
    );
  }

  async close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = true;
      this.messages.discard();
      // Drop further messages; otherwise the closing frame of the other side would not be read.
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
    // An abort also drops unread messages.
    this.messages.cut(this.#signal?.reason);
  };

  #over(code: number, reason: string): WebSocketClose {
    this.#cancelPing();
    this.#signal?.removeEventListener("abort", this.#abort);
    // 1005: closed cleanly, without a code.
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
      // While reading is paused, silence means nothing.
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
  return code.startsWith("WS_ERR_")
    ? new StreamError("protocol", `the other side violates the protocol: ${error.message}`, { cause: error })
    : new StreamError("lost", `the connection broke: ${error.message}`, { cause: error });
}
