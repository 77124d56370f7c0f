/**
 * The undecoded lines of a watch, for readers that decode late, such as the cache; others use watch-stream.ts. Detects
 * watches that go silent: see `defaultSilenceMs` and `WatchSilenceError`.
 *
 *     HttpRequest → Transport → bytes → lines, one by one or in batches
 */
import {
  ByteLineSplitter,
  LineError,
  LineSplitter,
  Patience,
  WatchFrameError,
  errorBrand,
  isInstanceOf,
  parseListOptions,
  parseQuery,
} from "@drover/machinery";
import type { Clock, HttpBody, HttpHeaders, HttpRequest, HttpResponse, LineOptions, Query, Transport } from "@drover/machinery";
import { MessageFrameSplitter } from "@drover/machinery/protobuf";
import { firstHeader } from "../transport/header-lines.ts";
import { isJson, isProtobuf, responseError } from "./decode.ts";
import { ResponseError, lost, unanswered } from "./response-error.ts";
import type { RequestAbout } from "./response-error.ts";

export interface WatchLinesOptions extends LineOptions {
  readonly clock: Clock;
  /** Ends the watch; reading then rejects with its reason. @default none */
  readonly signal?: AbortSignal;
  /**
   * Maximum time without a byte, also before the response headers, after which the connection counts as dead; `Infinity`
   * waits forever. Only time spent waiting for the server counts. @default see `defaultSilenceMs`
   */
  readonly silenceMs?: number;
  /** Called once with the response headers, when the watch opens. @default no callback */
  readonly onOpen?: (headers: HttpHeaders) => void;
}

export interface WatchBatchesOptions extends WatchLinesOptions {
  /** Whether the request accepts protobuf, so that the response may be messages. @default false */
  readonly acceptsMessages?: boolean;
}

const brand = errorBrand<WatchSilenceError>("WatchSilenceError");

/** The server was silent for too long, as on a half-open connection. Restart the watch from the last version. */
export class WatchSilenceError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "WatchSilenceError";
  readonly attempt: string;
  readonly silenceMs: number;

  constructor(attempt: string, silenceMs: number) {
    super(`${attempt}: no data from the server for ${silenceMs} ms; the connection counts as dead`);
    this.attempt = attempt;
    this.silenceMs = silenceMs;
  }
}

/** Reports whether the error is a `WatchSilenceError`, also one of another copy of this package. */
export function isWatchSilenceError(error: unknown): error is WatchSilenceError {
  return brand.is(error);
}

// Bookmarks are due every minute, but quiet watches on a real server got them up to 120 s apart; five more seconds for the way.
// A lower limit would cut healthy watches, each at the cost of a reconnect; a higher one would detect stuck servers later than
// the 130 s that docs/reliability.md promises.
const bookmarkSilenceMs = 125_000;
// How much later than `timeoutSeconds` a server may end a watch.
const timeoutPatienceMs = 30_000;

/**
 * Returns how long the server of this watch may be silent: 125 s with bookmarks; else 30 s more than `timeoutSeconds`, by
 * which it must have ended the watch; else forever.
 */
export function defaultSilenceMs(query: Query): number {
  const { allowWatchBookmarks = false, timeoutSeconds = 0 } = parseListOptions(query);
  if (allowWatchBookmarks) return bookmarkSilenceMs;
  return timeoutSeconds > 0 ? timeoutSeconds * 1000 + timeoutPatienceMs : Infinity;
}

/** Lines, or protobuf messages, that arrived together. */
export interface LineBatch {
  readonly framing: "lines" | "messages";
  /** At least one. Bytes as received, not checked for UTF-8; valid until the next batch is requested. */
  readonly lines: readonly Uint8Array[];
  /** The stream ended after this line without a "\n", or within this message: it may be truncated. The batch then has one line. */
  readonly isUnterminated: boolean;
}

