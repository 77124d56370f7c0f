/**
 * One request on one stream of an HTTP/2 connection.
 *
 *     stream → Exchanges.headOf → BodyReader → Exchanges.call → respond → Exchanges.pour → stream
 */
import { constants } from "node:http2";
import type { ServerHttp2Stream } from "node:http2";
import type { HttpRequest, HttpResponse, Transport } from "@drover/machinery";
import type { Peer } from "../access/peer.ts";
import { StatusError } from "../status-error.ts";
import { bodyPieces, pieceBytes } from "./body-pieces.ts";
import type { Exchanges } from "./exchanges.ts";
import { headersToHttp2 } from "./message-head.ts";
import type { ByteSink } from "./pour-body.ts";
import { refusal, statusRefusal } from "./refusal.ts";
import type { Refusal } from "./refusal.ts";
import type { UploadSlots } from "./upload-slots.ts";

/** What all requests of a connection share. */
export interface Http2Link {
  readonly peer: Peer;
  readonly transport: Transport;
  readonly uploads: UploadSlots;
  /** Bodies up to this size need no slot: they fit into the window of their stream. */
  readonly windowBytes: number;
}

/** A request as HTTP/2 delivers it. */
export interface Http2Arrival {
  readonly stream: ServerHttp2Stream;
  /** Alternating names and values, pseudo headers included. */
  readonly rawHeaders: readonly string[];
  /** Whether the head is the whole request. */
  readonly isBodyless: boolean;
  /** Called once, when the stream is closed; `isReset` if the client did not take its response. */
  readonly onClose: (how: { readonly isReset: boolean }) => void;
}

/** The head of an HTTP/2 request, with its pseudo headers apart. */
interface StreamHead {
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
  /** A Host header that contradicts `:authority`. */
  readonly isAmbiguous: boolean;
}

export class Http2Exchange {
  readonly #exchanges: Exchanges;
  readonly #link: Http2Link;
  readonly #stream: ServerHttp2Stream;
  readonly #isBodyless: boolean;
  readonly #head: StreamHead;
  readonly #gone = new AbortController();
  readonly #beganMs: number;
  #isReading = false;
  #hasTrailers = false;
  /** Whether the response broke off because of the server. */
  #hasFailed = false;
  /** Whether the whole response is given to the stream. */
  #hasEnded = false;
  /** Bytes given to the stream, how many of them it had passed on at the last check, and when that number last grew. */
  #written = 0;
  #sent = 0;
  #sentMs = 0;
  /** Whether something was given to the stream since a check found nothing waiting in it. */
  #isSending = false;

