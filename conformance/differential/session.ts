/**
 * Sends the requests of one probe and records the answers.
 *
 *     probes/*.ts → ProbeSession → Transport;  ProbeSession.exchanges → mask.ts
 */
import { setTimeout as delay } from "node:timers/promises";
import type { HttpBody, HttpHeaders, HttpResponse, JsonObject, JsonValue, Transport } from "@drover/machinery";
import { isJsonObject } from "@drover/machinery";
import { versionOf } from "./exchange.ts";
import type { Answer, Exchange, RecordedHeaders } from "./exchange.ts";

export interface StepOptions {
  /** In addition to, or instead of, the headers of every request. @default none */
  readonly headers?: HttpHeaders;
  /** Records the body as text, also if it is JSON. @default false */
  readonly raw?: boolean;
  /** The part of the body to record. @default all of it */
  readonly view?: (body: JsonValue) => JsonValue;
}

export interface ProbeRequest extends StepOptions {
  readonly method: string;
  readonly path: string;
  /** Text and bytes are sent unchanged, anything else as JSON. @default none */
  readonly body?: JsonValue | Uint8Array;
}

export interface WatchStepOptions extends StepOptions {
  /** Ends the watch after this many events. @default the server ends it */
  readonly count?: number;
  /** Called while the watch is open. @default nothing */
  readonly during?: () => Promise<unknown>;
}

/** The four kinds of patches, by their short names. */
export const patchTypes = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const satisfies Readonly<Record<string, string>>;

/** The server a probe runs on. */
export interface ProbeTarget {
  /** Sends a request as administrator unless it has its own `authorization`; "" there means anonymous. */
  readonly handle: Transport;
  /** Makes the server forget every version but the current one. */
  readonly compact: () => Promise<void>;
}

const recordedHeaders: readonly string[] = [
  "content-type",
  "warning",
  "retry-after",
  "location",
  "allow",
  "etag",
  "vary",
  "cache-control",
  "content-encoding",
  "www-authenticate",
  "accept-post",
  "accept-patch",
];
const settleTimeoutMs = 30_000;

/** One run of one probe. */
export class ProbeSession {
  /** The probe's own namespace, which exists before it starts. */
  readonly namespace: string;
  /** The group of the kinds that the probe defines. */
  readonly group: string;
  /** All answers so far. */
  readonly exchanges: Exchange[] = [];
  /** Every version that an answer had, recorded or not. */
  readonly versions: string[] = [];
  readonly #target: ProbeTarget;

  constructor(target: ProbeTarget, id: string) {
    this.#target = target;
    this.namespace = id;
    this.group = `${id}.example.com`;
  }

  /** A path in the probe's namespace: `in("pods")`, `in("pods", "a", "status")`, `in("apps/v1/deployments", "a")`. */
  in(resource: string, ...names: readonly string[]): string {
    return this.#path(resource, `/namespaces/${this.namespace}`, names);
  }

  /** A path outside namespaces, or across all of them. */
  all(resource: string, ...names: readonly string[]): string {
    return this.#path(resource, "", names);
  }