/**
 * Sends a watch request and yields the lines of its response.
 *
 * Guarantees: chunk boundaries do not affect the lines. The next chunk is read only after all lines of the previous one were
 * consumed. Leaving the loop in any way destroys the response body; `return()` does so at once, even while waiting for the
 * next line. Ends when the server closes the stream cleanly. Throws an `ApiError` for any status but 200, a
 * {@link WatchSilenceError}, a `ResponseError` if the connection breaks, a `WatchFrameError` for a line that is too long or
 * not UTF-8, or the signal's reason.
 */
export function watchLines(
  transport: Transport,
  request: HttpRequest,
  about: RequestAbout,
  options: WatchLinesOptions,
): AsyncIterableIterator<string, void, undefined> {
  const connection = new Connection(request, about, options);
  return closedBy(connection, singly(readBatches(transport, request, about, options, connection, new LineSplitter(options)), connection));
}

/**
 * Same as bytes in batches: the lines that one chunk completes come together. Guarantees and throws what {@link watchLines}
 * does, but does not check for UTF-8.
 */
export function watchLineBatches(
  transport: Transport,
  request: HttpRequest,
  about: RequestAbout,
  options: WatchBatchesOptions,
): AsyncIterableIterator<LineBatch, void, undefined> {
  const connection = new Connection(request, about, options);
  const messages = options.acceptsMessages === true ? new MessageFrameSplitter(options) : undefined;
  return closedBy(connection, readBatches(transport, request, about, options, connection, new ByteLineSplitter(options), messages));
}

