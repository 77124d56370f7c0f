/**
 * The one place where the server meets sockets: TCP or TLS and HTTP/1.1 on one side, a `Transport` per connection on the other.
 *
 *     socket → Peer → connection(peer) → Transport;   request → HttpRequest → Transport → HttpResponse → socket
 *
 * HTTP/2 is not spoken: Node has it with a second set of events, headers and streams for what is the same to the handler, and every client
 * of Kubernetes falls back to HTTP/1.1 when TLS offers nothing else.
 */
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Clock, HttpHeaders, HttpRequest, HttpResponse, Log, Transport } from "@drover/machinery";
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
import type { Peer, PeerCertificate } from "../access/peer.ts";
import { pourBody } from "./pour-body.ts";
import type { ByteSink } from "./pour-body.ts";

/** How the server shows who it is, and whom it believes. All PEM. */
export interface ListenerTls {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
  /** Signs the certificates of users. @default no user has one */
  readonly clientAuthorityPem?: string;
}

export interface ListenOptions extends HostGuardOptions {
  /** Called once for every connection; its requests go where it says. */
  readonly connection: (peer: Peer) => Transport;
  /** "none" is for tests: whoever can reach the port can read along. */
  readonly tls: ListenerTls | "none";
  readonly clock: Clock;
  readonly log: Log;
  /** The address to listen on. @default "127.0.0.1" */
  readonly host?: string;
  /** @default 0, any that is free */
  readonly port?: number;
  /** @default those of `ListenLimits` */
  readonly limits?: ListenLimits;
}

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** "https://127.0.0.1:40123" */
  readonly url: string;
  /**
   * Serves until the signal aborts, and resolves when the last connection is closed. From then on nobody is let in, streams are asked to
   * end by the signals of their requests, other requests may finish, and after the time of grace the rest is cut off.
   */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** Opens the port; requests are answered from here on. Rejects when the port cannot be had. */
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
  };
}

/** Of a body that is too large this many times over the rest is not even thrown away: the connection is closed. */
const discardFactor = 16;

/** What is kept for a connection. */
interface Link {
  readonly socket: Socket;
  readonly peer: Peer;
  readonly transport: Transport;
  /** The answer to the request before, on a connection whose client does not wait for it. */
  last: ServerResponse | undefined;
  waiting: number;
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
  /** None of them ever rejects. */
  readonly #exchanges = new Set<Promise<void>>();
  #ending = false;

