/**
 * The request builder: says step by step what is wanted, and is a value at every step.
 *
 *     verb("GET").namespace("shop").resource("pods").name("web-0").toHttpRequest()
 *     restClient.get().namespace("shop").resource("pods").do({ signal })
 *
 * No step touches the network or changes the request it is called on: each gives a new one, so a half-built request can be kept and used
 * many times. The first mistake sticks: later steps change nothing, and whatever sends the request fails with it. Only the last four
 * (`do`, `doRaw`, `stream`, `watch`) send; they belong to the client the request came from.
 */
import { checkPathSegmentName, encodeQuery, formatDuration, parseQuery, quoteGo } from "@drover/machinery";
import type { GroupVersion, HttpBody, HttpRequest, KubeObject } from "@drover/machinery";
import { requestBody } from "./request-body.ts";
import type { RequestBody } from "./request-body.ts";
import { escapePath, joinPath, unescapePath } from "./request-path.ts";
import type { BackOffManager, RateLimiter, RequestSender, SendOptions, SendSettings, WatchSendOptions } from "./request-sender.ts";
import type { RequestAbout, WarningHandler } from "@drover/client";
import { watchInterface } from "../watch/watch-interface.ts";
import type { WatchInterface } from "../watch/watch-interface.ts";
import type { Result } from "./result.ts";

/** Writes options as a query, for some version of the API: `encodeListOptions` and the others of machinery. */
export type ParameterCodec<O> = (options: O, version: GroupVersion) => string;

/** A request that cannot be sent as it was built. */
export class RequestError extends Error {
  override readonly name = "RequestError";
}

interface RequestParts extends SendSettings {
  readonly verb: string;
  readonly host: string;
  readonly basePath: string;
  readonly pathPrefix: string;
  readonly suffix: string;
  readonly params: readonly (readonly [string, string])[];
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** Undefined: none was set. "" is one that was set and is empty: all namespaces. */
  readonly namespace: string | undefined;
  readonly resource: string;
  readonly name: string;
  readonly subresource: string;
  readonly body: HttpBody | undefined;
  readonly version: GroupVersion;
  readonly error: RequestError | undefined;
}

/** Where requests of one client start from. */
export interface RequestOrigin {
  /** The server's URL, for `url()`. @default not known */
  readonly host?: string;
  /** The path of the server's URL, where the transport does not add it: "/k8s/clusters/c-1". @default "/" */
  readonly basePath?: string;
  /** The resources of this version: "/api/v1", "/apis/apps/v1" go before them. @default the root */
  readonly groupVersion?: GroupVersion;
  /** The `accept` header. @default JSON, and else whatever there is */
  readonly accept?: string;
  /** What sends the request. @default nothing does: the request is only a value */
  readonly sender?: RequestSender;
}

/** Starts a request with an HTTP method. It belongs to no client; `toHttpRequest` makes of it what a `Transport` takes. */
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

/** A request as far as it has been built. Immutable; see the head of this file. */
export class RestRequest {
  readonly #parts: RequestParts;
  readonly #sender: RequestSender | undefined;

  /** @internal Start with `verb` or with a `RestClient`. */
  constructor(parts: RequestParts, sender: RequestSender | undefined) {
    this.#parts = parts;
    this.#sender = sender;
  }

  /** Another HTTP method. */
  verb(method: string): RestRequest {
    return this.#with(() => ({ verb: method.toUpperCase() }));
  }

  /** Puts segments behind what the path begins with, before namespace, resource and name. */
  prefix(...segments: readonly string[]): RestRequest {
    return this.#with(({ pathPrefix }) => ({ pathPrefix: joinPath(pathPrefix, ...segments) }));
  }

  /** Puts segments at the end of the path, behind the subresource. */
  suffix(...segments: readonly string[]): RestRequest {
    return this.#with(({ suffix }) => ({ suffix: joinPath(suffix, ...segments) }));
  }

