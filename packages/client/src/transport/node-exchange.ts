/**
 * One request on one connection, from its first byte to the last byte of the response.
 *
 *     HttpRequest → requestHead → socket … ResponseReader → HttpResponse
 *
 * A response that arrives in one read has its body as bytes; the body of any other is a stream.
 */
import type { Clock, HttpHeaders, HttpRequest, HttpResponse } from "@drover/machinery";
import { bodyError, headersTimeoutError, wireError } from "./exchange-error.ts";
import type { FailedExchange } from "./exchange-error.ts";
import { firstHeader, withoutHeaders } from "./header-lines.ts";
import type { ConnectionUser, NodeConnection } from "./node-connection.ts";
import { requestHead } from "./request-head.ts";
import { isStream } from "./request-nature.ts";
import { ResponseBody } from "./response-body.ts";
import type { BodyFailure, ByteSource } from "./response-body.ts";
import type { ResponseHead } from "./response-reader.ts";
import type { ServerAddress } from "./server-address.ts";
import type { TransportError } from "./transport-error.ts";
import type { TransportLimits } from "./transport-limits.ts";
import { unzippedBody } from "./node-unzipped-body.ts";
import { WireBody } from "./wire-body.ts";

/** Context of an exchange. */
export interface ExchangePlace {
  readonly server: ServerAddress;
  readonly clock: Clock;
  readonly limits: Required<TransportLimits>;
  readonly disableCompression: boolean;
}

/** How much of a body is read ahead: two reads of a socket, which often contain the end and start of two chunks each. */
const aheadBytesMax = 2 * 64 * 1024;
/** Bodies up to this size are copied behind the head, into one write. */
const copyBytesMax = 16 * 1024;

interface Settle {
  readonly resolve: (response: HttpResponse) => void;
  readonly reject: (error: unknown) => void;
}

/** Guarantees: calls `release` once, when the connection is idle again or closed. */
export class NodeExchange implements ConnectionUser {
  readonly response: Promise<HttpResponse>;
  readonly #place: ExchangePlace;
  readonly #request: HttpRequest;
  readonly #connection: NodeConnection;
  readonly #release: () => void;
  readonly #isReused: boolean;
  readonly #isStream: boolean;
  readonly #writtenBefore: number;
  readonly #asksForGzip: boolean;
  /** The first failure on the wire: later ones are only its consequences. */
  #cause: unknown;
  #settle: Settle | undefined;
  #cancelTimer: () => void = () => undefined;
  #head: ResponseHead | undefined;
  /** Parts of the body that arrived in this read. */
  #pieces: Uint8Array[] = [];
  #wire: { readonly push: (bytes: Uint8Array) => void; readonly end: () => void; readonly fail: (error: unknown) => void } | undefined;
  #isPouring = false;
  #isOver = false;