  #path(resource: string, scope: string, names: readonly string[]): string {
    const [first = "", version, plural] = resource.split("/");
    const root = version === undefined ? "/api/v1" : `/apis/${first}/${version}`;
    return [`${root}${scope}`, plural ?? first, ...names].join("/");
  }

  get(path: string, options: StepOptions = {}): Promise<Answer> {
    return this.send({ method: "GET", path, ...options });
  }

  post(path: string, body: JsonValue | Uint8Array, options: StepOptions = {}): Promise<Answer> {
    return this.send({ method: "POST", path, body, ...options });
  }

  put(path: string, body: JsonValue, options: StepOptions = {}): Promise<Answer> {
    return this.send({ method: "PUT", path, body, ...options });
  }

  patch(type: keyof typeof patchTypes, path: string, body: JsonValue, options: StepOptions = {}): Promise<Answer> {
    return this.send({ method: "PATCH", path, body, ...options, headers: { "content-type": patchTypes[type], ...options.headers } });
  }

  /** Server-side apply by a manager; `query` is appended to the query: "&force=true". */
  apply(path: string, fieldManager: string, body: JsonValue, query = ""): Promise<Answer> {
    return this.patch("apply", `${path}?fieldManager=${fieldManager}${query}`, body);
  }

  delete(path: string, body?: JsonValue, options: StepOptions = {}): Promise<Answer> {
    return this.send({ method: "DELETE", path, ...(body === undefined ? {} : { body }), ...options });
  }

  /** Sends one request and records the answer. */
  async send(request: ProbeRequest): Promise<Answer> {
    const answer = await this.#exchange(request);
    this.#record(request, answer);
    return answer;
  }

  /** Repeats a request until its answer is as wanted, because the server may need a moment, and records only that answer. */
  async until(request: Omit<ProbeRequest, "method"> & { readonly method?: string }, holds: (answer: Answer) => boolean): Promise<Answer> {
    const { answer, full } = await this.#settled(request, holds);
    this.#record(full, answer);
    return answer;
  }

  /** The same, and records nothing. */
  async settle(request: Omit<ProbeRequest, "method"> & { readonly method?: string }, holds: (answer: Answer) => boolean): Promise<Answer> {
    return (await this.#settled(request, holds)).answer;
  }

  async #settled(
    request: Omit<ProbeRequest, "method"> & { readonly method?: string },
    holds: (answer: Answer) => boolean,
  ): Promise<{ readonly answer: Answer; readonly full: ProbeRequest }> {
    const full = { method: "GET", ...request };
    const deadline = performance.now() + settleTimeoutMs;
    for (;;) {
      const answer = await this.#exchange(full);
      if (holds(answer) || performance.now() > deadline) return { answer, full };
      await delay(20);
    }
  }

  /** Sends a request that the probe needs but is not about: records nothing, and fails when the server refuses. */
  async quietly(method: string, path: string, body?: JsonValue): Promise<Answer> {
    const headers = method === "PATCH" ? { headers: { "content-type": patchTypes.merge } } : {};
    const answer = await this.#exchange({ method, path, ...(body === undefined ? {} : { body }), ...headers });
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  /** Records a relation between answers. */
  fact(fact: string, value: JsonValue): void {
    this.exchanges.push({ fact, value });
  }

  /** Makes the server forget old versions. */
  compact(): Promise<void> {
    return this.#target.compact();
  }

  /** Opens a watch, records its events until there are enough or the server ends it, and returns them. */
  async watch(path: string, { count = Infinity, during, headers, view }: WatchStepOptions = {}): Promise<JsonObject[]> {
    const place = this.exchanges.push({ fact: "a watch is open", value: path }) - 1;
    const stop = new AbortController();
    const request = {
      method: "GET",
      path: `${path}${/[?&]timeoutSeconds=/.test(path) ? "" : `${path.includes("?") ? "&" : "?"}timeoutSeconds=10`}`,
      ...(headers === undefined ? {} : { headers }),
    };
    const response = await this.#open(request, stop.signal);
    const recorded = { request: `WATCH ${request.path}`, status: response.status, headers: headersOf(response.headers) };
    if (response.status !== 200) {
      this.exchanges[place] = { ...recorded, body: bodyOf(await text(response.body), {}) };
      await during?.();
      return [];
    }
    const events: JsonObject[] = [];
    const reading = this.#read(response, { events, count, stop });
    await during?.();
    const ended = await reading;
    this.exchanges[place] = { ...recorded, events: events.map((event) => (view === undefined ? event : view(event))), ended };
    return events;
  }

  /** Whether the server ended the stream. */
  async #read(
    response: HttpResponse,
    { events, count, stop }: { readonly events: JsonObject[]; readonly count: number; readonly stop: AbortController },
  ): Promise<boolean> {
    try {
      for await (const line of lines(response.body)) {
        const event = JSON.parse(line) as JsonObject;
        if (isTimedBookmark(event)) continue;
        events.push(event);
        if (events.length < count) continue;
        stop.abort();
        return false;
      }
      return true;
    } catch (error) {
      if (stop.signal.aborted) return false;
      throw error;
    }
  }

  async #exchange(request: ProbeRequest): Promise<Answer> {
    const response = await this.#open(request);
    const body = bodyOf(await text(response.body), request);
    this.versions.push(versionOf({ body }));
    const auditId = request.headers?.["audit-id"] === undefined ? undefined : response.headers["audit-id"];
    return {
      status: response.status,
      headers: { ...headersOf(response.headers), ...(auditId === undefined ? {} : { "audit-id": auditId }) },
      body,
    };
  }

  #record(request: ProbeRequest, { status, headers, body }: Answer): void {
    this.exchanges.push({
      request: `${request.method} ${request.path}`,
      status,
      headers,
      body: request.view === undefined ? body : request.view(body),
    });
  }

  #open({ method, path, headers, body }: ProbeRequest, signal?: AbortSignal): Promise<HttpResponse> {
    const payload = body === undefined || typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
    const common = {
      "user-agent": "differential",
      accept: "application/json",
      ...(payload === undefined ? {} : { "content-type": "application/json" }),
    };
    const all = Object.fromEntries(
      Object.entries({ ...common, ...headers }).filter(([name, value]) => value !== "" || name === "authorization"),
    );
    return this.#target.handle({
      method,
      path,
      headers: all,
      ...(payload === undefined ? {} : { body: payload }),
      ...(signal === undefined ? {} : { signal }),
    });
  }
}

function headersOf(headers: HttpHeaders): RecordedHeaders {
  return Object.fromEntries(
    recordedHeaders.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, name === "warning" ? [value].flat() : value]];
    }),
  );
}

async function text(body: HttpBody): Promise<string> {
  if (typeof body === "string") return body;
  if (body instanceof Uint8Array) return Buffer.from(body).toString("utf8");
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

function bodyOf(content: string, { raw = false }: Pick<StepOptions, "raw">): JsonValue {
  if (raw) return content;
  try {
    return JSON.parse(content) as JsonValue;
  } catch {
    return content;
  }
}

async function* lines(body: HttpBody): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  const chunks = typeof body === "string" || body instanceof Uint8Array ? [body] : body;
  for await (const chunk of chunks) {
    rest += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    const whole = rest.split("\n");
    rest = whole.pop() ?? "";
    for (const line of whole) if (line.trim() !== "") yield line;
  }
  if (rest.trim() !== "") yield rest;
}

function isTimedBookmark({ type, object }: JsonObject): boolean {
  if (type !== "BOOKMARK") return false;
  const metadata = isJsonObject(object) ? object["metadata"] : undefined;
  const annotations = isJsonObject(metadata) ? metadata["annotations"] : undefined;
  // A bookmark in a table is a row; its object has the annotation that ends the initial events.
  const isMark = isJsonObject(annotations)
    ? Object.hasOwn(annotations, "k8s.io/initial-events-end")
    : JSON.stringify(object).includes("k8s.io/initial-events-end");
  return !isMark;
}
