/**
 * Serves a `Transport` per connection over TCP or TLS with HTTP/1.1.
 *
 *     socket → Peer → connection(peer) → Transport;   request → HttpRequest → Transport → HttpResponse → socket
 *
 * HTTP/2 is not supported: Node serves it through a separate set of events, headers and streams, and every Kubernetes client
 * falls back to HTTP/1.1 when TLS offers nothing else.
 */
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Clock, HttpHeaders, HttpRequest, HttpResponse, Log, Metrics, Transport } from "@drover/machinery";
import { StatusError } from "../status-error.ts";
import { bodyPieces, pieceBytes } from "./body-pieces.ts";
import { chunkOf } from "./chunk.ts";
import { hostGuard } from "./host-guard.ts";
import type { HostGuard, HostGuardOptions } from "./host-guard.ts";
import { LineMemo } from "./line-memo.ts";
import { listenLimits } from "./listen-limits.ts";
import type { ListenLimits } from "./listen-limits.ts";
import { headersFromWire, headersToWire, parseRequestTarget } from "./message-head.ts";
import { oversizedBody } from "./oversized-body.ts";
import type { Peer } from "../access/peer.ts";
import { pourBody } from "./pour-body.ts";
import { RequestWatch } from "./request-watch.ts";
import { RoundRobin } from "./round-robin.ts";
import { isLarge, largeBytes } from "../request/pause.ts";
import { peerOf } from "./socket-peer.ts";
import { Turns } from "./turns.ts";
import type { ByteSink } from "./pour-body.ts";

/** Certificate of the server, and the CA of its clients. All PEM. */
export interface ListenerTls {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
  /** CA that signs client certificates. @default no client certificates */
  readonly clientAuthorityPem?: string;
}

export interface ListenOptions extends HostGuardOptions {
  /** Called once per connection; returns the transport for its requests. */
  readonly connection: (peer: Peer) => Transport;
  /** "none" is for tests: the connection is not encrypted. */
  readonly tls: ListenerTls | "none";
  readonly clock: Clock;
  readonly log: Log;
  /** Counts requests that block the event loop. @default not counted */
  readonly metrics?: Metrics;
  /** Address to listen on. @default "127.0.0.1" */
  readonly host?: string;
  /** @default 0, any free port */
  readonly port?: number;
  /** @default the defaults of `ListenLimits` */
  readonly limits?: ListenLimits;
}

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** "https://127.0.0.1:40123" */
  readonly url: string;
  /**
   * Serves until the signal aborts, and resolves when the last connection is closed. On abort it stops accepting connections,
   * aborts the signals of streams, lets other requests finish, and closes what is left after the grace period.
   */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** When a connection or a request began last, by `clock.monotonic()`; -Infinity before the first. */
  readonly heardMs: () => number;
}

/** Opens the port and starts to serve. Rejects when the port is not available. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { host = "127.0.0.1", port = 0 } = options;
  const front = new Front(options);
  const { server } = front;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const bound = server.address() as AddressInfo;
  const name = bound.family === "IPv6" ? `[${bound.address}]` : bound.address;
  return {
    host: bound.address,
    port: bound.port,
    url: `${options.tls === "none" ? "http" : "https"}://${name}:${bound.port}`,
    run: (signal) => front.run(signal),
    heardMs: () => front.heardMs,
  };
}

/** A body this many times over the limit closes the connection instead of being discarded. */
const discardFactor = 16;

/** How much of a large body is read in one turn when several arrive. */
const readBytes = 256 * 1024;
/** Two responses of this size fit into the buffer of a socket, so reading never stops because of them. */
const shortBytes = 8 * 1024;

/** State of one connection. */
interface Link {
  readonly socket: Socket;
  readonly peer: Peer;
  readonly transport: Transport;
  /** Response to the previous request; pipelined requests wait for it. */
  last: ServerResponse | undefined;
  waiting: number;
  /** Too many requests were pipelined: those that wait are answered, the others are not, and the connection is closed. */
  isFull: boolean;
  /** Whether a response has no known end, such as a watch. */
  isStreaming: boolean;
  /** Whether reading can stop at the next request. */
  canWait: boolean;
}