  constructor(
    place: ExchangePlace,
    { connection, release }: { readonly connection: NodeConnection; readonly release: () => void },
    request: HttpRequest,
  ) {
    this.#place = place;
    this.#request = request;
    this.#connection = connection;
    this.#release = release;
    this.#isReused = connection.exchanges > 0;
    this.#isStream = isStream(request);
    this.#writtenBefore = connection.socket.bytesWritten;
    this.#asksForGzip = !place.disableCompression && !this.#isStream && !Object.hasOwn(request.headers, "accept-encoding");
    this.response = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#begin();
    });
  }

  #begin(): void {
    const { method, signal } = this.#request;
    const { socket } = this.#connection;
    const { clock, limits, server } = this.#place;
    signal?.addEventListener("abort", this.#abort, { once: true });
    if (socket.destroyed) return this.failed(undefined);
    try {
      const { body } = this.#request;
      const head = requestHead(this.#request, {
        basePath: server.basePath,
        host: server.hostHeader,
        acceptsGzip: this.#asksForGzip,
        length: lengthOf(this.#request, body),
      });
      // May still throw: then nothing is sent. Nothing else runs between this check and the first byte.
      this.#request.onSent?.("maybe");
      this.#connection.open(method, this);
      this.#cancelTimer = clock.timer(limits.headersTimeoutMs, () => this.#timedOut());
      this.#write(head, body);
    } catch (error) {
      this.failed(error);
      socket.destroy();
    }
  }

  #write(head: string, body: HttpRequest["body"]): void {
    const { socket } = this.#connection;
    if (body === undefined) socket.write(head);
    else if (typeof body === "string") socket.write(head + body);
    else if (body instanceof Uint8Array) {
      if (body.length <= copyBytesMax) return void socket.write(Buffer.concat([Buffer.from(head), body]));
      socket.cork();
      socket.write(head);
      socket.write(body);
      socket.uncork();
    } else {
      socket.write(head);
      void this.#pour(body);
    }
  }

  async #pour(body: AsyncIterable<string | Uint8Array>): Promise<void> {
    const { socket } = this.#connection;
    const isChunked = !Object.hasOwn(this.#request.headers, "content-length");
    this.#isPouring = true;
    try {
      for await (const chunk of body) {
        if (socket.destroyed) return;
        const length = Buffer.byteLength(chunk);
        if (length === 0) continue;
        if (isChunked) socket.write(`${length.toString(16)}\r\n`);
        socket.write(chunk);
        if ((isChunked ? socket.write("\r\n") : !socket.writableNeedDrain) || socket.destroyed) continue;
        await new Promise<void>((resolve) => {
          const goOn = (): void => {
            socket.off("drain", goOn).off("close", goOn);
            resolve();
          };
          socket.on("drain", goOn).on("close", goOn);
        });
      }
      if (isChunked && !socket.destroyed) socket.write("0\r\n\r\n");
      this.#isPouring = false;
    } catch (error) {
      this.#end(({ reject }) => reject(error));
      socket.destroy();
    }
  }

  head(head: ResponseHead): void {
    this.#head = head;
  }

  body(bytes: Uint8Array): void {
    this.#pieces.push(bytes);
  }

  end(): void {
    const { socket } = this.#connection;
    const limitMs = keptMs(this.#head);
    // A server may answer before it has read the request; the rest of it cannot be taken back.
    if (limitMs > 0 && !this.#isPouring && !socket.destroyed) this.#connection.rest(this.#place.clock.monotonic(), limitMs);
    else socket.destroy();
    this.#leave();
  }

  read(): void {
    if (this.#head === undefined) return;
    if (this.#settle !== undefined) this.#answer(this.#head);
    const wire = this.#wire;
    if (wire === undefined) return;
    if (this.#pieces.length > 0) wire.push(joined(this.#pieces.splice(0)));
    if (this.#isOver) wire.end();
  }

  failed(error: unknown): void {
    this.#cause ??= error;
    this.#leave();
    this.#end(({ reject }) => reject(wireError(this.#failed(), error)));
    this.#wire?.fail(error);
  }

  #leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#release();
  }

  #answer({ status, headers }: ResponseHead): void {
    const isZipped = this.#asksForGzip && /^(?:x-)?gzip$|^deflate$/i.test(firstHeader(headers, "content-encoding"));
    if (this.#isOver && (!isZipped || this.#pieces.length === 0)) {
      const pieces = this.#pieces.splice(0);
      const body = pieces.length === 0 ? "" : joined(pieces);
      if (body.length > this.#place.limits.bodyBytesMax && !this.#isStream)
        return this.#end(({ reject }) => reject(this.#bodyError({ kind: "too-large" })));
      return this.#end(({ resolve }) => resolve({ status, headers, body }));
    }
    const body = this.#stream(isZipped);
    this.#end(({ resolve }) =>
      resolve({ status, headers: isZipped ? withoutHeaders(headers, "content-encoding", "content-length") : headers, body }),
    );
  }

  #stream(isZipped: boolean): ResponseBody {
    const { limits, clock } = this.#place;
    // After its last byte the connection belongs to others.
    const ifOurs = (act: () => void) => (): void => {
      if (!this.#isOver) act();
    };
    const { socket } = this.#connection;
    const control = {
      pause: ifOurs(() => socket.pause()),
      resume: ifOurs(() => socket.resume()),
      destroy: ifOurs(() => socket.destroy()),
    };
    const plain = new WireBody(control);
    const source: ByteSource = isZipped ? unzippedBody(plain) : plain;
    this.#wire = plain;
    return new ResponseBody(source, {
      clock,
      signal: this.#request.signal,
      idleMs: this.#isStream ? limits.streamIdleTimeoutMs : limits.idleTimeoutMs,
      unreadMs: limits.idleTimeoutMs,
      bytesMax: this.#isStream ? Infinity : limits.bodyBytesMax,
      aheadBytesMax,
      failed: (failure) => this.#bodyError(failure),
      abandon: control.destroy,
    });
  }

  #bodyError(failure: BodyFailure): TransportError {
    return bodyError(this.#failed(), failure.kind === "broken" ? { ...failure, error: this.#cause ?? failure.error } : failure);
  }

  #timedOut(): void {
    this.#end(({ reject }) => reject(headersTimeoutError(this.#failed())));
    this.#connection.socket.destroy();
  }

  readonly #abort = (): void => {
    this.#end(({ reject }) => reject(this.#request.signal?.reason));
    this.#connection.socket.destroy();
  };

  /** The response headers have arrived or never will. */
  #end(settle: (to: Settle) => void): void {
    const to = this.#settle;
    if (to === undefined) return;
    this.#settle = undefined;
    this.#cancelTimer();
    this.#request.signal?.removeEventListener("abort", this.#abort);
    settle(to);
  }

  #failed(): FailedExchange {
    const { server, limits } = this.#place;
    const sent = this.#connection.socket.bytesWritten > this.#writtenBefore ? "maybe" : "no";
    return { request: this.#request, server, limits, isStream: this.#isStream, isReused: this.#isReused, sent };
  }
}

/** How long the server keeps the connection: 0 if it closes it, Infinity if it does not say. */
function keptMs(head: ResponseHead | undefined): number {
  if (head?.keepsAlive !== true) return 0;
  const [, seconds] = /(?:^|[\s,])timeout=(\d{1,6})/i.exec(firstHeader(head.headers, "keep-alive")) ?? [];
  // A second earlier than the server: a request must not meet its close.
  return seconds === undefined ? Infinity : (Number(seconds) - 1) * 1000;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
}

/** A body always has a length: without one, servers read the body of a DELETE as the next request. */
function lengthOf({ method, headers }: HttpRequest, body: HttpRequest["body"]): number | "chunked" | undefined {
  if (hasLength(headers)) return undefined;
  if (body === undefined) return method === "POST" || method === "PUT" || method === "PATCH" ? 0 : undefined;
  return typeof body === "string" || body instanceof Uint8Array ? Buffer.byteLength(body) : "chunked";
}

const hasLength = (headers: HttpHeaders): boolean => Object.hasOwn(headers, "content-length");
