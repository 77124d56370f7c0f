/**
 * Reads of objects whose bodies may be evicted: from the cache, or through it from the server.
 *
 *     get(key) → BodyVersion.read → cached?
 *              → ReadFlights → VersionSource.get → judgeRead → cached again, passed on, gone, or asked again
 */
import { isApiError, isExpired, isTooLargeResourceVersion, sleep, withTimeout, abortable } from "@drover/machinery";
import { compareResourceVersions, budget, isComparableResourceVersion } from "@drover/machinery";
import type { Clock, DeepReadonly, KubeObject, ListOptions, Log, ObjectKey } from "@drover/machinery";
import { encodedObject } from "../source/content-digest.ts";
import type { ObjectVersion } from "../source/object-version.ts";
import { sameContent } from "../source/same-content.ts";
import type { VersionPage, VersionSource } from "../source/version-source.ts";
import type { BodyCache } from "./body-cache.ts";
import type { BodyMetrics, ReadOutcome } from "./body-metrics.ts";
import type { BodyVersion } from "./body-version.ts";
import { judgeRead } from "./read-verdict.ts";
import type { ReadFlights } from "./read-flights.ts";
import { StaleReadError, isStaleReadError } from "./stale-read-error.ts";

/** Options of one read. */
export interface ReadCall {
  /** Cancels the wait; the request is cancelled with the last reader. @default not cancelled */
  readonly signal?: AbortSignal;
}

/** What a read from the server brought: the object, and how. */
export interface Fetched<T extends KubeObject> {
  readonly object: DeepReadonly<T> | undefined;
  readonly outcome: ReadOutcome;
}

export interface BodyReaderOptions<T extends KubeObject> {
  readonly source: VersionSource<T>;
  readonly bodies: BodyCache;
  readonly flights: ReadFlights<Fetched<T>>;
  readonly metrics: BodyMetrics;
  readonly clock: Clock;
  readonly log: Log;
  /** Name of the informer in logs and errors. */
  readonly name: string;
  /** Returns what the informer has stored. */
  readonly known: (key: ObjectKey) => BodyVersion<T> | undefined;
  /** Version up to which the store is complete. */
  readonly version: () => string;
}

const requestMs = budget({
  name: "cache/body-request",
  limit: 30_000,
  unit: "milliseconds",
  atLimit: "The read of an evicted body rejects with a TimeoutError.",
  uncounted: "`informer_body_reads_total` counts it as an error.",
});

const attempts = budget({
  name: "cache/body-attempts",
  limit: 6,
  unit: "items",
  atLimit: "The read rejects with a StaleReadError: every answer was older than the cache.",
  uncounted: "`informer_body_reads_total` counts it as stale.",
});

/** Pause before the third request, doubled before each further one; the second follows at once, because it asks for the newest state. */
const pauseMs = 50;
/** Objects per page of a list. */
const pageSize = 500;
/** Reads of an index at once. */
const readAhead = 8;

/**
 * Guarantees: a result is of the uid that the cache listed and not older than the version that it knew when the read began; what is cached
 * is exactly the version that the cache knows.
 */
export class BodyReader<T extends KubeObject> {
  readonly #options: BodyReaderOptions<T>;

  constructor(options: BodyReaderOptions<T>) {
    this.#options = options;
  }

  /** Returns the object; undefined if the cache lists none, or the server has it no longer. */
  async get(key: ObjectKey, { signal }: ReadCall = {}): Promise<DeepReadonly<T> | undefined> {
    const { known, flights, metrics } = this.#options;
    signal?.throwIfAborted();
    const version = known(key);
    if (version === undefined) return undefined;
    const cached = version.read();
    if (cached !== undefined) {
      metrics.read("hit");
      return cached;
    }
    try {
      const { object, outcome } = await flights.join(key, (limited, landed) => this.#fetch(key, limited, landed), signal);
      metrics.read(outcome);
      return object;
    } catch (error) {
      metrics.read(isStaleReadError(error) ? "stale" : "error");
      throw error;
    }
  }

  /** Yields the objects of these keys in order, and leaves out those that are gone. Reads a few ahead. */
  async *each(keys: readonly ObjectKey[], { signal }: ReadCall = {}): AsyncGenerator<DeepReadonly<T>, void, undefined> {
    const over = new AbortController();
    const stop = (): void => over.abort(signal?.reason);
    signal?.throwIfAborted();
    signal?.addEventListener("abort", stop, { once: true });
    try {
      const ahead: Promise<DeepReadonly<T> | undefined>[] = [];
      for (let at = 0; at < keys.length || ahead.length > 0;) {
        for (; at < keys.length && ahead.length < readAhead; at++) {
          const read = this.get(keys[at] as ObjectKey, { signal: over.signal });
          // Reported when it is awaited, unless the caller has stopped before.
          read.catch(() => undefined);
          ahead.push(read);
        }
        const object = await ahead.shift();
        if (object !== undefined) yield object;
      }
    } finally {
      signal?.removeEventListener("abort", stop);
      over.abort(new DOMException("the iteration has ended", "AbortError"));
    }
  }

  /** Yields all objects from the server, page by page, at a state not older than the cache. */
  async *list({ signal = new AbortController().signal }: ReadCall = {}): AsyncGenerator<DeepReadonly<T>, void, undefined> {
    const { log, name } = this.#options;
    let token: string | undefined;
    do {
      const page = await (token === undefined ? this.#firstPage(signal) : this.#nextPage(token, signal));
      if (page.poison.length > 0)
        log.warn("objects of a list cannot be decoded, leaving them out", { informer: name, objects: page.poison.map(({ key }) => key) });
      for (const version of page.items) {
        signal.throwIfAborted();
        yield version.object;
      }
      token = page.continue;
    } while (token !== undefined);
  }

  async #firstPage(signal: AbortSignal): Promise<VersionPage<T>> {
    const { version, name } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const known = version();
      const page = await this.#page({}, signal);
      if (compareResourceVersions(page.resourceVersion, known) !== -1) return page;
      this.#options.metrics.repeated.add();
      if (attempt === attempts.limit)
        throw new StaleReadError(`list ${name}`, { known, answered: page.resourceVersion, attempts: attempt });
      await this.#pause(attempt, signal);
    }
  }

