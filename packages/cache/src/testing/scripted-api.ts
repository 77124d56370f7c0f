/**
 * A small in-process API server for one kind of object: real bytes over a scripted transport, on a manual clock.
 *
 *     const api = new ScriptedApi({ clock, random });
 *     api.put({ metadata: { namespace: "shop", name: "web" } });
 *     createReflector({ source: listWatcher({ transport: api.transport, … }), … });
 *     api.cut();
 *
 * Every fault of a network or a server is a method. With `chances` faults occur at random, determined by the seed.
 */
import { TransportError } from "@drover/client";
import { jsonResponse, statusResponse } from "@drover/client/testing";
import {
  abortable,
  defaultListOptions,
  encodeJson,
  newBadRequest,
  newFailure,
  newGone,
  newInvalid,
  newMethodNotSupported,
  newNotFound,
  newResourceExpired,
  newTooLargeResourceVersion,
  newTooManyRequests,
  parseFieldSelector,
  parseListOptions,
  parseQuery,
  parseResourcePath,
  parseSelector,
  pick,
  validateListOptions,
} from "@drover/machinery";
import type {
  Clock,
  HttpRequest,
  HttpResponse,
  KubeObject,
  ListOptions,
  Random,
  ResourcePath,
  ResourceRow,
  Status,
  Transport,
} from "@drover/machinery";
import type { ScriptedChances } from "./scripted-chances.ts";
import { ScriptedHistory } from "./scripted-history.ts";
import type { Commit, HistorySnapshot, ScriptedObject } from "./scripted-history.ts";
import { ScriptedWatch } from "./scripted-watch.ts";

/** Options of a `ScriptedApi`. */
export interface ScriptedApiOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Resource that it serves. @default config maps */
  readonly resource?: ResourceRow;
  /** Whether it supports watch-list. @default true */
  readonly watchList?: boolean;
  /** Interval of bookmarks in milliseconds; `Infinity` for none. @default 60000 */
  readonly bookmarkMs?: number;
  /** Number of commits kept before compaction. @default 10000 */
  readonly commitsMax?: number;
  /** Response to a watch from before the history: a status, an event, or a silent close. @default "status" */
  readonly goneAs?: GoneForm;
}

/** Forms in which servers report that a version is too old; "silent" closes the stream without an event. */
export type GoneForm = "status" | "expired-event" | "gone-event" | "too-large-status" | "silent";

/** A parsed request. */
export interface ApiCall {
  readonly verb: "get" | "list" | "watch";
  readonly options: ListOptions;
  readonly path: ResourcePath;
  readonly atMs: number;
}

/** Replaces the response to a request; an `Error` is a failed connection, undefined means no fault. */
export type ApiFault = (call: ApiCall) => HttpResponse | Error | "hang" | undefined;

const configMaps: ResourceRow = { group: "", version: "v1", kind: "ConfigMap", plural: "configmaps", scope: "Namespaced" };

/** Guarantees: without faults, `transport` behaves like a correct server. */
export class ScriptedApi {
  /** Transport to this server. */
  readonly transport: Transport = (request) => this.#answer(request);
  /** All valid requests, in order. */
  readonly calls: ApiCall[] = [];
  /** Probabilities of random faults. */
  chances: ScriptedChances = {};
  goneAs: GoneForm;
  /** Whether to send the bookmark that ends the initial events. */
  endsInitialEvents = true;
  /** Whether to send a bookmark two seconds before a watch ends, as a real server does. */
  sendsLastBookmark = true;
  /** Maximum number of watches open at the same time. */
  openMax = 0;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #resource: ResourceRow;
  readonly #watchList: boolean;
  readonly #bookmarkMs: number;
  readonly #history: ScriptedHistory;
  #watches: ScriptedWatch[] = [];
  #faults: { readonly fault: ApiFault; left: number }[] = [];
  #lag = 0;
  #isLagBlind = false;

  constructor({
    clock,
    random,
    resource = configMaps,
    watchList = true,
    bookmarkMs = 60_000,
    commitsMax,
    goneAs = "status",
  }: ScriptedApiOptions) {
    this.#clock = clock;
    this.#random = random;
    this.#resource = resource;
    this.#watchList = watchList;
    this.#bookmarkMs = bookmarkMs;
    this.#history = new ScriptedHistory(commitsMax === undefined ? {} : { commitsMax });
    this.goneAs = goneAs;
  }

  /** Objects by "namespace/name". */
  get objects(): ReadonlyMap<string, ScriptedObject> {
    return this.#history.objects;
  }

