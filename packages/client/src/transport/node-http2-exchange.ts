/**
 * One request on one stream of an HTTP/2 session, from its headers to the last byte of the response.
 *
 *     HttpRequest → stream headers, body … response headers, data → HttpResponse
 *
 * A short response with a length has its body as bytes; the body of any other is a stream.
 */
import { constants } from "node:http2";
import type { ClientHttp2Stream, IncomingHttpHeaders, IncomingHttpStatusHeader, OutgoingHttpHeaders } from "node:http2";
import type { HttpHeaders, HttpRequest, HttpResponse } from "@drover/machinery";
import { bodyError, headersTimeoutError, wireError } from "./exchange-error.ts";
import type { FailedExchange } from "./exchange-error.ts";
import { firstHeader, requestHeaders, responseHeaders, withoutHeaders } from "./header-lines.ts";
import { Http2Body, isComplete } from "./node-http2-body.ts";
import type { ExchangePlace } from "./node-exchange.ts";
import { checkRequestLine, eachHeader } from "./request-head.ts";
import { isStream } from "./request-nature.ts";
import { ResponseBody } from "./response-body.ts";
import type { BodyFailure } from "./response-body.ts";
import { unzippedBody } from "./node-unzipped-body.ts";

/** Bodies up to this length are collected before the response is returned. */
const collectBytesMax = 64 * 1024;
/** How much of a streamed body is read ahead. */
const aheadBytesMax = 2 * 64 * 1024;
/** Headers of an HTTP/1.1 connection, which HTTP/2 forbids. */
const hopHeaders: ReadonlySet<string> = new Set(["connection", "host", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"]);

/** The part of a session that is used. */
export interface ExchangeSession {
  /** How many exchanges have begun. */
  readonly exchanges: number;
  /** Why the connection failed; undefined if it was closed in order, or is open. */
  readonly failure: unknown;
  /** Begins an exchange. Throws for headers that cannot be written; nothing was sent then. */
  request(headers: OutgoingHttpHeaders, options: { readonly hasBody: boolean }): ClientHttp2Stream;
}

interface Settle {
  readonly resolve: (response: HttpResponse) => void;
  readonly reject: (error: unknown) => void;
}

/** Guarantees: calls `release` once, when the stream is closed; a failure or an abort ends this stream only. */
export class NodeHttp2Exchange {
  readonly response: Promise<HttpResponse>;
  readonly #place: ExchangePlace;
  readonly #session: ExchangeSession;
  readonly #request: HttpRequest;
  readonly #release: () => void;
  readonly #isReused: boolean;
  readonly #isStream: boolean;
  readonly #asksForGzip: boolean;
  #settle: Settle | undefined;
  #cancelTimer: () => void = () => undefined;
  #stream: ClientHttp2Stream | undefined;
  /** The first error of the stream. */
  #cause: unknown;

  constructor(
    place: ExchangePlace,
    session: ExchangeSession,
    { request, release }: { readonly request: HttpRequest; readonly release: () => void },
  ) {
    this.#place = place;
    this.#session = session;
    this.#request = request;
    this.#release = release;
    this.#isReused = session.exchanges > 0;
    this.#isStream = isStream(request);
    this.#asksForGzip = !place.disableCompression && !this.#isStream && !Object.hasOwn(request.headers, "accept-encoding");
    this.response = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#begin();
    });
  }

  #begin(): void {
    const { signal, body } = this.#request;
    const { clock, limits } = this.#place;
    signal?.addEventListener("abort", this.#abort, { once: true });
    try {
      const headers = this.#headers();
      // May still throw: then nothing is sent.
      this.#request.onSent?.("maybe");
      const stream = this.#session.request(headers, { hasBody: body !== undefined });
      this.#stream = stream;
      stream.on("error", (error) => {
        this.#cause ??= error;
      });
      stream.on("response", (...[head, flags, raw]: ResponseEvent) => this.#answer(stream, head, { flags, raw }));
      stream.on("close", () => this.#closed());
      this.#cancelTimer = clock.timer(limits.headersTimeoutMs, () => {
        this.#end(({ reject }) => reject(headersTimeoutError(this.#failed())));
        this.#cancel();
      });
      if (body !== undefined) this.#write(stream, body);
    } catch (error) {
      this.#end(({ reject }) => reject(wireError(this.#failed(), error)));
      if (this.#stream === undefined) this.#release();
      else this.#cancel();
    }
  }

  #headers(): OutgoingHttpHeaders {
    const { method, path, headers, body } = this.#request;
    const { server } = this.#place;
    checkRequestLine(method, path);
    eachHeader(headers, () => undefined);
    const lines: OutgoingHttpHeaders = {
      ":method": method,
      ":scheme": "https",
      ":authority": firstHeader(headers, "host") || server.hostHeader,
      ":path": `${server.basePath}${path}`,
    };
    if (this.#asksForGzip) lines["accept-encoding"] = "gzip";
    if (typeof body === "string" || body instanceof Uint8Array) lines["content-length"] = String(Buffer.byteLength(body));
    for (const [name, value] of Object.entries(requestHeaders(headers))) {
      const lower = name.toLowerCase();
      if (!hopHeaders.has(lower)) lines[lower] = value;
    }
    return lines;
  }

  #write(stream: ClientHttp2Stream, body: NonNullable<HttpRequest["body"]>): void {
    if (typeof body === "string" || body instanceof Uint8Array) stream.end(body);
    else void this.#pour(stream, body);
  }

  async #pour(stream: ClientHttp2Stream, body: AsyncIterable<string | Uint8Array>): Promise<void> {
    try {
      for await (const chunk of body) {
        if (stream.destroyed) return;
        if (chunk.length === 0 || stream.write(chunk)) continue;
        await new Promise<void>((resolve) => {
          const goOn = (): void => {
            stream.off("drain", goOn).off("close", goOn);
            resolve();
          };
          stream.on("drain", goOn).on("close", goOn);
        });
      }
      if (!stream.destroyed) stream.end();
    } catch (error) {
      this.#end(({ reject }) => reject(error));
      this.#cancel();
    }
  }

  #answer(
    stream: ClientHttp2Stream,
    head: ResponseEvent[0],
    { flags, raw }: { readonly flags: number; readonly raw: readonly string[] },
  ): void {
    if (this.#settle === undefined) return;
    const status = head[":status"] ?? 0;
    const headers = responseHeaders(withoutPseudo(raw));
    if ((flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0) {
      stream.resume();
      return this.#end(({ resolve }) => resolve({ status, headers, body: "" }));
    }
    const isZipped = this.#asksForGzip && /^(?:x-)?gzip$|^deflate$/i.test(firstHeader(headers, "content-encoding"));
    const length = /^\d{1,15}$/.test(firstHeader(headers, "content-length")) ? Number(firstHeader(headers, "content-length")) : Infinity;
    if (!isZipped && !this.#isStream && length <= Math.min(collectBytesMax, this.#place.limits.bodyBytesMax))
      return this.#collect(stream, { status, headers, length });
    const body = this.#body(stream, isZipped);
    this.#end(({ resolve }) =>
      resolve({ status, headers: isZipped ? withoutHeaders(headers, "content-encoding", "content-length") : headers, body }),
    );
  }

  /** The headers timeout covers the body as well. */
  #collect(
    stream: ClientHttp2Stream,
    { status, headers, length }: { readonly status: number; readonly headers: HttpHeaders; readonly length: number },
  ): void {
    const pieces: Uint8Array[] = [];
    let received = 0;
    stream.on("data", (bytes: Uint8Array) => {
      received += bytes.length;
      if (received > length) return stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
      pieces.push(bytes);
    });
    stream.on("end", () => {
      if (received !== length || !isComplete(stream)) return;
      const [only] = pieces;
      const body = pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces);
      this.#end(({ resolve }) => resolve({ status, headers, body: received === 0 ? "" : body }));
    });
  }

  #body(stream: ClientHttp2Stream, isZipped: boolean): ResponseBody {
    const { limits, clock } = this.#place;
    const plain = new Http2Body(stream);
    return new ResponseBody(isZipped ? unzippedBody(plain) : plain, {
      clock,
      signal: this.#request.signal,
      idleMs: this.#isStream ? limits.streamIdleTimeoutMs : limits.idleTimeoutMs,
      unreadMs: limits.idleTimeoutMs,
      bytesMax: this.#isStream ? Infinity : limits.bodyBytesMax,
      aheadBytesMax,
      failed: (failure) => this.#bodyError(failure),
      abandon: () => this.#cancel(),
    });
  }

  #bodyError(failure: BodyFailure): unknown {
    return bodyError(this.#failed(), failure.kind === "broken" ? { ...failure, error: this.#wireCause(failure.error) } : failure);
  }

  #closed(): void {
    this.#release();
    this.#end(({ reject }) => reject(wireError(this.#failed(), this.#wireCause(undefined))));
  }

  /** The connection's failure explains that of the stream. */
  #wireCause(error: unknown): unknown {
    return this.#session.failure ?? this.#cause ?? error;
  }

  readonly #abort = (): void => {
    this.#end(({ reject }) => reject(this.#request.signal?.reason));
    this.#cancel();
  };

  #cancel(): void {
    const stream = this.#stream;
    if (stream === undefined || stream.destroyed) return;
    stream.close(constants.NGHTTP2_CANCEL);
    stream.destroy();
  }

  /** The response has arrived or never will. */
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
    // A refused stream was not processed at all: the server says so with this code, and with the last stream of a GOAWAY.
    const isUnsent = this.#stream === undefined || this.#stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
    return {
      request: this.#request,
      server,
      limits,
      isStream: this.#isStream,
      isReused: this.#isReused,
      sent: isUnsent ? "no" : "maybe",
    };
  }
}

type ResponseEvent = [headers: IncomingHttpHeaders & IncomingHttpStatusHeader, flags: number, rawHeaders: readonly string[]];

/** Removes ":status". */
function withoutPseudo(raw: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name = "", value = ""] = [raw[index], raw[index + 1]];
    if (!name.startsWith(":")) kept.push(name, value);
  }
  return kept;
}
