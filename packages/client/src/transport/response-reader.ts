/**
 * Reads HTTP/1.1 responses from the bytes of a connection, one response for each request. Independent of sockets.
 *
 *     begin(method) … push(bytes) → sink.head → sink.body … → sink.end
 *
 * As strict as Node's parser, so that no response is mistaken for a part of another: a length and a transfer encoding exclude each other,
 * lines end with CR and LF, and bytes that no request asked for are an error.
 */
import type { HttpHeaders } from "@drover/machinery";
import { setOwn } from "@drover/machinery";

/** Status and headers of a response. */
export interface ResponseHead {
  readonly status: number;
  /** Names in lower case; a repeated header is a list, in order. */
  readonly headers: HttpHeaders;
  /** Whether the connection can take another request after this response. */
  readonly keepsAlive: boolean;
}

/** Receives the parts of a response. */
export interface ResponseSink {
  head(head: ResponseHead): void;
  /** A part of the pushed bytes, not a copy. */
  body(bytes: Uint8Array): void;
  end(): void;
}

export interface ResponseReaderOptions {
  /** Maximum size of status line and headers, and of trailers. */
  readonly headerBytesMax: number;
}

/** Bytes that are not an HTTP response. Has a code as those of Node's parser. */
export class ResponseSyntaxError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

type State = "idle" | "head" | "sized" | "until close" | "chunk size" | "chunk" | "chunk end" | "trailers";

const cr = 13;
const lf = 10;
/** A chunk's size and its extensions. */
const sizeLineMax = 4096;
/** 4 GiB, more than any body that is read. */
const sizeDigitsMax = 8;

/**
 * Guarantees: what it reports does not depend on how the bytes were divided; memory is bounded by `headerBytesMax`. After an error it must
 * not be used.
 */
export class ResponseReader {
  readonly #headerBytesMax: number;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #state: State = "idle";
  #sink: ResponseSink | undefined;
  #isHead = false;
  /** The begin of a head whose end has not arrived. */
  #kept = new Uint8Array(0);
  #keptLength = 0;
  /** Bytes that are left of the body or of the chunk. */
  #left = 0;
  #digits = 0;
  #lineBytes = 0;
  #isExtension = false;
  #before = 0;

  constructor({ headerBytesMax }: ResponseReaderOptions) {
    this.#headerBytesMax = headerBytesMax;
  }

  /** Whether a response is expected or has not ended. */
  get isBusy(): boolean {
    return this.#state !== "idle";
  }

  /** Expects the response to a request. */
  begin(method: string, sink: ResponseSink): void {
    if (this.#state !== "idle") throw new Error("the previous response has not ended");
    this.#state = "head";
    this.#isHead = method === "HEAD";
    this.#sink = sink;
  }

  /** Takes the next bytes of the connection. Throws a `ResponseSyntaxError`. */
  push(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      switch (this.#state) {
        case "idle":
          throw new ResponseSyntaxError("HPE_INVALID_CONSTANT", "bytes that no request asked for");
        case "head":
          at = this.#readHead(bytes, at);
          break;
        case "sized":
        case "chunk":
          at = this.#readSized(bytes, at);
          break;
        case "until close":
          this.#sink?.body(at === 0 ? bytes : bytes.subarray(at));
          return;
        case "chunk size":
          at = this.#readSize(bytes, at);
          break;
        case "chunk end":
          at = this.#readChunkEnd(bytes, at);
          break;
        case "trailers":
          at = this.#readTrailers(bytes, at);
          break;
      }
    }
  }