  get revision(): number {
    return this.#history.revision;
  }

  /** Open watches, as far as the server knows. */
  get watches(): readonly ScriptedWatch[] {
    this.#watches = this.#watches.filter((watch) => watch.isOpen);
    return this.#watches;
  }

  count(verb: ApiCall["verb"]): number {
    return this.calls.filter((call) => call.verb === verb).length;
  }

  /** Creates or replaces an object; it keeps its uid until it is deleted. */
  put(object: KubeObject & { readonly data?: Readonly<Record<string, string>> }): Commit {
    const commit = this.#history.put(object);
    this.#deliver();
    return commit;
  }

  /** Deletes an object. Returns false if there is none. */
  remove(key: string): boolean {
    const commit = this.#history.remove(key);
    this.#deliver();
    return commit !== undefined;
  }

  /** Advances the revision, as writes to other kinds do. */
  skip(count = 1): void {
    this.#history.skip(count);
  }

  /** Loses the events of writes within `work`: lists have the objects, open watches never get the events. */
  unseen(write: () => void): void {
    const from = this.#history.revision;
    const { watches } = this;
    this.#watches = [];
    write();
    for (const watch of watches) if (watch.revision >= from) watch.skipTo(this.#history.revision);
    this.#watches = [...watches];
  }

  /** Breaks every connection. */
  cut(): void {
    for (const watch of this.watches) watch.cut();
  }

  /** Closes every watch normally. */
  close(): void {
    for (const watch of this.watches) watch.close();
  }

  /** Makes every open connection half-open: it stays open and sends nothing. */
  halfOpen(): void {
    for (const watch of this.watches) watch.halfOpen();
  }

  /** Sends bytes into every watch. */
  raw(chunk: string | Uint8Array): void {
    for (const watch of this.watches) watch.raw(chunk);
  }

  /** Compacts the history. Open watches continue. */
  compact(): void {
    // Deliver pending commits to a lagging server now; it could not send them later.
    this.#deliver(this.#history.revision);
    this.#history.compact();
  }

  /** Breaks every connection and compacts the history, like a restarted server. */
  restart(): void {
    this.cut();
    this.#history.compact();
  }

  snapshot(): HistorySnapshot {
    return this.#history.snapshot();
  }

  /** Breaks every connection and restores a snapshot, including versions. */
  restore(snapshot: HistorySnapshot): void {
    this.cut();
    this.#history.restore(snapshot);
  }

  /**
   * Serves further requests this many revisions behind. A correct server still returns the newest state for version ""; a `blind` one does
   * not notice that it is behind.
   */
  lagBy(revisions: number, { blind = false }: { readonly blind?: boolean } = {}): void {
    this.#lag = revisions;
    this.#isLagBlind = blind;
    this.#deliver();
  }

  /** Adds faults for the next requests; later ones apply first. */
  fault(fault: ApiFault, { times = 1 }: { readonly times?: number } = {}): void {
    this.#faults.push({ fault, left: times });
  }

  /** Cancels pending faults. */
  repair(): void {
    this.#faults = [];
    this.chances = {};
    this.lagBy(0);
  }

  #visible(): number {
    return Math.max(this.#history.compacted, this.#history.revision - this.#lag);
  }

  #deliver(upTo: number = this.#visible()): void {
    for (const watch of this.watches) for (const commit of this.#history.between(watch.revision, upTo)) watch.deliver(commit);
  }

  async #answer(request: HttpRequest): Promise<HttpResponse> {
    request.signal?.throwIfAborted();
    // A response never arrives before the next turn.
    await Promise.resolve();
    const call = this.#understand(request);
    if (!("verb" in call)) return statusResponse(call);
    this.calls.push(call);
    const fault = this.#fault(call);
    if (fault instanceof Error) throw fault;
    if (fault === "hang") return hang(request.signal);
    if (fault !== undefined) return fault;
    if (call.verb === "get") return this.#get(call);
    return call.verb === "watch" ? this.#watch(call, request.signal) : this.#list(call);
  }

