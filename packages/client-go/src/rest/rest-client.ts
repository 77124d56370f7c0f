/**
 * client-go's `RESTClient`: sends requests built by hand, without knowledge of kinds.
 *
 *     RestClient.get() → RestRequest → do, doRaw, stream, watch → Transport
 *
 * Retries and warnings are each handled in exactly one place:
 * - The `retry` wrapper retries requests: the one inside the transport, as in `clusterTransport`, or the one in the options. If there are
 *   two, only the outer one retries. A request carries its own `maxRetries`, rate limiter and backoff (`HttpRequest.maxRetries`,
 *   `beforeRetry`), so they apply wherever the wrapper is.
 * - This client reports the warnings of the final response, to the handler of the request or else of the client. The request says so
 *   (`HttpRequest.reportsWarnings`), so the `warnings` wrapper skips it.
 */
import { deadline, definedOnly, patchContentType } from "@drover/machinery";
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

/** Settings shared by all requests of a client. */
export interface RestClientOptions {
  /** Transport to the server, such as `clusterTransport`. */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly log: Log;
  /** Group and version of the resources: "/api/v1", "/apis/apps/v1". @default the root path; requests set their whole path */
  readonly groupVersion?: GroupVersion;
  /** URL of the server, for `url()` of requests. @default unknown */
  readonly host?: string;
  /** Path of the server's URL, if the transport does not add it. @default "/" */
  readonly basePath?: string;
  /**
   * Retries requests, for a transport without retries: `retry({ clock, random, log })`.
   * @default the retries of the transport
   */
  readonly retry?: TransportWrapper;
  /** Limits the rate of all attempts except watches. @default no limit */
  readonly rateLimiter?: RateLimiter;
  /** Called with warnings of the server. @default warnings are logged */
  readonly warningHandler?: WarningHandler;
  /** Default timeout of a call in milliseconds; does not apply to streams and watches. @default the timeout of the transport */
  readonly timeoutMs?: number;
  /** Maximum size of a response in bytes; does not apply to streams and watches. @default 256 * 1024 * 1024 */
  readonly maxBodyBytes?: number;
}

/** A client for requests that callers build step by step. */
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
      ...definedOnly({ host, basePath, groupVersion }),
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

  /** Group and version of this client's resources; undefined if it starts at the root. */
  apiVersion(): GroupVersion | undefined {
    return this.#options.groupVersion;
  }

  /** Rate limiter of this client; undefined if it has none. */
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

  /** Sends the request and reads the response within its timeout. Waiting for the rate limiter before the first attempt does not count. */
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
    // An invalid request takes no token.
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
