/**
 * The running requests of one port, whatever protocol they came with.
 *
 *     http1-front.ts, http2-front.ts → headOf → BodyReader → call → Turns → RequestWatch → Transport → pour
 */
import { countExceeded } from "@drover/machinery";
import type { HttpHeaders, HttpRequest, HttpResponse, Transport } from "@drover/machinery";
import { isLarge } from "../request/pause.ts";
import { Turns } from "../request/turns.ts";
import { BodyReader } from "./body-reader.ts";
import { hostGuard } from "./host-guard.ts";
import type { HostGuard } from "./host-guard.ts";
import { LineMemo } from "./line-memo.ts";
import { listenLimits } from "./listen-limits.ts";
import type { ListenLimits } from "./listen-limits.ts";
import type { ListenOptions } from "./listen-options.ts";
import { headersFromWire, parseRequestTarget } from "./message-head.ts";
import { pourBody } from "./pour-body.ts";
import type { ByteSink } from "./pour-body.ts";
import { refusal } from "./refusal.ts";
import type { Refusal } from "./refusal.ts";
import { RequestWatch } from "./request-watch.ts";
import { WaitingBytes, watchBytes } from "./waiting-bytes.ts";

export interface ExchangesOptions extends Pick<ListenOptions, "connection" | "clock" | "log" | "metrics" | "limits" | "names" | "origins"> {
  /** Calls back in the next turn of the event loop; `setImmediate`. */
  readonly nextTurn: (callback: () => void) => void;
}

/** The head of a request as it arrived. */
export interface WireHead {
  /** Alternating names and values, one character per byte. */
  readonly rawHeaders: readonly string[];
  readonly target: string;
  readonly encrypted: boolean;
}

export interface RequestHead {
  readonly path: string;
  readonly headers: HttpHeaders;
}

/** Where the body of a response goes. */
export interface PourOptions {
  readonly sink: ByteSink;
  readonly lines: LineMemo;
  readonly gone: AbortController;
  /** For the log. */
  readonly path: string | undefined;
}

export class Exchanges {
  readonly options: ExchangesOptions;
  readonly limits: Required<ListenLimits>;
  readonly bodies: BodyReader;
  /** Encodes pieces that need no framing. */
  readonly plain: LineMemo = new LineMemo((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece));
  readonly #guard: HostGuard;
  readonly #streams = new Set<AbortController>();
  /** None of these promises rejects. */
  readonly #running = new Set<Promise<void>>();
  readonly #watch: RequestWatch;
  readonly #turns: Turns;
  readonly #waiting: WaitingBytes;
  #isEnding = false;
  #heardMs = -Infinity;

  constructor(options: ExchangesOptions) {
    const { clock, nextTurn } = options;
    this.options = options;
    this.limits = listenLimits(options.limits ?? {});
    this.bodies = new BodyReader({ bytesMax: this.limits.bodyBytesMax, nextTurn });
    this.#guard = hostGuard(options);
    this.#watch = new RequestWatch(options);
    this.#turns = new Turns({ clock, nextTurn });
    this.#waiting = new WaitingBytes({
      bytesMax: this.limits.watchBytesMax,
      clock,
      onEnded: (fields) => {
        options.log.warn("ended the slowest watches, because too many bytes waited for their clients", fields);
        if (options.metrics !== undefined) countExceeded(options.metrics, watchBytes);
      },
    });
  }

  /** Resolves in the next turn of the event loop, for handlers with much to do. */
  readonly pause = (): Promise<void> =>
    new Promise((resolve) => {
      this.options.nextTurn(resolve);
    });

  /** Whether the listener shuts down. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** When a connection or a request began last, by `clock.monotonic()`; -Infinity before the first. */
  get heardMs(): number {
    return this.#heardMs;
  }

  hear(): void {
    this.#heardMs = this.options.clock.monotonic();
  }

  /** Counts a request as running until its promise resolves; it must not reject. */
  begin(serve: Promise<void>): void {
    this.hear();
    const exchange = serve.finally(() => void this.#running.delete(exchange));
    this.#running.add(exchange);
  }

  /** Checks the head of a request: its number of headers, its target, its host and its origin. */
  headOf({ rawHeaders, target, encrypted }: WireHead): RequestHead | Refusal {
    const { headersMax } = this.limits;
    if (rawHeaders.length / 2 > headersMax) return refusal(431, `at most ${headersMax} headers are allowed`);
    const headers = headersFromWire(rawHeaders);
    const parsed = parseRequestTarget(target);
    if (parsed === undefined) return refusal(400, "the request target must be a path");
    if (Array.isArray(headers.host)) return refusal(400, "the Host header must not be repeated");
    const authority = parsed.authority ?? (headers.host as string | undefined);
    const problem = this.#guard({ authority, encrypted, headers });
    return problem === undefined ? { path: parsed.path, headers } : refusal(403, problem);
  }

  /** Calls the transport of a connection when the request's turn has come; resolves with undefined when its signal has aborted before. */
  async call(transport: Transport, request: HttpRequest): Promise<HttpResponse | undefined> {
    const turn = this.#turns.enter(isLarge(request.body), transport);
    if (turn !== undefined) await turn;
    return request.signal?.aborted === true ? undefined : await this.#watch.serve(transport, request);
  }

  /** Writes a body until it ends or the client is gone. Resolves with false, after logging it, when the body failed. */
  async pour(body: AsyncIterable<string | Uint8Array>, { sink, lines, gone, path }: PourOptions): Promise<boolean> {
    this.#streams.add(gone);
    if (this.#isEnding) gone.abort(shuttingDown());
    try {
      await pourBody(body, sink, { lines, waiting: this.#waiting });
      return true;
    } catch (error) {
      if (gone.signal.reason !== error) this.options.log.error("response failed while streaming", { path, error });
      return false;
    } finally {
      this.#streams.delete(gone);
    }
  }

  /** Begins the shutdown: aborts the signals of streams. */
  end(): void {
    this.#isEnding = true;
    for (const stream of this.#streams) stream.abort(shuttingDown());
  }

  /** Resolves when no request runs: a handler may still run for a client that has disconnected. */
  async settled(): Promise<void> {
    await Promise.all(this.#running);
  }

  close(): void {
    this.#watch.close();
  }
}

const shuttingDown = (): DOMException => new DOMException("the server is shutting down", "AbortError");