/** All connections of one port. */
class Front {
  readonly server: Server;
  readonly #options: ListenOptions;
  readonly #limits: Required<ListenLimits>;
  readonly #guard: HostGuard;
  readonly #plain = new LineMemo((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece));
  readonly #chunks = new LineMemo(chunkOf);
  readonly #links = new WeakMap<Socket, Link>();
  readonly #streams = new Set<AbortController>();
  /** Running requests; none of these promises rejects. */
  readonly #exchanges = new Set<Promise<void>>();
  readonly #watch: RequestWatch;
  readonly #turns: Turns;
  /** Of several large bodies that arrive at once, one is read in each turn: decryption takes time too. */
  readonly #reads = new RoundRobin(setImmediate);
  #largeReads = 0;
  #ending = false;
  /** When a connection or a request began last. */
  heardMs = -Infinity;

  constructor(options: ListenOptions) {
    this.#options = options;
    this.#watch = new RequestWatch(options);
    this.#turns = new Turns({ clock: options.clock, nextTurn: setImmediate });
    this.#limits = listenLimits(options.limits ?? {});
    this.#guard = hostGuard(options);
    this.server = openServer(options.tls, this.#limits);
    this.server.on("connection", () => this.#hear());
    this.server.on("request", (request, response) => this.#begin(request, response));
    this.server.on("checkContinue", (request, response) => {
      if (!this.#isTooLarge(request)) response.writeContinue();
      this.#begin(request, response);
    });
    this.server.on("checkExpectation", (_, response: ServerResponse) =>
      refuse(response, 417, "only the expectation 100-continue is supported"),
    );
  }

  async run(signal: AbortSignal): Promise<void> {
    const { server } = this;
    await new Promise<void>((resolve, reject) => {
      server.on("error", reject);
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    this.#ending = true;
    const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
    for (const stream of this.#streams) stream.abort(shuttingDown());
    let cancel: () => void = () => undefined;
    const graceOver = new Promise<void>((resolve) => {
      cancel = this.#options.clock.timer(this.#limits.graceMs, () => {
        server.closeAllConnections();
        resolve();
      });
    });
    await closed;
    // A handler may still run for a client that has disconnected.
    await Promise.race([Promise.all(this.#exchanges), graceOver]);
    cancel();
    this.#watch.close();
  }

  #hear(): void {
    this.heardMs = this.#options.clock.monotonic();
  }

  #begin(message: IncomingMessage, response: ServerResponse): void {
    this.#hear();
    const exchange = this.#serve(message, response).finally(() => void this.#exchanges.delete(exchange));
    this.#exchanges.add(exchange);
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.on("close", () => {
      if (!response.writableFinished) gone.abort();
      if (this.#ending) this.server.closeIdleConnections();
    });
    message.on("close", () => {
      if (!message.complete) gone.abort();
    });
    try {
      const link = this.#linkOf(message.socket);
      const request = await this.#requestOf(message, response, link, gone.signal);
      if (request === undefined) return;
      const turn = this.#turns.enter(isLarge(request.body));
      if (turn !== undefined) await turn;
      if (!response.destroyed) await this.#answer(await this.#watch.serve(link.transport, request), message, response, gone);
    } catch (error) {
      if (!response.destroyed && !gone.signal.aborted) this.#fail(error, message, response);
      gone.abort(error);
    }
  }

  #linkOf(socket: Socket): Link {
    const known = this.#links.get(socket);
    if (known !== undefined) return known;
    const peer = peerOf(socket);
    // Each pipelined request listens for the end of the connection.
    socket.setMaxListeners(socket.getMaxListeners() + this.#limits.pipelineMax);
    const link: Link = {
      socket,
      peer,
      transport: this.#options.connection(peer),
      last: undefined,
      waiting: 0,
      isFull: false,
      isStreaming: false,
      canWait: false,
    };
    this.#links.set(socket, link);
    return link;
  }

  /** Returns the request when its turn has come; undefined when it is already answered or the client is gone. */
  async #requestOf(message: IncomingMessage, response: ServerResponse, link: Link, signal: AbortSignal): Promise<HttpRequest | undefined> {
    const before = link.last;
    link.last = response;
    const { rawHeaders, method = "", httpVersionMajor } = message;
    if (httpVersionMajor < 1) return refuse(response, 400, "HTTP/1.1 is required");
    if (rawHeaders.length / 2 > this.#limits.headersMax)
      return refuse(response, 431, `at most ${this.#limits.headersMax} headers are allowed`);
    const headers = headersFromWire(rawHeaders);
    // As in Go: another encoding than "chunked" would reach the handler undecoded.
    if ((message.headers["transfer-encoding"] ?? "chunked").toLowerCase() !== "chunked")
      return refuse(response, 501, "Unsupported transfer encoding");
    const target = parseRequestTarget(message.url ?? "");
    if (target === undefined || Array.isArray(headers.host))
      return refuse(response, 400, target === undefined ? "the request target must be a path" : "the Host header must not be repeated");
    const authority = target.authority ?? (headers.host as string | undefined);
    const refusal = this.#guard({ authority, encrypted: link.peer.encrypted, headers });
    if (refusal !== undefined) return refuse(response, 403, refusal);
    const body = await this.#bodyOf(message);
    if (before !== undefined && !before.closed && !(await this.#turn(before, link))) return undefined;
    if (response.destroyed) return undefined;
    return { method, path: target.path, headers, signal, pause, ...(body === undefined ? {} : { body }) };
  }

  /** Waits for the previous response of the connection. Returns false when the connection is closed. */
  async #turn(before: ServerResponse, link: Link): Promise<boolean> {
    if (link.waiting >= this.#limits.pipelineMax) link.isFull = true;
    if (link.isFull) {
      // The end of a stream may be far.
      if (link.isStreaming) link.socket.destroy();
      return false;
    }
    link.waiting++;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        before.off("close", done);
        link.socket.off("close", done);
        resolve();
      };
      // A queued response gets no close event when the connection closes.
      before.once("close", done);
      link.socket.once("close", done);
    });
    link.waiting--;
    return !link.socket.destroyed;
  }

  #isTooLarge({ headers }: IncomingMessage): boolean {
    return Number(headers["content-length"] ?? 0) > this.#limits.bodyBytesMax;
  }

  async #bodyOf(message: IncomingMessage): Promise<HttpRequest["body"]> {
    const { headers, socket } = message;
    if (headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0") return undefined;
    const { bodyBytesMax } = this.#limits;
    let tooLarge = this.#isTooLarge(message);
    let length = 0;
    const chunks: Buffer[] = [];
    let counted = false;
    let pauseAt = 0;
    await new Promise<void>((resolve, reject) => {
      message.on("data", (chunk: Buffer) => {
        length += chunk.length;
        if (length > largeBytes && !counted && !tooLarge) {
          counted = true;
          this.#largeReads++;
        }
        if (counted && this.#largeReads > 1 && length >= pauseAt) {
          pauseAt = length + readBytes;
          message.pause();
          this.#reads.add(() => message.resume());
        }
        if (length > bodyBytesMax) tooLarge = true;
        if (length > bodyBytesMax * discardFactor) socket.destroy();
        if (tooLarge) resolve();
        else chunks.push(chunk);
      });
      message.on("end", resolve);
      message.on("error", reject);
      message.on("close", () => reject(new Error("connection closed before the end of the body")));
      if (tooLarge) resolve();
    }).finally(() => {
      if (counted) this.#largeReads--;
      counted = false;
    });
    if (tooLarge) return oversizedBody(bodyBytesMax);
    if (length === 0) return undefined;
    return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length);
  }

  async #answer(
    { status, headers, body }: HttpResponse,
    message: IncomingMessage,
    response: ServerResponse,
    gone: AbortController,
  ): Promise<void> {
    // The rest of a refused body may never arrive.
    if (this.#ending || (message.headers.expect !== undefined && !message.complete && this.#isTooLarge(message)))
      response.shouldKeepAlive = false;
    const link = this.#linkOf(message.socket);
    if (link.isFull && link.waiting === 0) response.shouldKeepAlive = false;
    if (typeof body !== "string" && !(body instanceof Uint8Array)) {
      if (link.isFull) return void link.socket.destroy();
      letWait(link);
      link.isStreaming = true;
      response.writeHead(status, headersToWire(headers));
      await this.#pour(body, message, response, gone);
      link.isStreaming = false;
      return;
    }
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    if (bytes.length > shortBytes) letWait(link);
    const isEmpty = status === 204 || status === 304;
    response.writeHead(status, headersToWire(isEmpty ? headers : { "content-length": String(bytes.length), ...headers }));
    if (isEmpty || message.method === "HEAD" || bytes.length <= pieceBytes) response.end(isEmpty ? undefined : bytes);
    else await this.#pour(bodyPieces(bytes), message, response, gone);
  }

  async #pour(
    body: AsyncIterable<string | Uint8Array>,
    message: IncomingMessage,
    response: ServerResponse,
    gone: AbortController,
  ): Promise<void> {
    this.#streams.add(gone);
    if (this.#ending) gone.abort(shuttingDown());
    try {
      // Sends the head of a watch that has no events yet.
      response.flushHeaders();
      // Node would write each chunk in four pieces, for each watcher. Chunks are encoded here; Node only ends the body.
      const { chunkedEncoding } = response;
      response.chunkedEncoding = false;
      await pourBody(body, this.#sinkOf(response, { takesBody: message.method !== "HEAD" }), chunkedEncoding ? this.#chunks : this.#plain);
      response.chunkedEncoding = chunkedEncoding;
      response.end();
    } catch (error) {
      // The head is sent, so only a broken connection tells the client that the body is incomplete.
      if (gone.signal.reason !== error) this.#options.log.error("response failed while streaming", { path: message.url, error });
      message.socket.destroy();
    } finally {
      this.#streams.delete(gone);
    }
  }

  #sinkOf(response: ServerResponse, { takesBody }: { readonly takesBody: boolean }): ByteSink {
    const { clock } = this.#options;
    const { stallTimeoutMs } = this.#limits;
    let past: Socket | undefined;
    return {
      // Writes to the socket directly, because the response would cork it for a turn; but only once the response has no buffered data.
      write: (bytes) => {
        if (past === undefined && response.socket !== null && response.writableLength === response.socket.writableLength)
          past = response.socket;
        return (past ?? response).write(bytes);
      },
      isClosed: () => !takesBody || response.destroyed,
      onClosed: (callback) => void response.once("close", callback),
      drained: () =>
        new Promise<void>((resolve) => {
          const { socket } = response;
          const done = (): void => {
            cancel();
            response.off("drain", done).off("close", done);
            socket?.off("drain", done);
            resolve();
          };
          const cancel = clock.timer(stallTimeoutMs, () => void response.destroy());
          response.once("drain", done).once("close", done);
          socket?.once("drain", done);
        }),
    };
  }

  #fail(error: unknown, message: IncomingMessage, response: ServerResponse): void {
    if (error instanceof StatusError) return answerStatus(error, response);
    this.#options.log.error("request failed without a response", { method: message.method, path: message.url, error });
    if (response.headersSent) message.socket.destroy();
    else refuse(response, 500, "the server failed to answer; its log says why");
  }
}

/**
 * Node parses requests without JavaScript. When it stops at the next request, because much of a response is not yet sent, and more has
 * arrived with it, it fails with "Parse Error: Paused". With a listener for data it waits, but needs 20 µs more for every request.
 */
function letWait(link: Link): void {
  if (link.canWait) return;
  link.canWait = true;
  link.socket.on("data", () => undefined);
}

const pause = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

function openServer(tls: ListenerTls | "none", limits: Required<ListenLimits>): Server {
  const http = {
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.timeoutCheckMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    noDelay: true,
  };
  const server =
    tls === "none"
      ? createServer(http)
      : createTlsServer({
          ...http,
          cert: tls.certificatePem,
          key: tls.privateKeyPem,
          minVersion: "TLSv1.2",
          ALPNProtocols: ["http/1.1"],
          handshakeTimeout: limits.handshakeTimeoutMs,
          // An invalid certificate is answered with a 401 instead of a failed handshake.
          ...(tls.clientAuthorityPem === undefined ? {} : { ca: tls.clientAuthorityPem, requestCert: true, rejectUnauthorized: false }),
        });
  // Node would silently drop headers beyond its own limit; `headersMax` and the head size bound them here.
  server.maxHeadersCount = 0;
  server.maxConnections = limits.connectionsMax;
  return server;
}

const shuttingDown = (): DOMException => new DOMException("the server is shutting down", "AbortError");

/** Answers without calling the handler and closes the connection. */
function refuse(response: ServerResponse, status: number, text: string): undefined {
  const body = `${text}\n`;
  const headers: HttpHeaders = {
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  response.writeHead(status, headersToWire(headers)).end(body);
}

/** For a StatusError that the body threw and the handler let pass. */
function answerStatus({ status }: StatusError, response: ServerResponse): void {
  const body = JSON.stringify(status);
  response
    .writeHead(status.code ?? 500, headersToWire({ "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }))
    .end(body);
}