  /** Lets the path begin with these segments, behind the path of the server's URL only. The slash at the end of a single one stays. */
  absPath(...segments: readonly string[]): RestRequest {
    return this.#with(({ basePath }) => {
      const [only = ""] = segments;
      const keepsSlash = segments.length === 1 && (basePath.length > 1 || only.length > 1) && only.endsWith("/");
      const path = joinPath(basePath, ...segments);
      return { pathPrefix: keepsSlash && path !== "/" ? `${path}/` : path };
    });
  }

  /** Takes path and query from a text such as "/apis/apps/v1?timeout=5s"; parameters set before are forgotten. */
  requestURI(uri: string): RestRequest {
    const hash = uri.indexOf("#");
    const [path = "", ...query] = (hash === -1 ? uri : uri.slice(0, hash)).split("?");
    const decoded = unescapePath(path);
    if (decoded === undefined) return this.#fail(`parse ${quoteGo(uri)}: invalid URL escape`);
    const params = [...parseQuery(query.join("?"))].flatMap(([key, values]) => values.map((value) => [key, value] as const));
    return this.absPath(decoded).#with(() => ({ params }));
  }

  /** The resource, "pods"; written in lower case. */
  resource(resource: string): RestRequest {
    return this.#with(({ resource: before }) => {
      if (before !== "") throw new RequestError(`resource already set to ${quoteGo(before)}, cannot change to ${quoteGo(resource)}`);
      checkSegment("resource", resource);
      return { resource };
    });
  }

  /** The name of one object. */
  name(name: string): RestRequest {
    return this.#with(({ name: before }) => {
      if (typeof name !== "string" || name === "") throw new RequestError("resource name may not be empty");
      if (before !== "") throw new RequestError(`resource name already set to ${quoteGo(before)}, cannot change to ${quoteGo(name)}`);
      checkSegment("resource name", name);
      return { name };
    });
  }

  /** The namespace; "" is all of them, for lists and watches. */
  namespace(namespace: string): RestRequest {
    return this.#with(({ namespace: before }) => {
      if (before !== undefined)
        throw new RequestError(`namespace already set to ${quoteGo(before)}, cannot change to ${quoteGo(namespace)}`);
      checkSegment("namespace", namespace);
      return { namespace };
    });
  }

  /** The namespace, where the resource is in one at all. */
  namespaceIfScoped(namespace: string, scoped: boolean): RestRequest {
    return scoped ? this.namespace(namespace) : this;
  }

  /** What stands behind the name: "status", or several segments. */
  subResource(...segments: readonly string[]): RestRequest {
    return this.#with(({ subresource: before }) => {
      const subresource = joinPath(...segments);
      if (before !== "") throw new RequestError(`subresource already set to ${quoteGo(before)}, cannot change to ${quoteGo(subresource)}`);
      for (const segment of segments) checkSegment("subresource", segment);
      return { subresource };
    });
  }

  /** Adds a parameter of the query. One that is set twice is sent twice. */
  param(name: string, value: string): RestRequest {
    return this.#with(({ params }) => ({ params: [...params, [name, value]] }));
  }

  /** Adds options to the query, written by a codec: `versionedParams({ limit: 500 }, encodeListOptions)`. */
  versionedParams<O>(options: O, codec: ParameterCodec<O>): RestRequest {
    return this.specificallyVersionedParams(options, codec, this.#parts.version);
  }

  /** The same for another version of the API than the client's. */
  specificallyVersionedParams<O>(options: O, codec: ParameterCodec<O>, version: GroupVersion): RestRequest {
    return this.#with(({ params }) => {
      const added = [...parseQuery(codec(options, version))].flatMap(([key, values]) => values.map((value) => [key, value] as const));
      return { params: [...params, ...added] };
    });
  }

  /** Sets a header, in place of what it was; no value removes it. */
  setHeader(name: string, ...values: readonly string[]): RestRequest {
    return this.#with(({ headers }) => {
      if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) throw new RequestError(`invalid header field name ${quoteGo(name)}`);
      // Never the value: it may be a credential.
      // oxlint-disable-next-line no-control-regex -- these are what must not get into a header
      if (values.some((value) => /[\u0000-\u0008\u000a-\u001f\u007f]/.test(value)))
        throw new RequestError(`invalid header field value for ${quoteGo(name)}`);
      const changed = new Map(headers);
      if (values.length === 0) changed.delete(name.toLowerCase());
      else changed.set(name.toLowerCase(), values);
      return { headers: changed };
    });
  }

  /**
   * How long the whole call may take, in milliseconds, the body of the answer included. The server is told too:
   * parameter `timeout`. 0 is no limit.
   */
  timeout(timeoutMs: number): RestRequest {
    return this.#with(() => {
      if (!(timeoutMs >= 0) || timeoutMs === Infinity) throw new RequestError(`${timeoutMs} is no timeout in milliseconds`);
      return { timeoutMs };
    });
  }

  /**
   * How often the request may be repeated at most; less than 0 counts as 0. A transport without `retry` in it repeats
   * nothing in any case.
   */
  maxRetries(maxRetries: number): RestRequest {
    return this.#with(() => ({ maxRetries: Math.max(0, Math.trunc(maxRetries)) }));
  }

  /** Waits before each attempt as this manager says; the pause before a repetition counts. */
  backOff(manager: BackOffManager): RestRequest {
    return this.#with(() => ({ backOff: manager }));
  }

  /** Waits for the turns of this limiter instead of the client's. */
  throttle(limiter: RateLimiter): RestRequest {
    return this.#with(() => ({ rateLimiter: limiter }));
  }

  /** Hands warnings of the server to this handler instead of the client's. */
  warningHandler(handler: WarningHandler): RestRequest {
    return this.#with(() => ({ warningHandler: handler }));
  }

  /**
   * The body. Text is sent as it is and is never the name of a file; an object is written as JSON, now, with its
   * content type unless one is set.
   */
  body(value: RequestBody): RestRequest {
    return this.#with(({ headers }) => {
      const encoded = requestBody(value);
      if (encoded === undefined) return {};
      const isTyped = !encoded.isJson || headers.has("content-type");
      return { body: encoded.body, headers: isTyped ? headers : new Map([...headers, ["content-type", ["application/json"]]]) };
    });
  }

  /** The first mistake that was made, if any. */
  get error(): RequestError | undefined {
    return this.#parts.error;
  }

  /** How the sender is to go about it. */
  get settings(): SendSettings {
    const { timeoutMs, maxRetries, rateLimiter, backOff, warningHandler } = this.#parts;
    return { timeoutMs, maxRetries, rateLimiter, backOff, warningHandler };
  }

  /**
   * The whole URL, escaped: "https://10.0.0.1:6443/api/v1/namespaces/shop/pods/web-0?timeout=5s". Without the server
   * where the client does not know it. Only valid when there is no `error`.
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

  /** What a transport takes. Throws a {@link RequestError} for the first mistake, and for a namespace that is empty where one is needed. */
  toHttpRequest({ signal }: SendOptions = {}): HttpRequest {
    const { verb: method, headers, body } = this.#parts;
    this.#check();
    return {
      method,
      path: this.#path(),
      headers: Object.fromEntries([...headers].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? "") : values])),
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    };
  }

  /** What the request is about, for errors: "update pods/web-0 in shop". */
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

  /** Sends it. Rejects when there is no answer; a refusal is an answer, and in the result. */
  do(options: SendOptions = {}): Promise<Result> {
    return this.#send(async (sender) => sender.do(this, options));
  }

  /** Sends it and gives the bytes of the answer, whatever they are. Rejects also when the server refuses. */
  doRaw(options: SendOptions = {}): Promise<Uint8Array> {
    return this.#send(async (sender) => sender.doRaw(this, options));
  }

  /** Sends it and gives the answer's body as it comes: the log of a pod. Rejects also when the server refuses. */
  stream(options: SendOptions = {}): Promise<AsyncIterable<string | Uint8Array>> {
    return this.#send(async (sender) => sender.stream(this, options));
  }

  /** Sends it as a watch; `watch=true` is added where it is missing. See `watchStream` for what comes out. */
  watch<T = KubeObject>({ signal, ...options }: WatchSendOptions = {}): WatchInterface<T> {
    const request = this.#parts.params.some(([key]) => key === "watch") ? this : this.param("watch", "true");
    const sender = request.#bound();
    return watchInterface((stopping) => sender.watch<T>(request, { ...options, signal: stopping }), signal);
  }

  // A step that fails makes the error stick; after it nothing changes any more.
  #with(change: (parts: RequestParts) => Partial<RequestParts>): RestRequest {
    if (this.#parts.error !== undefined) return this;
    try {
      return new RestRequest({ ...this.#parts, ...change(this.#parts) }, this.#sender);
    } catch (error) {
      const cause =
        error instanceof RequestError ? error : new RequestError(error instanceof Error ? error.message : String(error), { cause: error });
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
      throw new RequestError("this request belongs to no client; start it with one, or hand toHttpRequest() to a transport");
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