  async #nextPage(token: string, signal: AbortSignal): Promise<VersionPage<T>> {
    try {
      return await this.#page({ continue: token }, signal);
    } catch (error) {
      // The state of the first page is compacted: the server offers to go on with the newest one.
      const newer = isApiError(error) && isExpired(error) ? error.status.metadata?.continue : undefined;
      if (newer === undefined || newer === "") throw error;
      return this.#page({ continue: newer }, signal);
    }
  }

  #page(options: ListOptions, signal: AbortSignal): Promise<VersionPage<T>> {
    return this.#limited((limited) => this.#options.source.list({ ...options, limit: pageSize }, { signal: limited }), signal);
  }

  async #fetch(key: ObjectKey, signal: AbortSignal, landed: () => void): Promise<Fetched<T>> {
    const { known: stored, bodies, metrics, name } = this.#options;
    let answered: string | undefined;
    let isNewest = false;
    for (let attempt = 1; ; attempt++) {
      const known = stored(key);
      const cached = known?.read();
      if (known === undefined || cached !== undefined) {
        landed();
        return { object: cached, outcome: known === undefined ? "gone" : "hit" };
      }
      // Only the first question can be answered from what the server has cached; opaque versions cannot be asked for.
      isNewest = attempt > 1 || !isComparableResourceVersion(known.resourceVersion);
      const answer = await this.#ask(key, isNewest ? "" : known.resourceVersion, signal);
      const verdict =
        answer === "behind" ? "stale" : judgeRead({ known, now: stored(key), answer, isNewest, isSameContent: isSame(known, answer) });
      if (verdict === "keep" || verdict === "pass" || verdict === "gone") {
        const found = verdict === "gone" || answer === "behind" ? undefined : answer;
        if (verdict === "keep" && found !== undefined) keep(bodies, known, found);
        landed();
        return { object: found?.object, outcome: verdict === "gone" ? "gone" : verdict === "keep" ? "read" : "newer" };
      }
      metrics.repeated.add();
      if (answer !== "behind") answered = answer?.resourceVersion;
      if (attempt === attempts.limit)
        throw new StaleReadError(`read ${key} of ${name}`, { known: known.resourceVersion, answered, attempts: attempt });
      await this.#pause(attempt, signal);
    }
  }

  /** Returns the answer; "behind" if the server says that it has not reached this version. */
  async #ask(key: ObjectKey, resourceVersion: string, signal: AbortSignal): Promise<ObjectVersion<T> | undefined | "behind"> {
    const { source } = this.#options;
    try {
      return await this.#limited(async (limited) => source.get?.(key, { resourceVersion }, { signal: limited }), signal);
    } catch (error) {
      if (isTooLargeResourceVersion(error)) return "behind";
      throw error;
    }
  }

  #limited<V>(work: (signal: AbortSignal) => Promise<V>, signal: AbortSignal): Promise<V> {
    return withTimeout(this.#options.clock, requestMs.limit, (limited) => abortable(work(limited), limited), { signal });
  }

  async #pause(attempt: number, signal: AbortSignal): Promise<void> {
    if (attempt > 1) await sleep(this.#options.clock, pauseMs * 2 ** (attempt - 2), { signal });
  }
}

/** Asked only of equal versions: otherwise the content differs anyway. */
const isSame = (known: ObjectVersion, answer: ObjectVersion | undefined): boolean =>
  answer !== undefined && answer.resourceVersion === known.resourceVersion && sameContent(known, answer);

function keep<T extends KubeObject>(bodies: BodyCache, known: BodyVersion<T>, answer: ObjectVersion<T>): void {
  const { bytes, encoding } = encodedObject(answer);
  bodies.put(known, bytes, encoding);
  if (known.body === undefined) return;
  // It was read: it must not be evicted before those that were not read.
  known.body.isRead = true;
  known.body.seen = new WeakRef(answer.object);
}
