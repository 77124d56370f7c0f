/**
 * Sends requests, and knows nothing of kinds: the client for whoever wants to say each request by hand.
 *
 *     RestClient.get() → RestRequest → do, doRaw, stream, watch → Transport
 *
 * Who repeats a request, and who reports warnings? Each is done in exactly one place.
 * - Requests are repeated by the `retry` wrapper: the one inside the transport, as in `clusterTransport`, or the one in the options, for a
 *   transport without. Where both are, the outer one does it and the inner one holds still. A request's own `maxRetries`, limiter and
 *   back-off travel with it (`HttpRequest.maxRetries`, `beforeRetry`), so they have effect wherever the wrapper stands.
 * - Warnings of the final answer are reported here, to the request's handler or else the client's; the request says so
 *   (`HttpRequest.reportsWarnings`), and the `warnings` wrapper leaves it alone.
 */
import { deadline, patchContentType } from "@drover/machinery";
import type { Clock, GroupVersion, HttpHeaders, HttpResponse, Log, PatchType, Transport, WatchEvent } from "@drover/machinery";
import type { ReadResponseOptions, TransportWrapper, WarningHandler } from "@drover/client";
import { attempts } from "./attempts.ts";
import type { Attempts } from "./attempts.ts";
import {
  bytesOf,
  handleWarnings,
  isFailure,
  readResponse,
  readResponseError,
  responseError,
  timedOut,
  unanswered,
  warningLogger,
  watchStream,
} from "@drover/client";
import { verb } from "./request.ts";
import type { RestRequest } from "./request.ts";
import type { RateLimiter, RequestSender, SendOptions, SendSettings, SendableRequest, WatchSendOptions } from "./request-sender.ts";
import { Result } from "./result.ts";

/** What requests of one client have in common. */
export interface RestClientOptions {
  /** The way to the server: `clusterTransport`, or any other. */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly log: Log;
  /** Where the resources are: "/api/v1", "/apis/apps/v1". @default the root, for requests that say their whole path */
  readonly groupVersion?: GroupVersion;
  /** The server's URL, for `url()` of its requests. @default not known */
  readonly host?: string;
  /** The path of the server's URL, where the transport does not add it itself. @default "/" */
  readonly basePath?: string;
  /**
   * Repeats what may be repeated, for a transport that does not do so itself: `retry({ clock, random, log })`. @default
   * what the transport does
   */
  readonly retry?: TransportWrapper;
  /** Every attempt but a watch waits for its turn here. @default no limit */
  readonly rateLimiter?: RateLimiter;
  /** Is told the warnings of the server. @default they are logged */
  readonly warningHandler?: WarningHandler;
  /** How long a call may take that does not say so itself; streams and watches have no such limit. @default no limit but the transport's */
  readonly timeoutMs?: number;
  /** Larger answers are refused; streams and watches have no such limit. @default 256 * 1024 * 1024 */
  readonly maxBodyBytes?: number;
}

/** A client for requests built by hand. */
export class RestClient {
  readonly #options: RestClientOptions;
  readonly #transport: Transport;
  readonly #warn: WarningHandler;
  readonly #sender: RequestSender;