function closedBy<T>(connection: Connection, source: AsyncGenerator<T, void, undefined>): AsyncIterableIterator<T, void, undefined> {
  return {
    next: () => source.next(),
    return: () => {
      connection.close();
      return source.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

interface Batch<L> {
  readonly framing: "lines" | "messages";
  readonly lines: readonly L[];
  readonly isUnterminated: boolean;
}

/** Splits chunks into lines of text or bytes. */
interface Splitter<L> {
  push(chunk: string | Uint8Array): L[];
  end(): L | undefined;
}

async function* singly(batches: AsyncIterable<Batch<string>>, connection: Connection): AsyncGenerator<string, void, undefined> {
  for await (const { lines } of batches) {
    for (const line of lines) {
      if (connection.isClosed) return;
      connection.signal.throwIfAborted();
      yield line;
    }
  }
}

async function* readBatches<L>(
  transport: Transport,
  request: HttpRequest,
  about: RequestAbout,
  options: WatchLinesOptions,
  connection: Connection,
  lines: Splitter<L>,
  messages?: Splitter<L>,
): AsyncGenerator<Batch<L>, void, undefined> {
  try {
    const response = await connection.open(transport, request);
    if (response.status !== 200) throw await responseError(response, about, { signal: connection.signal });
    const splitter = messages !== undefined && isProtobuf(response.headers) ? messages : lines;
    const framing = splitter === messages ? "messages" : "lines";
    if (framing === "lines" && !isJson(response.headers)) {
      throw new ResponseError(
        about.attempt,
        "content-type",
        `the server answered the watch with ${firstHeader(response.headers, "content-type")} instead of JSON`,
        { statusCode: 200 },
      );
    }
    options.onOpen?.(response.headers);
    for (let chunk = await connection.read(); chunk !== undefined; chunk = await connection.read()) {
      const part = chunk;
      const complete = framed(about, false, () => splitter.push(part));
      if (complete.length === 0) continue;
      connection.signal.throwIfAborted();
      yield { framing, lines: complete, isUnterminated: false };
    }
    const rest = framed(about, true, () => [splitter.end()].filter((line) => line !== undefined));
    if (rest.length > 0) yield { framing, lines: rest, isUnterminated: true };
    connection.ended();
  } catch (error) {
    if (!connection.isClosed) throw error;
  } finally {
    connection.close();
  }
}

/** Returns the error for an invalid line. A partial character at the end of the stream is a truncated line, as a partial object is. */
function framed<L>(about: RequestAbout, truncated: boolean, lines: () => L[]): L[] {
  try {
    return lines();
  } catch (error) {
    if (!isInstanceOf(error, LineError)) throw error;
    throw new WatchFrameError(`${about.attempt}: ${error.message}`, { truncated, cause: error });
  }
}

/** One request and its response body: limits each wait, and always destroys the body. */
class Connection {
  readonly #controller = new AbortController();
  readonly #about: RequestAbout;
  readonly #patience: Patience;
  readonly #parent: AbortSignal | undefined;
  readonly #follow = (): void => this.#controller.abort(this.#parent?.reason);
  #chunks: AsyncIterator<string | Uint8Array> | undefined;
  /** Ends the current wait. */
  #interrupt: ((reason: unknown) => void) | undefined;
  #state: "open" | "ended" | "closed" = "open";

  constructor(
    { path }: HttpRequest,
    about: RequestAbout,
    { clock, signal, silenceMs = defaultSilenceMs(parseQuery(path.split("?", 2)[1] ?? "")) }: WatchLinesOptions,
  ) {
    this.#about = about;
    this.#patience = new Patience(clock, silenceMs, () => this.#controller.abort(new WatchSilenceError(about.attempt, silenceMs)));
    this.#parent = signal;
    this.signal.addEventListener("abort", () => this.#interrupt?.(this.signal.reason), { once: true });
    if (signal?.aborted === true) this.#follow();
    else signal?.addEventListener("abort", this.#follow, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether the reader has left. */
  get isClosed(): boolean {
    return this.#state === "closed";
  }

  async open(transport: Transport, request: HttpRequest): Promise<HttpResponse> {
    this.signal.throwIfAborted();
    const answer = transport({ ...request, signal: this.signal });
    try {
      const response = await this.#patiently(answer);
      this.#chunks = chunksOf(response.body);
      return { ...response, body: this.#body() };
    } catch (error) {
      // Destroys a response that arrives after the reader has left.
      answer.then(
        ({ body }) => destroy(chunksOf(body)),
        () => undefined,
      );
      throw unanswered(this.#about, error, this.signal);
    }
  }

  /** Returns the next chunk, undefined at the end. */
  async read(): Promise<string | Uint8Array | undefined> {
    if (this.#chunks === undefined) return undefined;
    try {
      const step: IteratorResult<string | Uint8Array, unknown> = await this.#patiently(this.#chunks.next());
      return step.done === true ? undefined : step.value;
    } catch (error) {
      this.signal.throwIfAborted();
      throw lost(this.#about, 200, error);
    }
  }

  /** The body was read to its end; the connection may be reused. */
  ended(): void {
    this.#state = "ended";
  }

  close(): void {
    this.#parent?.removeEventListener("abort", this.#follow);
    this.#patience.close();
    if (this.#state !== "open") return;
    this.#state = "closed";
    this.#controller.abort(new DOMException("the watch was closed", "AbortError"));
    if (this.#chunks !== undefined) destroy(this.#chunks);
  }

  async *#body(): AsyncGenerator<string | Uint8Array, void, undefined> {
    for (let chunk = await this.read(); chunk !== undefined; chunk = await this.read()) yield chunk;
  }

  /** Waits until the silence limit, or until the reader leaves. All waits of a stream share one timer and one listener. */
  #patiently<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.signal.aborted) return reject(this.signal.reason);
      this.#interrupt = reject;
      this.#patience.begin();
      promise.then(
        (value) => {
          this.#arrived();
          resolve(value);
        },
        (error: unknown) => {
          this.#arrived();
          reject(error);
        },
      );
    });
  }

  #arrived(): void {
    this.#interrupt = undefined;
    this.#patience.end();
  }
}

function chunksOf(body: HttpBody): AsyncIterator<string | Uint8Array> {
  if (typeof body !== "string" && !(body instanceof Uint8Array)) return body[Symbol.asyncIterator]();
  return (async function* () {
    yield body;
  })();
}

// Not awaited: a source that hangs in next() would also hang in return().
function destroy(chunks: AsyncIterator<unknown>): void {
  chunks.return?.().then(undefined, () => undefined);
}