  /** The connection was closed by the other side. Returns false if a response is incomplete. */
  close(): boolean {
    if (this.#state === "until close") this.#end();
    return this.#state === "idle";
  }

  #readHead(bytes: Uint8Array, at: number): number {
    if (this.#keptLength === 0) {
      checkStart(bytes, at, bytes.length);
      const end = headEnd(bytes, at, bytes.length);
      if (end - at > this.#headerBytesMax || (end === -1 && bytes.length - at > this.#headerBytesMax)) throw this.#headOverflow();
      if (end !== -1) {
        this.#takeHead(bytes.subarray(at, end));
        return end;
      }
      this.#keep(bytes.subarray(at));
      return bytes.length;
    }
    const before = this.#keptLength;
    this.#keep(bytes.subarray(at, at + this.#headerBytesMax + 1 - before));
    if (before < opening.length) checkStart(this.#kept, 0, this.#keptLength);
    // The end may have begun in the bytes before.
    const end = headEnd(this.#kept, Math.max(0, before - 3), this.#keptLength);
    if (end === -1) {
      if (this.#keptLength > this.#headerBytesMax) throw this.#headOverflow();
      return bytes.length;
    }
    const head = this.#kept.slice(0, end);
    this.#keptLength = 0;
    this.#takeHead(head);
    return at + end - before;
  }

  #keep(bytes: Uint8Array): void {
    const length = this.#keptLength + bytes.length;
    if (length > this.#kept.length) {
      const grown = new Uint8Array(Math.max(length, this.#kept.length * 2, 1024));
      grown.set(this.#kept.subarray(0, this.#keptLength));
      this.#kept = grown;
    }
    this.#kept.set(bytes, this.#keptLength);
    this.#keptLength = length;
  }

  #headOverflow(): ResponseSyntaxError {
    return new ResponseSyntaxError("HPE_HEADER_OVERFLOW", `headers of more than ${this.#headerBytesMax} bytes`);
  }

  #takeHead(bytes: Uint8Array): void {
    const { isOld, status, headers } = readHead(this.#decoder.decode(bytes));
    if (status < 200) {
      if (status === 101) throw new ResponseSyntaxError("HPE_INVALID_CONSTANT", "a change of protocol that no request asked for");
      return;
    }
    const connection = listOf(headers, "connection");
    const isOpen = isOld ? connection.includes("keep-alive") : !connection.includes("close");
    const framing = framingOf(headers);
    const isEmpty = this.#isHead || status === 204 || status === 304 || framing === 0;
    this.#sink?.head({ status, headers, keepsAlive: isOpen && (isEmpty || framing !== undefined) });
    if (isEmpty) this.#end();
    else if (framing === undefined) this.#state = "until close";
    else if (framing === "chunked") this.#startSize();
    else {
      this.#state = "sized";
      this.#left = framing;
    }
  }

  #readSized(bytes: Uint8Array, at: number): number {
    const end = Math.min(bytes.length, at + this.#left);
    this.#left -= end - at;
    this.#sink?.body(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end));
    if (this.#left > 0) return end;
    if (this.#state === "sized") this.#end();
    else this.#startLine("chunk end");
    return end;
  }

  #startSize(): void {
    this.#startLine("chunk size");
    this.#left = 0;
    this.#digits = 0;
    this.#isExtension = false;
  }

  #startLine(state: State): void {
    this.#state = state;
    this.#lineBytes = 0;
    this.#before = 0;
  }

  #readSize(bytes: Uint8Array, at: number): number {
    for (let index = at; index < bytes.length; index++) {
      const byte = bytes[index] ?? 0;
      if (++this.#lineBytes > sizeLineMax) throw badChunk();
      if (this.#before === cr) {
        if (byte !== lf || this.#digits === 0) throw badChunk();
        if (this.#left === 0) this.#startLine("trailers");
        else this.#state = "chunk";
        return index + 1;
      }
      this.#before = byte;
      if (byte === cr) continue;
      if (byte === lf) throw badChunk();
      const digit = hexDigit(byte);
      if (this.#isExtension) continue;
      if (digit === -1) {
        // A space before the end of the line is sent by old servers.
        if (this.#digits === 0 || (byte !== 59 && byte !== 32 && byte !== 9)) throw badChunk();
        this.#isExtension = true;
      } else {
        if (++this.#digits > sizeDigitsMax) throw badChunk();
        this.#left = this.#left * 16 + digit;
      }
    }
    return bytes.length;
  }

  #readChunkEnd(bytes: Uint8Array, at: number): number {
    const byte = bytes[at];
    if (this.#before === cr && byte === lf) this.#startSize();
    else if (this.#before === 0 && byte === cr) this.#before = cr;
    else throw badChunk();
    return at + 1;
  }

  /** Trailers are not used; an empty line ends them. */
  #readTrailers(bytes: Uint8Array, at: number): number {
    for (let index = at; index < bytes.length; index++) {
      const byte = bytes[index] ?? 0;
      this.#left++;
      if (this.#left > this.#headerBytesMax) throw this.#headOverflow();
      if (byte === lf) {
        if (this.#before !== cr) throw badChunk();
        if (this.#lineBytes === 1) {
          this.#end();
          return index + 1;
        }
        this.#startLine("trailers");
        continue;
      }
      if (this.#before === cr) throw badChunk();
      this.#lineBytes++;
      this.#before = byte;
    }
    return bytes.length;
  }

  #end(): void {
    const sink = this.#sink;
    this.#state = "idle";
    this.#sink = undefined;
    sink?.end();
  }
}

const badChunk = (): ResponseSyntaxError => new ResponseSyntaxError("HPE_INVALID_CHUNK_SIZE", "a chunk without a correct size");

const opening = "HTTP/1.";

/** Another protocol may never send an empty line, so its first bytes are enough. */
function checkStart(bytes: Uint8Array, from: number, to: number): void {
  for (let index = 0; index < opening.length && from + index < to; index++)
    if (bytes[from + index] !== opening.charCodeAt(index)) throw new ResponseSyntaxError("HPE_INVALID_CONSTANT", "no status line");
}

/** Returns the index after the empty line; -1 if there is none yet. */
function headEnd(bytes: Uint8Array, from: number, to: number): number {
  for (let index = bytes.indexOf(cr, from); index !== -1 && index + 3 < to; index = bytes.indexOf(cr, index + 1))
    if (bytes[index + 1] === lf && bytes[index + 2] === cr && bytes[index + 3] === lf) return index + 4;
  return -1;
}

function hexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\u{10ffff}]*)?$/u;
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// oxlint-disable-next-line no-control-regex -- no header may have them
const control = /[\0-\x08\x0a-\x1f\x7f]/;

/** `text` ends with an empty line. */
function readHead(text: string): {
  readonly isOld: boolean;
  readonly status: number;
  readonly headers: Record<string, string | readonly string[]>;
} {
  let end = text.indexOf("\r\n");
  const [, minor, status] = statusLine.exec(text.slice(0, end)) ?? [];
  if (status === undefined) throw new ResponseSyntaxError("HPE_INVALID_CONSTANT", "no status line");
  const headers: Record<string, string | readonly string[]> = {};
  for (let start = end + 2; ; start = end + 2) {
    end = text.indexOf("\r\n", start);
    if (end === start) return { isOld: minor === "0", status: Number(status), headers };
    const colon = text.indexOf(":", start);
    const name = text.slice(start, colon === -1 || colon > end ? end : colon).toLowerCase();
    const value = trimmed(text, start + name.length + 1, end);
    if (colon === -1 || colon > end || !token.test(name) || control.test(value))
      throw new ResponseSyntaxError("HPE_INVALID_HEADER_TOKEN", "a malformed header");
    const before = Object.hasOwn(headers, name) ? headers[name] : undefined;
    setOwn(headers, name, before === undefined ? value : typeof before === "string" ? [before, value] : [...before, value]);
  }
}

function trimmed(text: string, from: number, to: number): string {
  const isBlank = (index: number): boolean => text.charCodeAt(index) === 32 || text.charCodeAt(index) === 9;
  let start = from;
  let end = to;
  while (start < end && isBlank(start)) start++;
  while (end > start && isBlank(end - 1)) end--;
  return text.slice(start, end);
}

/** The elements of a header that is a list: lower case, in order. */
function listOf(headers: HttpHeaders, name: string): readonly string[] {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  if (value === undefined) return [];
  return (typeof value === "string" ? value : value.join(",")).split(",").map((part) => part.trim().toLowerCase());
}

/** Returns the length of the body, "chunked", or undefined if the body ends with the connection. */
function framingOf(headers: HttpHeaders): number | "chunked" | undefined {
  const encodings = listOf(headers, "transfer-encoding");
  const lengths = new Set(listOf(headers, "content-length"));
  if (encodings.length > 0) {
    if (lengths.size > 0) throw new ResponseSyntaxError("HPE_UNEXPECTED_CONTENT_LENGTH", "a length and a transfer encoding");
    if (encodings.length > 1 || encodings[0] !== "chunked")
      throw new ResponseSyntaxError("HPE_INVALID_TRANSFER_ENCODING", "an unknown transfer encoding");
    return "chunked";
  }
  if (lengths.size === 0) return undefined;
  const [length = ""] = lengths;
  if (lengths.size > 1 || !/^\d{1,15}$/.test(length))
    throw new ResponseSyntaxError("HPE_INVALID_CONTENT_LENGTH", "a malformed content-length");
  return Number(length);
}