  constructor(options: RestClientOptions) {
    this.#options = options;
    this.#transport = options.retry === undefined ? options.transport : options.retry(options.transport);
    this.#warn = options.warningHandler ?? warningLogger(options.log);
    this.#sender = {
      do: (request, send) => this.#do(request, send),
      doRaw: (request, send) => this.#doRaw(request, send),
      stream: (request, send) => this.#stream(request, send),
      watch: <T>(request: SendableRequest, send: WatchSendOptions) => this.#watch<T>(request, send),
    };
  }

  /** Starts a request with this HTTP method. */
  verb(method: string): RestRequest {
    const { host, basePath, groupVersion, timeoutMs } = this.#options;
    const request = verb(method, {
      sender: this.#sender,
      ...(host === undefined ? {} : { host }),
      ...(basePath === undefined ? {} : { basePath }),
      ...(groupVersion === undefined ? {} : { groupVersion }),
    });
    return timeoutMs === undefined ? request : request.timeout(timeoutMs);
  }

  /** Starts a GET. */
  get(): RestRequest {
    return this.verb("GET");
  }

  /** Starts a POST. */
  post(): RestRequest {
    return this.verb("POST");
  }

  /** Starts a PUT. */
  put(): RestRequest {
    return this.verb("PUT");
  }

  /** Starts a PATCH of this type. */
  patch(type: PatchType): RestRequest {
    return this.verb("PATCH").setHeader("content-type", patchContentType(type));
  }

  /** Starts a DELETE. */
  delete(): RestRequest {
    return this.verb("DELETE");
  }

  /** The version of the API whose resources this client has; undefined for one that starts at the root. */
  apiVersion(): GroupVersion | undefined {
    return this.#options.groupVersion;
  }

  /** What requests of this client wait for; undefined when they do not. */
  getRateLimiter(): RateLimiter | undefined {
    return this.#options.rateLimiter;
  }

  async #do(request: SendableRequest, options: SendOptions): Promise<Result> {
    return this.#limited(request, options, async (response, call) => {
      const read = await readResponse(response, request.about, this.#reading(call));
      return new Result(read, request.about, { warnings: this.#warnings(response, request.settings) });
    });
  }

  async #doRaw(request: SendableRequest, options: SendOptions): Promise<Uint8Array> {
    return this.#limited(request, options, async (response, call) => {
      const read = await readResponse(response, request.about, this.#reading(call));
      this.#warnings(response, request.settings);
      if (isFailure(read.status)) throw readResponseError(read, request.about);
      return bytesOf(read.body);
    });
  }

  async #stream(request: SendableRequest, { signal }: SendOptions): Promise<AsyncIterable<string | Uint8Array>> {
    const call = signal === undefined ? {} : { signal };
    const { transport } = this.#attempts(request.settings);
    await this.#turn(request, call);
    const response = await this.#answer(request, call, transport);
    this.#warnings(response, request.settings);
    if (response.status < 200 || response.status >= 300) throw await responseError(response, request.about, call);
    const { body } = response;
    if (typeof body !== "string" && !(body instanceof Uint8Array)) return body;
    return (async function* () {
      yield body;
    })();
  }

  #watch<T>(request: SendableRequest, options: WatchSendOptions): AsyncIterableIterator<WatchEvent<T>, void, undefined> {
    const { transport } = this.#attempts(request.settings, { throttled: false });
    const onOpen = (headers: HttpHeaders): void =>
      void handleWarnings(headers, request.settings.warningHandler ?? this.#warn, this.#options.log);
    return watchStream<T>(transport, { ...request.toHttpRequest(), reportsWarnings: true }, request.about, {
      ...options,
      clock: this.#options.clock,
      onOpen,
    });
  }

  /** Sends and reads within the time that the request allows. Waiting for the first turn does not count: it is not the server's fault. */
  async #limited<R>(
    request: SendableRequest,
    { signal: parent }: SendOptions,
    read: (response: HttpResponse, call: SendOptions) => Promise<R>,
  ): Promise<R> {
    const { timeoutMs } = request.settings;
    const { transport, wasSent } = this.#attempts(request.settings);
    const outer = parent === undefined ? {} : { signal: parent };
    await this.#turn(request, outer);
    if (timeoutMs === 0) return read(await this.#answer(request, outer, transport), outer);
    parent?.throwIfAborted();
    const { signal, release } = deadline(this.#options.clock, timeoutMs, outer);
    try {
      return await read(await this.#answer(request, { signal }, transport), { signal });
    } catch (error) {
      const isOurs = error === signal.reason && error !== parent?.reason;
      throw isOurs ? timedOut({ ...request.about, timeoutMs, wasSent: wasSent(), cause: error }) : error;
    } finally {
      release();
    }
  }

  async #turn(request: SendableRequest, call: SendOptions): Promise<void> {
    // A request that cannot be sent takes nobody's turn.
    request.toHttpRequest();
    call.signal?.throwIfAborted();
    await (request.settings.rateLimiter ?? this.#options.rateLimiter)?.wait(call);
  }

  async #answer(request: SendableRequest, call: SendOptions, transport: Transport): Promise<HttpResponse> {
    const sent = { ...request.toHttpRequest(call), reportsWarnings: true };
    call.signal?.throwIfAborted();
    try {
      return await transport(sent);
    } catch (error) {
      throw unanswered(request.about, error, call.signal);
    }
  }

  #attempts({ maxRetries, rateLimiter, backOff }: SendSettings, { throttled = true }: { readonly throttled?: boolean } = {}): Attempts {
    return attempts(this.#transport, {
      clock: this.#options.clock,
      backOff,
      maxRetries,
      limiter: throttled ? (rateLimiter ?? this.#options.rateLimiter) : undefined,
    });
  }

  #reading(call: SendOptions): ReadResponseOptions {
    const { maxBodyBytes } = this.#options;
    return maxBodyBytes === undefined ? call : { ...call, maxBodyBytes };
  }

  #warnings({ headers }: HttpResponse, { warningHandler = this.#warn }: SendSettings): Result["warnings"] {
    return handleWarnings(headers, warningHandler, this.#options.log);
  }
}