  constructor(options: ListenOptions) {
    this.#options = options;
    this.#limits = listenLimits(options.limits ?? {});
    this.#guard = hostGuard(options);
    this.server = openServer(options.tls, this.#limits);
    this.server.on("request", (request, response) => this.#begin(request, response));
    this.server.on("checkContinue", (request, response) => {
      if (!this.#isTooLarge(request)) response.writeContinue();
      this.#begin(request, response);
    });
    this.server.on("checkExpectation", (_, response: ServerResponse) =>
      refuse(response, 417, "the one thing that can be expected is 100-continue"),
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
    // A handler may still be busy with a request whose client has gone.
    await Promise.race([Promise.all(this.#exchanges), graceOver]);
    cancel();
  }

  #begin(message: IncomingMessage, response: ServerResponse): void {
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
      if (request !== undefined) await this.#answer(await link.transport(request), message, response, gone);
    } catch (error) {
      if (!response.destroyed && !gone.signal.aborted) this.#fail(error, message, response);
      gone.abort(error);
    }
  }

  #linkOf(socket: Socket): Link {
    const known = this.#links.get(socket);
    if (known !== undefined) return known;
    const peer = peerOf(socket);
    // Each waiting request listens for the end of the connection.
    socket.setMaxListeners(socket.getMaxListeners() + this.#limits.pipelineMax);
    const link: Link = { socket, peer, transport: this.#options.connection(peer), last: undefined, waiting: 0 };
    this.#links.set(socket, link);
    return link;
  }

  /** The request, when it is its turn; undefined when it has been answered already or nobody waits for an answer any more. */
  async #requestOf(message: IncomingMessage, response: ServerResponse, link: Link, signal: AbortSignal): Promise<HttpRequest | undefined> {
    const before = link.last;
    link.last = response;
    const { rawHeaders, method = "", httpVersionMajor } = message;
    if (httpVersionMajor < 1) return refuse(response, 400, "HTTP/1.1 is spoken here");
    if (rawHeaders.length / 2 > this.#limits.headersMax)
      return refuse(response, 431, `at most ${this.#limits.headersMax} headers may be sent`);
    const headers = headersFromWire(rawHeaders);
    const target = parseRequestTarget(message.url ?? "");
    if (target === undefined || Array.isArray(headers.host))
      return refuse(response, 400, target === undefined ? "the target of the request must be a path" : "the Host header may be sent once");
    const authority = target.authority ?? (headers.host as string | undefined);
    const refusal = this.#guard({ authority, encrypted: link.peer.encrypted, headers });
    if (refusal !== undefined) return refuse(response, 403, refusal);
    const body = await this.#bodyOf(message);
    if (before !== undefined && !before.closed && !(await this.#turn(before, link))) return undefined;
    if (response.destroyed) return undefined;
    return { method, path: target.path, headers, signal, ...(body === undefined ? {} : { body }) };
  }

  /** Requests of one connection are handled one after the other. False when it is not worth waiting any longer. */
  async #turn(before: ServerResponse, link: Link): Promise<boolean> {
    if (link.waiting >= this.#limits.pipelineMax) {
      link.socket.destroy();
      return false;
    }
    link.waiting++;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        before.off("close", done);
        link.socket.off("close", done);
        resolve();
      };
      // An answer that is still waiting for its turn is not told when the connection closes.
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
    await new Promise<void>((resolve, reject) => {
      message.on("data", (chunk: Buffer) => {
        length += chunk.length;
        if (length > bodyBytesMax) tooLarge = true;
        if (length > bodyBytesMax * discardFactor) socket.destroy();
        if (tooLarge) resolve();
        else chunks.push(chunk);
      });
      message.on("end", resolve);
      message.on("error", reject);
      message.on("close", () => reject(new Error("the connection was closed within the body")));
      if (tooLarge) resolve();
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
    // The rest of a body that was not wanted may never come.
    if (this.#ending || (message.headers.expect !== undefined && !message.complete && this.#isTooLarge(message)))
      response.shouldKeepAlive = false;
    if (typeof body !== "string" && !(body instanceof Uint8Array)) {
      response.writeHead(status, headersToWire(headers));
      return await this.#pour(body, message, response, gone);
    }
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
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
      // A watch that has nothing to tell yet is open all the same.
      response.flushHeaders();
      // Node would write a chunk in four pieces, for each of a thousand watchers. It only ends them.
      const { chunkedEncoding } = response;
      response.chunkedEncoding = false;
      await pourBody(body, this.#sinkOf(response, { takesBody: message.method !== "HEAD" }), chunkedEncoding ? this.#chunks : this.#plain);
      response.chunkedEncoding = chunkedEncoding;
      response.end();
    } catch (error) {
      // The head has been sent: only a connection that breaks off tells the client that this was not the end.
      if (gone.signal.reason !== error) this.#options.log.error("an answer broke off", { path: message.url, error });
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
      // Past the response, which would cork the socket and come back for it a turn later; but not past what it still holds itself.
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
    this.#options.log.error("a request was not answered", { method: message.method, path: message.url, error });
    if (response.headersSent) message.socket.destroy();
    else refuse(response, 500, "the server failed to answer; its log says why");
  }
}

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
          // A wrong certificate is answered with a 401, not with a broken handshake.
          ...(tls.clientAuthorityPem === undefined ? {} : { ca: tls.clientAuthorityPem, requestCert: true, rejectUnauthorized: false }),
        });
  // Headers beyond Node's own count would be dropped without a word; here they are counted, and bounded by the size of the head.
  server.maxHeadersCount = 0;
  server.maxConnections = limits.connectionsMax;
  return server;
}

function peerOf(socket: Socket): Peer {
  const remoteAddress = socket.remoteAddress ?? "";
  if (!(socket instanceof TLSSocket)) return { inProcess: false, encrypted: false, remoteAddress };
  return { inProcess: false, encrypted: true, remoteAddress, ...certificateOf(socket) };
}

function certificateOf(socket: TLSSocket): Pick<Peer, "certificate" | "certificateProblem"> {
  const presented = socket.getPeerCertificate();
  // Node answers "no certificate" with an empty object.
  if (!Object.hasOwn(presented, "subject")) return {};
  if (!socket.authorized) return { certificateProblem: `x509: ${String(socket.authorizationError)}` };
  const { CN, O } = presented.subject as { readonly CN?: string | readonly string[]; readonly O?: string | readonly string[] };
  const certificate: PeerCertificate = {
    commonName: [CN ?? []].flat().at(-1) ?? "",
    organizations: [O ?? []].flat(),
    sha256: presented.fingerprint256.replaceAll(":", "").toLowerCase(),
  };
  return { certificate };
}

const shuttingDown = (): DOMException => new DOMException("the server is shutting down", "AbortError");

/** Says no without asking the handler, and closes: who sends such requests has nothing more to say. */
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

/** For what a body threw that the handler let pass. */
function answerStatus({ status }: StatusError, response: ServerResponse): void {
  const body = JSON.stringify(status);
  response
    .writeHead(status.code ?? 500, headersToWire({ "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }))
    .end(body);
}
