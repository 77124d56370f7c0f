/**
 * client-go's request builder. Requests are immutable values.
 *
 *     verb("GET").namespace("shop").resource("pods").name("web-0").toHttpRequest()
 *     restClient.get().namespace("shop").resource("pods").do({ signal })
 *
 * Each step returns a new request and sends nothing, so a partly built request can be reused. The first error is kept: later steps change
 * nothing, and sending fails with it. Only `do`, `doRaw`, `stream` and `watch` send, through the client that started the request.
 */
import {
  checkPathSegmentName,
  definedOnly,
  encodeQuery,
  errorBrand,
  errorText,
  formatDuration,
  parseQuery,
  quoteGo,
} from "@drover/machinery";
import type { GroupVersion, HttpBody, HttpRequest, KubeObject } from "@drover/machinery";
import { requestBody } from "./request-body.ts";
import type { RequestBody } from "./request-body.ts";
import { escapePath, joinPath, unescapePath } from "./request-path.ts";
import type { BackOffManager, RateLimiter, RequestSender, SendOptions, SendSettings, WatchSendOptions } from "./request-sender.ts";
import type { RequestAbout, WarningHandler } from "@drover/client";
import { watchInterface } from "../watch/watch-interface.ts";
import type { WatchInterface } from "../watch/watch-interface.ts";
import type { Result } from "./result.ts";

/** Encodes options as a query for a version of the API, such as `encodeListOptions` of machinery. */
export type ParameterCodec<O> = (options: O, version: GroupVersion) => string;

const brand = errorBrand<RequestError>("RequestError");

/** A request is invalid and cannot be sent. */
export class RequestError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "RequestError";
}

/** Reports whether the error is a `RequestError`, also one of another copy of the package. */
export const isRequestError = (error: unknown): error is RequestError => brand.is(error);

interface RequestParts extends SendSettings {
  readonly verb: string;
  readonly host: string;
  readonly basePath: string;
  readonly pathPrefix: string;
  readonly suffix: string;
  readonly params: readonly (readonly [string, string])[];
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** Undefined if not set; "" means all namespaces. */
  readonly namespace: string | undefined;
  readonly resource: string;
  readonly name: string;
  readonly subresource: string;
  readonly body: HttpBody | undefined;
  readonly version: GroupVersion;
  readonly error: RequestError | undefined;
}

/** Settings shared by all requests of a client. */
export interface RequestOrigin {
  /** URL of the server, for `url()`. @default unknown */
  readonly host?: string;
  /** Path of the server's URL, if the transport does not add it: "/k8s/clusters/c-1". @default "/" */
  readonly basePath?: string;
  /** Group and version of the resources; determines the prefix, "/api/v1" or "/apis/apps/v1". @default the root path */
  readonly groupVersion?: GroupVersion;
  /** The `accept` header. @default JSON preferred, any type accepted */
  readonly accept?: string;
  /** Client that sends the request. @default no client: the request cannot be sent */
  readonly sender?: RequestSender;
}

/** Starts a request with an HTTP method and without a client; pass its `toHttpRequest()` to a `Transport`. */
export function verb(method: string, origin: RequestOrigin = {}): RestRequest {
  const { host = "", basePath = "/", groupVersion, accept = "application/json, */*", sender } = origin;
  const base = basePath.endsWith("/") ? basePath : `${basePath}/`;
  const apiPath =
    groupVersion === undefined
      ? ""
      : groupVersion.group === ""
        ? `api/${groupVersion.version}`
        : `apis/${groupVersion.group}/${groupVersion.version}`;
  return new RestRequest(
    {
      verb: method.toUpperCase(),
      host,
      basePath: base,
      pathPrefix: joinPath("/", base, apiPath),
      suffix: "",
      params: [],
      headers: new Map([["accept", [accept]]]),
      namespace: undefined,
      resource: "",
      name: "",
      subresource: "",
      body: undefined,
      version: groupVersion ?? { group: "", version: "v1" },
      error: undefined,
      timeoutMs: 0,
      maxRetries: undefined,
      rateLimiter: undefined,
      backOff: undefined,
      warningHandler: undefined,
    },
    sender,
  );
}

/** A request under construction. Immutable. */
export class RestRequest {
  readonly #parts: RequestParts;
  readonly #sender: RequestSender | undefined;

