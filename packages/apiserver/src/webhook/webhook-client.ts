/**
 * Calls webhooks: builds the URL, finds services, waits for a slot, ends in time, and reads the response, with the errors of
 * kube-apiserver.
 *
 *     clientConfig, review → WebhookClient.post → JSON of the response
 */
import {
  apiVersionOf,
  budget,
  countExceeded,
  decodeJson,
  deadline,
  groupVersionKindFrom,
  isJsonObject,
  isTimeoutError,
  JsonError,
  newInternalError,
  newServiceUnavailable,
  quoteGo,
  retryAfterSeconds,
  sleep,
  statusFromResponse,
} from "@drover/machinery";
import type { Budget, Clock, DeepReadonly, GroupVersionKind, JsonObject, JsonValue, Metrics, Status } from "@drover/machinery";
import { caBundleProblem } from "./ca-bundle.ts";
import { CallSlots } from "./call-slots.ts";
import type { ServiceAddress, WebhookCall, WebhookReply } from "./webhook-call.ts";
import { responseTooLarge, WebhookFailure } from "./webhook-call.ts";
import type { CallWebhook } from "./webhook-call.ts";
import type { WebhookOptions, WebhookService } from "./webhook-options.ts";

/** As large as a request may be. kube-apiserver has no limit. */
const responseBytes: Budget = budget({
  name: "apiserver/webhook-response",
  limit: 3 * 2 ** 20,
  unit: "bytes",
  atLimit: "The call of the webhook fails; its failurePolicy decides about the request.",
});
const callsAtOnce: Budget = budget({
  name: "apiserver/webhook-calls",
  limit: 256,
  unit: "items",
  atLimit: "Further calls of webhooks wait in line; their timeouts run.",
});
/** As client-go. */
const retriesMax = 10;

/** As in a webhook configuration or a definition. */
export type WebhookClientConfig = DeepReadonly<{
  url?: string;
  service?: { name: string; namespace: string; path?: string; port?: number };
  caBundle?: string;
}>;

/** A call that failed, before or after a response. The message is the error of kube-apiserver's client. */
export class WebhookCallError extends Error {
  override readonly name = "WebhookCallError";
  readonly status: Status;
  /** Whether the client of the request left. */
  readonly isCanceled: boolean;
  /** Whether the configuration is at fault, so that nothing was sent. */
  readonly isUnsent: boolean;

  constructor(message: string, options: CallErrorOptions = {}) {
    const { status = newServiceUnavailable("error calling webhook"), isCanceled = false, isUnsent = false } = options;
    super(message);
    this.status = status;
    this.isCanceled = isCanceled;
    this.isUnsent = isUnsent;
  }
}

interface CallErrorOptions {
  readonly status?: Status;
  readonly isCanceled?: boolean;
  readonly isUnsent?: boolean;
}

export interface WebhookClientOptions extends WebhookOptions {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly call: CallWebhook;
  /** Looks a service up. Throws a `WebhookFailure`. */
  readonly addressOf: (service: WebhookService) => Promise<ServiceAddress>;
}

export interface WebhookPost {
  readonly clientConfig: WebhookClientConfig;
  /** The kind of the request, and of the response. */
  readonly review: GroupVersionKind;
  readonly body: string;
  readonly timeoutMs: number;
  /** Aborts when the client of the request leaves. */
  readonly signal: AbortSignal | undefined;
}

export class WebhookClient {
  readonly #options: WebhookClientOptions;
  readonly #slots = new CallSlots(callsAtOnce.limit);

  constructor(options: WebhookClientOptions) {
    this.#options = options;
  }

