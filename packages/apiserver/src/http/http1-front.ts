/**
 * Serves HTTP/1.1: one request after the other on each connection.
 *
 *     node:http → Link → Exchanges → response
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { HttpRequest, HttpResponse, Transport } from "@drover/machinery";
import type { Peer } from "../access/peer.ts";
import { StatusError } from "../status-error.ts";
import { bodyPieces, pieceBytes } from "./body-pieces.ts";
import { chunkOf } from "./chunk.ts";
import type { Exchanges } from "./exchanges.ts";
import { LineMemo } from "./line-memo.ts";
import { headersToWire } from "./message-head.ts";
import type { ByteSink } from "./pour-body.ts";
import { refusal, statusRefusal } from "./refusal.ts";
import type { Refusal } from "./refusal.ts";
import { peerOf } from "./socket-peer.ts";

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

/** All HTTP/1.1 connections of one port. */
export class Http1Front {
  readonly #server: Server;
  readonly #exchanges: Exchanges;
  readonly #chunks = new LineMemo(chunkOf);
  readonly #links = new WeakMap<Socket, Link>();

  constructor(server: Server, exchanges: Exchanges) {
    this.#server = server;
    this.#exchanges = exchanges;
  }

  /** Answers the requests of the server from now on. */
  open(): void {
    const server = this.#server;
    server.on("request", (request, response) => this.#begin(request, response));
    server.on("checkContinue", (request, response) => {
      if (!this.#isTooLarge(request)) response.writeContinue();
      this.#begin(request, response);
    });
    server.on("checkExpectation", (_, response: ServerResponse) =>
      refuse(response, refusal(417, "only the expectation 100-continue is supported")),
    );
  }

  #begin(message: IncomingMessage, response: ServerResponse): void {
    this.#exchanges.begin(this.#serve(message, response));
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.on("close", () => {
      if (!response.writableFinished) gone.abort();
      if (this.#exchanges.isEnding) this.#server.closeIdleConnections();
    });
    message.on("close", () => {
      if (!message.complete) gone.abort();
    });
    try {
      const link = this.#linkOf(message.socket);
      const request = await this.#requestOf(message, response, link, gone.signal);
      if (request === undefined) return;
      const answer = await this.#exchanges.call(link.transport, request);
      if (answer !== undefined) await this.#answer(answer, message, response, gone);
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
    socket.setMaxListeners(socket.getMaxListeners() + this.#exchanges.limits.pipelineMax);
    const link: Link = {
      socket,
      peer,
      transport: this.#exchanges.options.connection(peer),
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
    if (httpVersionMajor < 1) return refuse(response, refusal(400, "HTTP/1.1 is required"));
    // As in Go: another encoding than "chunked" would reach the handler undecoded.
    if ((message.headers["transfer-encoding"] ?? "chunked").toLowerCase() !== "chunked")
      return refuse(response, refusal(501, "Unsupported transfer encoding"));
    const head = this.#exchanges.headOf({ rawHeaders, target: message.url ?? "", encrypted: link.peer.encrypted });
    if ("status" in head) return refuse(response, head);
    const body = await this.#bodyOf(message);
    if (before !== undefined && !before.closed && !(await this.#turn(before, link))) return undefined;
    if (response.destroyed) return undefined;
    return { method, ...head, signal, pause: this.#exchanges.pause, ...(body === undefined ? {} : { body }) };
  }

  /** Waits for the previous response of the connection. Returns false when the connection is closed. */
  async #turn(before: ServerResponse, link: Link): Promise<boolean> {
    if (link.waiting >= this.#exchanges.limits.pipelineMax) link.isFull = true;
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
    return Number(headers["content-length"] ?? 0) > this.#exchanges.limits.bodyBytesMax;
  }

  async #bodyOf(message: IncomingMessage): Promise<HttpRequest["body"]> {
    const { headers, socket } = message;
    if (headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0") return undefined;
    return await this.#exchanges.bodies.read(message, {
      declaredBytes: Number(headers["content-length"] ?? 0),
      cut: () => void socket.destroy(),
    });
  }

  async #answer(
    { status, headers, body }: HttpResponse,
    message: IncomingMessage,
    response: ServerResponse,
    gone: AbortController,
  ): Promise<void> {
    // The rest of a refused body may never arrive.
    if (this.#exchanges.isEnding || (message.headers.expect !== undefined && !message.complete && this.#isTooLarge(message)))
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
    // Sends the head of a watch that has no events yet.
    response.flushHeaders();
    // Node would write each chunk in four pieces, for each watcher. Chunks are encoded here; Node only ends the body.
    const { chunkedEncoding } = response;
    response.chunkedEncoding = false;
    const isComplete = await this.#exchanges.pour(body, {
      sink: this.#sinkOf(response, { takesBody: message.method !== "HEAD" }),
      lines: chunkedEncoding ? this.#chunks : this.#exchanges.plain,
      gone,
      path: message.url,
    });
    response.chunkedEncoding = chunkedEncoding;
    // The head is sent, so only a broken connection tells the client that the body is incomplete.
    if (isComplete) response.end();
    else message.socket.destroy();
  }

  #sinkOf(response: ServerResponse, { takesBody }: { readonly takesBody: boolean }): ByteSink {
    const { clock } = this.#exchanges.options;
    const { stallTimeoutMs } = this.#exchanges.limits;
    let past: Socket | undefined;
    return {
      // Writes to the socket directly, because the response would cork it for a turn; but only once the response has no buffered data.
      write: (bytes) => {
        if (past === undefined && response.socket !== null && response.writableLength === response.socket.writableLength)
          past = response.socket;
        return (past ?? response).write(bytes);
      },
      waitingBytes: () => (past ?? response).writableLength,
      cut: () => void response.destroy(),
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
    if (error instanceof StatusError) {
      const { status, headers, body } = statusRefusal(error);
      return void response.writeHead(status, headersToWire(headers)).end(body);
    }
    this.#exchanges.options.log.error("request failed without a response", { method: message.method, path: message.url, error });
    if (response.headersSent) message.socket.destroy();
    else refuse(response, refusal(500, "the server failed to answer; its log says why"));
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

/** Answers without calling the handler and closes the connection. */
function refuse(response: ServerResponse, { status, headers, body }: Refusal): undefined {
  response.writeHead(status, headersToWire({ ...headers, connection: "close" })).end(body);
}