  /** @internal Use `verb` or a `RestClient`. */
  constructor(parts: RequestParts, sender: RequestSender | undefined) {
    this.#parts = parts;
    this.#sender = sender;
  }

  /** Sets the HTTP method. */
  verb(method: string): RestRequest {
    return this.#with(() => ({ verb: method.toUpperCase() }));
  }

  /** Adds segments to the prefix of the path, before namespace, resource and name. */
  prefix(...segments: readonly string[]): RestRequest {
    return this.#with(({ pathPrefix }) => ({ pathPrefix: joinPath(pathPrefix, ...segments) }));
  }

  /** Adds segments at the end of the path, after the subresource. */
  suffix(...segments: readonly string[]): RestRequest {
    return this.#with(({ suffix }) => ({ suffix: joinPath(suffix, ...segments) }));
  }

  /** Sets the start of the path, after the path of the server's URL. A single segment keeps its trailing slash. */
  absPath(...segments: readonly string[]): RestRequest {
    return this.#with(({ basePath }) => {
      const [only = ""] = segments;
      const keepsSlash = segments.length === 1 && (basePath.length > 1 || only.length > 1) && only.endsWith("/");
      const path = joinPath(basePath, ...segments);
      return { pathPrefix: keepsSlash && path !== "/" ? `${path}/` : path };
    });
  }

  /** Sets path and query from a URI such as "/apis/apps/v1?timeout=5s"; replaces all parameters. */
  requestURI(uri: string): RestRequest {
    const hash = uri.indexOf("#");
    const [path = "", ...query] = (hash === -1 ? uri : uri.slice(0, hash)).split("?");
    const decoded = unescapePath(path);
    if (decoded === undefined) return this.#fail(`parse ${quoteGo(uri)}: invalid URL escape`);
    const params = [...parseQuery(query.join("?"))].flatMap(([key, values]) => values.map((value) => [key, value] as const));
    return this.absPath(decoded).#with(() => ({ params }));
  }

  /** Sets the resource, such as "pods"; converted to lower case. */
  resource(resource: string): RestRequest {
    return this.#with(({ resource: before }) => {
      if (before !== "") throw new RequestError(`resource already set to ${quoteGo(before)}, cannot change to ${quoteGo(resource)}`);
      checkSegment("resource", resource);
      return { resource };
    });
  }

  /** Sets the name of the object. */
  name(name: string): RestRequest {
    return this.#with(({ name: before }) => {
      if (typeof name !== "string" || name === "") throw new RequestError("resource name may not be empty");
      if (before !== "") throw new RequestError(`resource name already set to ${quoteGo(before)}, cannot change to ${quoteGo(name)}`);
      checkSegment("resource name", name);
      return { name };
    });
  }

  /** Sets the namespace; "" means all namespaces, for lists and watches. */
  namespace(namespace: string): RestRequest {
    return this.#with(({ namespace: before }) => {
      if (before !== undefined)
        throw new RequestError(`namespace already set to ${quoteGo(before)}, cannot change to ${quoteGo(namespace)}`);
      checkSegment("namespace", namespace);
      return { namespace };
    });
  }

  /** Sets the namespace if the resource is namespaced. */
  namespaceIfScoped(namespace: string, scoped: boolean): RestRequest {
    return scoped ? this.namespace(namespace) : this;
  }

  /** Sets the subresource: "status", or several segments. */
  subResource(...segments: readonly string[]): RestRequest {
    return this.#with(({ subresource: before }) => {
      const subresource = joinPath(...segments);
      if (before !== "") throw new RequestError(`subresource already set to ${quoteGo(before)}, cannot change to ${quoteGo(subresource)}`);
      for (const segment of segments) checkSegment("subresource", segment);
      return { subresource };
    });
  }

  /** Adds a query parameter. A parameter set twice is sent twice. */
  param(name: string, value: string): RestRequest {
    return this.#with(({ params }) => ({ params: [...params, [name, value]] }));
  }

  /** Adds options to the query, encoded by a codec: `versionedParams({ limit: 500 }, encodeListOptions)`. */
  versionedParams<O>(options: O, codec: ParameterCodec<O>): RestRequest {
    return this.specificallyVersionedParams(options, codec, this.#parts.version);
  }

  /** Adds options for a version of the API other than the client's. */
  specificallyVersionedParams<O>(options: O, codec: ParameterCodec<O>, version: GroupVersion): RestRequest {
    return this.#with(({ params }) => {
      const added = [...parseQuery(codec(options, version))].flatMap(([key, values]) => values.map((value) => [key, value] as const));
      return { params: [...params, ...added] };
    });
  }

  /** Sets a header, replacing its values; without values it removes the header. */
  setHeader(name: string, ...values: readonly string[]): RestRequest {
    return this.#with(({ headers }) => {
      if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) throw new RequestError(`invalid header field name ${quoteGo(name)}`);
      // The message omits the value: it may be a credential.
      // oxlint-disable-next-line no-control-regex -- control characters must not get into a header
      if (values.some((value) => /[\u0000-\u0008\u000a-\u001f\u007f]/.test(value)))
        throw new RequestError(`invalid header field value for ${quoteGo(name)}`);
      const changed = new Map(headers);
      if (values.length === 0) changed.delete(name.toLowerCase());
      else changed.set(name.toLowerCase(), values);
      return { headers: changed };
    });
  }

  /**
   * Sets the timeout of the call in milliseconds, including the body of the response; also sent to the server as parameter
   * `timeout`. 0 means no timeout.
   */
  timeout(timeoutMs: number): RestRequest {
    return this.#with(() => {
      if (!(timeoutMs >= 0) || timeoutMs === Infinity)
        throw new RequestError(`timeout must be a finite number of milliseconds, zero or more, not ${timeoutMs}`);
      return { timeoutMs };
    });
  }

  /**
   * Sets the maximum number of retries; negative numbers count as 0. A transport without the `retry` wrapper never retries.
   */
  maxRetries(maxRetries: number): RestRequest {
    return this.#with(() => ({ maxRetries: Math.max(0, Math.trunc(maxRetries)) }));
  }

  /** Sets the backoff before each attempt, including the pause before a retry. */
  backOff(manager: BackOffManager): RestRequest {
    return this.#with(() => ({ backOff: manager }));
  }

  /** Uses this rate limiter instead of the client's. */
  throttle(limiter: RateLimiter): RestRequest {
    return this.#with(() => ({ rateLimiter: limiter }));
  }

  /** Passes warnings of the server to this handler instead of the client's. */
  warningHandler(handler: WarningHandler): RestRequest {
    return this.#with(() => ({ warningHandler: handler }));
  }

  /**
   * Sets the body. Text is sent unchanged and is never a file name; an object is encoded as JSON at once, and sets the content
   * type unless it is set.
   */
  body(value: RequestBody): RestRequest {
    return this.#with(({ headers }) => {
      const encoded = requestBody(value);
      if (encoded === undefined) return {};
      const isTyped = !encoded.isJson || headers.has("content-type");
      return { body: encoded.body, headers: isTyped ? headers : new Map([...headers, ["content-type", ["application/json"]]]) };
    });
  }

  /** The first error of the builder, if any. */
  get error(): RequestError | undefined {
    return this.#parts.error;
  }

  /** Settings for the sender. */
  get settings(): SendSettings {
    const { timeoutMs, maxRetries, rateLimiter, backOff, warningHandler } = this.#parts;
    return { timeoutMs, maxRetries, rateLimiter, backOff, warningHandler };
  }

  /**
   * Returns the escaped URL: "https://10.0.0.1:6443/api/v1/namespaces/shop/pods/web-0?timeout=5s", without the server if the client
   * does not know it. Valid only if there is no `error`.
   */
  url(): string {
    const { host } = this.#parts;
    return `${host.endsWith("/") ? host.slice(0, -1) : host}${this.#path()}`;
  }

  #path(): string {
    const { pathPrefix, namespace, resource, name, subresource, suffix, params, timeoutMs } = this.#parts;
    let path = pathPrefix;
    if (namespace) path = joinPath(path, "namespaces", namespace);
    if (resource !== "") path = joinPath(path, resource.toLowerCase());
    if (name !== "" || subresource !== "" || suffix !== "") path = joinPath(path, name, subresource, suffix);
    const query = encodeQuery(
      timeoutMs === 0 ? params : [...params.filter(([key]) => key !== "timeout"), ["timeout", formatDuration(timeoutMs)]],
    );
    return `${escapePath(path)}${query === "" ? "" : `?${query}`}`;
  }

  /** Returns the request for a transport. Throws the first {@link RequestError}, also for an empty namespace where one is required. */
  toHttpRequest({ signal }: SendOptions = {}): HttpRequest {
    const { verb: method, headers, body } = this.#parts;
    this.#check();
    return {
      method,
      path: this.#path(),
      headers: Object.fromEntries([...headers].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values])),
      ...definedOnly({ body, signal }),
    };
  }

  /** Description of the request for errors: "update pods/web-0 in shop". */
  get about(): RequestAbout {
    const { verb: method, namespace, resource, name, subresource, version } = this.#parts;
    if (resource === "") return { attempt: `${method} ${this.#path().split("?", 1).join("")}`, method };
    const object = [resource.toLowerCase(), name, subresource].filter((part) => part !== "").join("/");
    const place = namespace === undefined ? "" : ` in ${namespace || "all namespaces"}`;
    return {
      attempt: `${this.#word()} ${object}${place}`,
      method,
      resource: { group: version.group, resource },
      ...(name === "" ? {} : { name }),
    };
  }

  /** Sends the request. Rejects if there is no response; an error response is part of the result. */
  do(options: SendOptions = {}): Promise<Result> {
    return this.#send(async (sender) => sender.do(this, options));
  }

  /** Sends the request and returns the body as bytes. Rejects also for an error response. */
  doRaw(options: SendOptions = {}): Promise<Uint8Array> {
    return this.#send(async (sender) => sender.doRaw(this, options));
  }

  /** Sends the request and streams the body, for example the log of a pod. Rejects also for an error response. */
  stream(options: SendOptions = {}): Promise<AsyncIterable<string | Uint8Array>> {
    return this.#send(async (sender) => sender.stream(this, options));
  }

  /** Sends the request as a watch, adding `watch=true` if it is missing. See `watchStream` for the events. */
  watch<T = KubeObject>({ signal, ...options }: WatchSendOptions = {}): WatchInterface<T> {
    const request = this.#parts.params.some(([key]) => key === "watch") ? this : this.param("watch", "true");
    const sender = request.#bound();
    return watchInterface((stopping) => sender.watch<T>(request, { ...options, signal: stopping }), signal);
  }

  // Keeps the first error; after it, steps change nothing.
  #with(change: (parts: RequestParts) => Partial<RequestParts>): RestRequest {
    if (this.#parts.error !== undefined) return this;
    try {
      return new RestRequest({ ...this.#parts, ...change(this.#parts) }, this.#sender);
    } catch (error) {
      const cause = isRequestError(error) ? error : new RequestError(errorText(error), { cause: error });
      return new RestRequest({ ...this.#parts, error: cause }, this.#sender);
    }
  }

  #fail(message: string): RestRequest {
    return this.#with(() => {
      throw new RequestError(message);
    });
  }

  #check(): void {
    const { error, namespace, verb: method, name } = this.#parts;
    if (error !== undefined) throw error;
    if (namespace !== "") return;
    if (method === "POST") throw new RequestError("an empty namespace may not be set during creation");
    if (["GET", "PUT", "DELETE"].includes(method) && name !== "")
      throw new RequestError("an empty namespace may not be set when a resource name is provided");
  }

  #word(): string {
    const { verb: method, name, params } = this.#parts;
    if (method === "GET") return name !== "" ? "get" : params.some(([key]) => key === "watch") ? "watch" : "list";
    if (method === "DELETE") return name === "" ? "delete all" : "delete";
    return words.get(method) ?? method;
  }

  #bound(): RequestSender {
    if (this.#sender === undefined)
      throw new RequestError("the request has no client; start it with a RestClient, or pass toHttpRequest() to a transport");
    return this.#sender;
  }

  async #send<R>(send: (sender: RequestSender) => Promise<R>): Promise<R> {
    return send(this.#bound());
  }
}

const words: ReadonlyMap<string, string> = new Map([
  ["POST", "create"],
  ["PUT", "update"],
  ["PATCH", "patch"],
]);

function checkSegment(what: string, segment: string): void {
  const problems = checkPathSegmentName(segment);
  if (problems.length > 0) throw new RequestError(`invalid ${what} ${quoteGo(segment)}: [${problems.join(" ")}]`);
}