  constructor(exchanges: Exchanges, link: Http2Link, { stream, rawHeaders, isBodyless, onClose }: Http2Arrival) {
    this.#exchanges = exchanges;
    this.#link = link;
    this.#stream = stream;
    this.#isBodyless = isBodyless;
    this.#head = streamHead(rawHeaders);
    this.#beganMs = exchanges.options.clock.monotonic();
    // The close event says the same.
    stream.on("error", () => undefined);
    stream.on("close", () => {
      // A response that is sent at once ends its stream before Node calls it finished.
      const isCut = !this.#hasEnded || stream.rstCode !== constants.NGHTTP2_NO_ERROR;
      if (isCut) this.#gone.abort();
      onClose({ isReset: isCut && !this.#hasFailed });
    });
    if (isBodyless) stream.resume();
    else {
      stream.on("trailers", () => {
        this.#hasTrailers = true;
      });
      // The rest of a body that nobody reads must not keep the stream open.
      stream.on("finish", () => {
        if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR);
      });
    }
  }

  /** Resolves when the response is handed over or the client is gone. */
  async serve(): Promise<void> {
    try {
      const request = await this.#request();
      if (request === undefined) return;
      const answer = await this.#exchanges.call(this.#link.transport, request);
      if (answer !== undefined && !this.#isClosed()) await this.#answer(answer);
    } catch (error) {
      if (!this.#isClosed() && !this.#gone.signal.aborted) this.#fail(error);
      this.#gone.abort(error);
    }
  }

  /** Ends the request when its client sends its body, or reads the response, too slowly. Called at intervals. */
  check(nowMs: number): void {
    const { requestTimeoutMs, stallTimeoutMs } = this.#exchanges.limits;
    if (this.#isReading && nowMs - this.#beganMs >= requestTimeoutMs) {
      this.#isReading = false;
      this.#refuse(refusal(408, `the body did not arrive within ${requestTimeoutMs} ms`));
    }
    // Most of ten thousand watches have nothing to send, and asking their streams each time takes as long as a request.
    if (!this.#isSending) return;
    const waiting = this.#stream.writableLength;
    this.#isSending = waiting > 0;
    const sent = this.#written - waiting;
    if (waiting === 0 || sent !== this.#sent || this.#sentMs === 0) {
      this.#sent = sent;
      this.#sentMs = nowMs;
    } else if (nowMs - this.#sentMs >= stallTimeoutMs) this.#stream.close(constants.NGHTTP2_CANCEL);
  }

  #isClosed(): boolean {
    return this.#stream.closed || this.#stream.destroyed;
  }

  /** Returns undefined when the request is already answered or the client is gone. */
  async #request(): Promise<HttpRequest | undefined> {
    const { method, target, rawHeaders, isAmbiguous } = this.#head;
    if (method === "CONNECT") return this.#refuse(refusal(405, "CONNECT is not supported: this server is no proxy"));
    if (isAmbiguous) return this.#refuse(refusal(400, "the Host header must match :authority"));
    const head = this.#exchanges.headOf({ rawHeaders, target, encrypted: this.#link.peer.encrypted });
    if ("status" in head) return this.#refuse(head);
    const { expect } = head.headers;
    if (expect !== undefined && expect !== "100-continue")
      return this.#refuse(refusal(417, "only the expectation 100-continue is supported"));
    const declaredBytes = Number(head.headers["content-length"] ?? 0);
    if (expect !== undefined && declaredBytes <= this.#exchanges.limits.bodyBytesMax)
      this.#stream.additionalHeaders({ [constants.HTTP2_HEADER_STATUS]: 100 });
    const body = this.#isBodyless ? undefined : await this.#body(declaredBytes, head.headers["content-length"] !== undefined);
    // A reset without an error ends the body as well.
    if (this.#isClosed()) return undefined;
    if (this.#hasTrailers) return this.#refuse(refusal(400, "request trailers are not supported"));
    return { method, ...head, signal: this.#gone.signal, pause: this.#exchanges.pause, ...(body === undefined ? {} : { body }) };
  }

  async #body(declaredBytes: number, isDeclared: boolean): Promise<HttpRequest["body"]> {
    const { uploads, windowBytes } = this.#link;
    const stream = this.#stream;
    const isSmall = isDeclared && declaredBytes <= windowBytes;
    this.#isReading = true;
    if (!isSmall) await uploads.take();
    try {
      if (this.#isClosed()) return undefined;
      return await this.#exchanges.bodies.read(stream, { declaredBytes, cut: () => stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM) });
    } finally {
      this.#isReading = false;
      if (!isSmall) uploads.release();
    }
  }

  async #answer({ status, headers, body }: HttpResponse): Promise<void> {
    const stream = this.#stream;
    const isHead = this.#head.method === "HEAD";
    if (typeof body !== "string" && !(body instanceof Uint8Array)) {
      stream.respond({ ...headersToHttp2(headers), [constants.HTTP2_HEADER_STATUS]: status }, { waitForTrailers: true });
      return await this.#pour(body, !isHead);
    }
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    const isEmpty = status === 204 || status === 304;
    const lines = headersToHttp2(isEmpty ? headers : { "content-length": String(bytes.length), ...headers });
    const endStream = isEmpty || isHead || bytes.length === 0;
    const isLong = !endStream && bytes.length > pieceBytes;
    stream.respond({ ...lines, [constants.HTTP2_HEADER_STATUS]: status }, { endStream, waitForTrailers: isLong });
    this.#hasEnded = endStream;
    if (endStream) return;
    if (isLong) return await this.#pour(bodyPieces(bytes), true);
    this.#end(bytes);
  }

  /**
   * Needs a response that waits for trailers: closing a stream with an error ends its body too, and Node may send that end before the
   * error. With trailers to come the last piece does not end the stream.
   */
  async #pour(body: AsyncIterable<string | Uint8Array>, takesBody: boolean): Promise<void> {
    const stream = this.#stream;
    stream.on("wantTrailers", () => {
      if (this.#hasEnded) stream.sendTrailers({});
      else stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    });
    const isComplete = await this.#exchanges.pour(body, {
      sink: this.#sink(takesBody),
      lines: this.#exchanges.plain,
      gone: this.#gone,
      path: this.#head.target,
    });
    // Only an error tells the client that the body is incomplete.
    this.#hasFailed = !isComplete;
    if (isComplete) this.#end();
    else stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }

  #end(bytes: Uint8Array = new Uint8Array()): void {
    this.#hasEnded = true;
    this.#count(bytes);
    if (bytes.length > 0) this.#stream.end(bytes);
    else this.#stream.end();
  }

  #count(bytes: Uint8Array): void {
    this.#written += bytes.length;
    if (this.#isSending) return;
    this.#isSending = true;
    // The time while there was nothing to send does not count.
    this.#sentMs = 0;
  }

  #sink(takesBody: boolean): ByteSink {
    const stream = this.#stream;
    return {
      write: (bytes) => {
        if (bytes.length === 0) return true;
        this.#count(bytes);
        return stream.write(bytes);
      },
      waitingBytes: () => stream.writableLength,
      cut: () => {
        stream.close(constants.NGHTTP2_CANCEL);
        // The reset itself may wait for the client; the bytes must not.
        stream.destroy();
      },
      isClosed: () => !takesBody || this.#isClosed(),
      onClosed: (callback) => void stream.once("close", callback),
      drained: () =>
        new Promise<void>((resolve) => {
          const done = (): void => {
            stream.off("drain", done).off("close", done);
            resolve();
          };
          stream.once("drain", done).once("close", done);
        }),
    };
  }

  #fail(error: unknown): void {
    if (error instanceof StatusError) return this.#refuse(statusRefusal(error));
    this.#exchanges.options.log.error("request failed without a response", {
      method: this.#head.method,
      path: this.#head.target,
      error,
    });
    if (this.#stream.headersSent) this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    else this.#refuse(refusal(500, "the server failed to answer; its log says why"));
  }

  #refuse({ status, headers, body }: Refusal): undefined {
    if (this.#isClosed() || this.#stream.headersSent) return;
    this.#stream.respond({ ...headersToHttp2(headers), [constants.HTTP2_HEADER_STATUS]: status });
    this.#end(Buffer.from(body));
  }
}

/** Separates the pseudo headers; the handler finds `:authority` as host. */
function streamHead(raw: readonly string[]): StreamHead {
  const rawHeaders: string[] = [];
  let [method, target, authority]: (string | undefined)[] = [];
  let host: string | undefined;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = "", value = ""] = [raw[at], raw[at + 1]];
    if (name === ":method") method = value;
    else if (name === ":path") target = value;
    else if (name === ":authority") authority = value;
    else if (!name.startsWith(":")) {
      if (name === "host") host = value;
      rawHeaders.push(name, value);
    }
  }
  if (host === undefined && authority !== undefined) rawHeaders.push("host", authority);
  const isAmbiguous = host !== undefined && authority !== undefined && host !== authority;
  return { method: method ?? "", target: target ?? "", rawHeaders, isAmbiguous };
}