  #understand({ method, path: whole }: HttpRequest): ApiCall | Status {
    const [pathname = "", query = ""] = whole.split("?", 2);
    const path = parseResourcePath(pathname);
    const { group, version, plural } = this.#resource;
    if (path?.group !== group || path.version !== version || path.resource !== plural)
      return newFailure(404, "NotFound", "the server could not find the requested resource");
    if (method !== "GET") return newMethodNotSupported({ group, resource: plural }, method);
    const parsed = parseListOptions(parseQuery(query));
    if (path.name !== undefined) return { verb: "get", options: parsed, path, atMs: this.#clock.monotonic() };
    const options = this.#watchList ? defaultListOptions(parsed) : parsed;
    const errors = validateListOptions(options, { watchList: this.#watchList });
    if (errors.length > 0) return newInvalid({ group: "meta.k8s.io", kind: "ListOptions" }, "", errors);
    return { verb: options.watch === true ? "watch" : "list", options, path, atMs: this.#clock.monotonic() };
  }

  #fault(call: ApiCall): ReturnType<ApiFault> {
    for (const entry of this.#faults.toReversed()) {
      const answer = entry.fault(call);
      if (answer === undefined) continue;
      if (--entry.left <= 0) this.#faults = this.#faults.filter((other) => other !== entry);
      return answer;
    }
    const { refuse = 0, status = 0 } = this.chances;
    if (this.#happens(refuse)) return refused();
    if (this.#happens(status)) return statusResponse(pick(this.#random, refusals));
    return undefined;
  }

  #get({ options: { resourceVersion = "" }, path: { namespace, name = "" } }: ApiCall): HttpResponse {
    const { group, version, kind, plural } = this.#resource;
    const seen = resourceVersion === "" && !this.#isLagBlind ? this.#history.revision : this.#visible();
    if (resourceVersion !== "" && !this.#isLagBlind && Number(resourceVersion) > seen)
      return statusResponse(newTooLargeResourceVersion(resourceVersion, String(seen), 1));
    const object = this.#history.at(seen).get(namespace === undefined ? name : `${namespace}/${name}`);
    if (object === undefined) return statusResponse(newNotFound({ group, resource: plural }, name));
    return jsonResponse({ kind, apiVersion: group === "" ? version : `${group}/${version}`, ...object });
  }

  #list({ options, path }: ApiCall): HttpResponse {
    const { group, version, kind } = this.#resource;
    const chosen = this.#listRevision(options);
    if (typeof chosen !== "number") return statusResponse(chosen);
    const matches = matcher(options, path);
    const after = options.continue?.slice(options.continue.indexOf("/") + 1) ?? "";
    const objects = [...this.#history.at(chosen)]
      .filter(([key, object]) => key > after && matches(object))
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    const page = options.limit === undefined ? objects : objects.slice(0, options.limit);
    const last = page.at(-1)?.[0];
    const more =
      page.length < objects.length && last !== undefined
        ? { continue: `${chosen}/${last}`, remainingItemCount: objects.length - page.length }
        : {};
    const list = {
      kind: `${kind}List`,
      apiVersion: group === "" ? version : `${group}/${version}`,
      metadata: { resourceVersion: String(chosen), ...more },
      items: page.map(([, object]) => object),
    };
    return this.#happens(this.chances.cutList ?? 0) ? brokenOff(list, this.#random) : jsonResponse(list);
  }

  /** Returns the revision of a list, or an error status. */
  #listRevision({ resourceVersion = "", resourceVersionMatch, limit, continue: token }: ListOptions): number | Status {
    if (token !== undefined) {
      const revision = Number(token.slice(0, token.indexOf("/")));
      if (!Number.isSafeInteger(revision)) return newBadRequest("continue key is not valid");
      return revision < this.#history.compacted
        ? newResourceExpired("The provided continue parameter is too old to display a consistent list result.")
        : revision;
    }
    const seen = this.#visible();
    if (resourceVersion === "") return this.#isLagBlind ? seen : this.#history.revision;
    const asked = Number(resourceVersion);
    if (asked > seen) return newTooLargeResourceVersion(resourceVersion, String(seen), 1);
    if (resourceVersionMatch !== "Exact" && (resourceVersionMatch !== undefined || limit === undefined || asked === 0)) return seen;
    return asked < this.#history.compacted ? newResourceExpired(`The resourceVersion for the provided list is too old.`) : asked;
  }

  #watch({ options, path }: ApiCall, signal: AbortSignal | undefined): HttpResponse {
    const { resourceVersion = "", sendInitialEvents = false, timeoutSeconds = 1800, allowWatchBookmarks = false } = options;
    const { group, version, kind } = this.#resource;
    const fromTheBeginning = sendInitialEvents || resourceVersion === "" || resourceVersion === "0";
    const seen = resourceVersion === "" && !this.#isLagBlind ? this.#history.revision : this.#visible();
    const asked = Number(resourceVersion);
    if (fromTheBeginning && asked > seen) return statusResponse(newTooLargeResourceVersion(resourceVersion, String(seen), 1));
    const isGone = !fromTheBeginning && asked < this.#history.compacted;
    if (isGone && (this.goneAs === "status" || this.goneAs === "too-large-status"))
      return statusResponse(goneStatus(this.goneAs, resourceVersion, seen));
    const watch = new ScriptedWatch({
      clock: this.#clock,
      random: this.#random,
      chances: () => this.chances,
      matches: matcher(options, path),
      signal,
      apiVersion: group === "" ? version : `${group}/${version}`,
      kind,
      revision: fromTheBeginning ? seen : asked,
    });
    if (isGone) {
      if (this.goneAs !== "silent") watch.send("ERROR", { ...goneStatus(this.goneAs, resourceVersion, seen) });
      watch.close();
      return watch.response;
    }
    this.#watches = [...this.watches, watch];
    this.openMax = Math.max(this.openMax, this.#watches.length);
    if (fromTheBeginning) this.#sendState(watch, seen, matcher(options, path), sendInitialEvents);
    else this.#replay(watch, asked);
    this.#deliver();
    watch.endAfter(timeoutSeconds * 1000);
    if (allowWatchBookmarks) watch.bookmarkEvery(this.#bookmarkMs, () => this.#visible());
    if (allowWatchBookmarks && this.sendsLastBookmark && timeoutSeconds > 2)
      watch.bookmarkOnce((timeoutSeconds - 2) * 1000, () => this.#visible());
    return watch.response;
  }

  #sendState(watch: ScriptedWatch, revision: number, matches: (object: ScriptedObject) => boolean, withEnd: boolean): void {
    for (const object of this.#history.at(revision).values()) if (matches(object)) watch.send("ADDED", object);
    if (withEnd && this.endsInitialEvents) watch.bookmark(String(revision), { endsInitialEvents: true });
  }

  #replay(watch: ScriptedWatch, revision: number): void {
    if (!this.#happens(this.chances.replay ?? 0)) return;
    for (const commit of this.#history.between(0, revision).slice(-1 - this.#random.int(10))) watch.replay(commit);
  }

  #happens(chance: number): boolean {
    return chance > 0 && this.#random.next() < chance;
  }
}

/** Returns the error of a refused connection. */
export function refused(): TransportError {
  return new TransportError("the server refused the connection", { reason: "refused", sent: "no", code: "ECONNREFUSED" });
}

const refusals: readonly Status[] = [
  newFailure(401, "Unauthorized", "Unauthorized"),
  newFailure(403, "Forbidden", "not allowed"),
  newFailure(404, "NotFound", "the server could not find the requested resource"),
  newResourceExpired("too old resource version"),
  newTooManyRequests("too many requests, please try again later", 1),
  newFailure(500, "InternalError", "etcd is away"),
  newFailure(502, "", "bad gateway"),
  newFailure(503, "ServiceUnavailable", "no endpoints available"),
  newFailure(504, "Timeout", "the request did not complete in time"),
];

function goneStatus(form: GoneForm, asked: string, current: number): Status {
  if (form === "too-large-status") return newTooLargeResourceVersion(asked, String(current), 1);
  return form === "gone-event"
    ? newGone("too old resource version")
    : newResourceExpired(`too old resource version: ${asked} (${current})`);
}

function matcher(
  { labelSelector = "", fieldSelector = "" }: ListOptions,
  { namespace }: ResourcePath,
): (object: ScriptedObject) => boolean {
  const labels = parseSelector(labelSelector);
  const fields = parseFieldSelector(fieldSelector);
  return ({ metadata }) =>
    (namespace === undefined || metadata.namespace === namespace) &&
    labels.matches(metadata.labels ?? {}) &&
    fields.matches({ "metadata.name": metadata.name ?? "", "metadata.namespace": metadata.namespace ?? "" });
}

function hang(signal: AbortSignal | undefined): Promise<HttpResponse> {
  const never = new Promise<HttpResponse>(() => undefined);
  return signal === undefined ? never : abortable(never, signal);
}

function brokenOff(value: unknown, random: Random): HttpResponse {
  const bytes = new TextEncoder().encode(encodeJson(value));
  const part = bytes.subarray(0, random.int(bytes.length));
  return {
    ...jsonResponse({}),
    body: (async function* () {
      yield part;
      throw new TransportError("the server reset the connection", { reason: "reset", sent: "maybe" });
    })(),
  };
}