  /** Sends a review and returns the object in the response. Rejects with a `WebhookCallError`. */
  async post({ clientConfig, review, body, timeoutMs, signal: parent }: WebhookPost): Promise<JsonObject> {
    const problem = caBundleProblem(clientConfig.caBundle ?? "");
    if (problem !== undefined) throw new WebhookCallError(problem, { status: newInternalError(problem), isUnsent: true });
    const url = urlOf(clientConfig, timeoutMs);
    const { signal, release } = deadline(this.#options.clock, timeoutMs, parent === undefined ? {} : { signal: parent });
    if (this.#slots.isFull) countExceeded(this.#options.metrics, callsAtOnce);
    try {
      const caBundle = bundleOf(clientConfig.caBundle);
      const call = { url, body, responseBytesMax: responseBytes.limit, signal, ...(caBundle === "" ? {} : { caBundle }) };
      return reviewOf(review, await this.#slots.run(signal, () => this.#answered(clientConfig, call)));
    } catch (error) {
      if (error instanceof WebhookCallError) throw error;
      if (error instanceof WebhookFailure && error.isTooLarge) countExceeded(this.#options.metrics, responseBytes);
      if (error instanceof WebhookFailure && !signal.aborted)
        throw new WebhookCallError(error.hasResponse ? error.message : `Post ${quoteGo(url)}: ${error.message}`);
      if (!signal.aborted) throw error;
      const isCanceled = !isTimeoutError(signal.reason);
      const why = isCanceled ? "context canceled" : "context deadline exceeded";
      throw new WebhookCallError(`Post ${quoteGo(url)}: ${why}`, { isCanceled });
    } finally {
      release();
    }
  }

  /** Sends the call, and again as often as the webhook asks for it with Retry-After. */
  async #answered({ service }: WebhookClientConfig, call: WebhookCall): Promise<WebhookReply> {
    for (let attempt = 0; ; attempt++) {
      const reply = await this.#sent(service, call);
      const wait = reply.status === 429 || reply.status >= 500 ? retryAfterSeconds(reply.headers) : undefined;
      if (wait === undefined || attempt >= retriesMax) return reply;
      await sleep(this.#options.clock, Math.max(0, wait) * 1000, { signal: call.signal });
    }
  }

  async #sent(service: WebhookClientConfig["service"], call: WebhookCall): Promise<WebhookReply> {
    const { handle, call: send } = this.#options;
    const handled = handle?.(call);
    if (handled !== undefined) return bounded(await handled, call);
    return await send(service === undefined ? call : { ...call, connectTo: await this.#addressOf(service) });
  }

  async #addressOf({ namespace, name, port = 443 }: NonNullable<WebhookClientConfig["service"]>): Promise<ServiceAddress> {
    const { resolveService, addressOf } = this.#options;
    const service: WebhookService = { namespace, name, port };
    return resolveService?.(service) ?? (await addressOf(service));
  }
}

function bounded(reply: WebhookReply, { responseBytesMax }: WebhookCall): WebhookReply {
  if (reply.body.length > responseBytesMax) throw responseTooLarge(responseBytesMax);
  return reply;
}

/** The URL as client-go builds it: the path without a trailing slash, and the timeout as a parameter. */
function urlOf({ url = "", service }: WebhookClientConfig, timeoutMs: number): string {
  const timeout = `?timeout=${Math.ceil(timeoutMs / 1000)}s`;
  if (service !== undefined)
    return `https://${service.name}.${service.namespace}.svc:${service.port ?? 443}${cleanPath(service.path ?? "")}${timeout}`;
  const [, start = "", path = ""] = /^([^:/]+:\/\/[^/?#]*)([^?#]*)/.exec(url) ?? [];
  return `${start}${cleanPath(path)}${timeout}`;
}

/** As Go's `path.Join("/", path)`. */
function cleanPath(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") kept.pop();
    else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  return `/${kept.join("/")}`;
}

/** A CA bundle is PEM in base64. */
function bundleOf(base64 = ""): string {
  try {
    return atob(base64).trim();
  } catch {
    return "";
  }
}

/** Returns the review in a response. Throws for error codes, and for anything else than a review. */
function reviewOf(wanted: GroupVersionKind, { status: code, headers, body }: WebhookReply): JsonObject {
  if (code < 200 || code > 206) {
    const status = statusFromResponse({ code, headers, body, method: "POST" });
    throw new WebhookCallError(status.message ?? "", { status });
  }
  if (body === "") {
    const type = headers["content-type"] ?? "application/json";
    throw new WebhookCallError(`0-length response with status code: ${code} and content type: ${String(type)}`);
  }
  const value = parsed(body);
  checkKind(wanted, value);
  return value;
}

const reviewVersions: readonly string[] = ["v1", "v1beta1"];

/** Throws for another kind. An absent kind or version counts as the right one here. */
function checkKind(wanted: GroupVersionKind, value: JsonObject): void {
  const [apiVersion, kind] = [textOf(value["apiVersion"]) || apiVersionOf(wanted), textOf(value["kind"]) || wanted.kind];
  if (apiVersion === apiVersionOf(wanted) && kind === wanted.kind) return;
  const found = groupVersionKindFrom(apiVersion, kind);
  const isReview = found.group === wanted.group && kind === wanted.kind && reviewVersions.includes(found.version);
  if (isReview || (apiVersion === "v1" && kind === "Status"))
    throw new WebhookCallError(`converting (${found.version}.${kind}) to (${wanted.version}.${wanted.kind}): unknown conversion`);
  throw new WebhookCallError(
    `no kind ${quoteGo(kind)} is registered for version ${quoteGo(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
  );
}

const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "");

function parsed(body: string): JsonObject {
  const found = valueOf(body);
  if (isJsonObject(found)) return found;
  const type = Array.isArray(found) ? "array" : typeof found === "boolean" ? "bool" : typeof found === "string" ? "string" : "number";
  throw new WebhookCallError(
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${type} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
  );
}

function valueOf(body: string): JsonValue {
  try {
    return decodeJson(body);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    // Anything that does not begin like an object is read as YAML, in which a text is a string.
    if (!body.trimStart().startsWith("{")) return body;
    throw new WebhookCallError(`couldn't get version/kind; json parse error: ${error.detail}`);
  }
}
