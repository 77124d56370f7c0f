/**
 * Keeps a sink in sync with one collection on the server: lists, watches, and relists when the watch cannot be resumed.
 *
 *     VersionSource → Reflector → ReflectorSink
 *     KeptSource ────────┘ instead of the first list
 *
 * reflector-state.ts decides what to do next, reflector-failure.ts classifies errors, and reflector-progress.ts decides whether an event
 * may follow the previous one. This file does the waiting.
 */
import { abortable, compareResourceVersions, guardRuntime, sleep } from "@drover/machinery";
import type { KubeObject, ListOptions, Runtime } from "@drover/machinery";
import type { KeptSource } from "./kept-source.ts";
import type { ObjectVersion } from "../source/object-version.ts";
import { RelistAsked, failureOf } from "./reflector-failure.ts";
import { ReflectorIngest } from "./reflector-ingest.ts";
import { ReflectorJournal } from "./reflector-journal.ts";
import { listSnapshot } from "./reflector-pages.ts";
import type { ReflectorSink } from "./reflector-sink.ts";
import { initialReflectorState, isReflectorAction, stepReflector } from "./reflector-state.ts";
import type { ReflectorAction, ReflectorInput, ReflectorNotice, ReflectorRules, ReflectorState } from "./reflector-state.ts";
import type { ReflectorStatus } from "./reflector-status.ts";
import { ReflectorStream } from "./reflector-stream.ts";
import type { VersionSource } from "../source/version-source.ts";
import { collectInitialEvents } from "./watch-list.ts";
import type { WatchListMemory } from "./watch-list-memory.ts";

/** Options of `createReflector`. */
export interface ReflectorOptions<T extends KubeObject> {
  readonly source: VersionSource<T>;
  readonly sink: ReflectorSink<T>;
  readonly runtime: Pick<Runtime, "clock" | "random" | "log" | "metrics">;
  /** Name in logs and metrics. @default the source's description */
  readonly name?: string;
  /** Objects per page of a list; 0 requests all at once. @default 500 */
  readonly pageSize?: number;
  /**
   * Resource version of the first paged list. "" is the newest state. "0" is any state that the server has cached: cheaper, but it may be
   * older than what this program saw before a restart; client-go uses it.
   * @default ""
   */
  readonly firstResourceVersion?: "" | "0";
  /** Minimum requested duration of a watch in seconds; each requests up to twice as long, at random. At least 300. @default 300 */
  readonly watchTimeoutMinSeconds?: number;
  /** Maximum pause in milliseconds within the initial events of a watch-list before the reflector falls back to pages. @default 30000 */
  readonly initialEventsPatienceMs?: number;
  /** Shares between reflectors which servers do not support watch-list. @default not shared */
  readonly watchListMemory?: WatchListMemory;
  /** Key in `watchListMemory`. @default the source's description */
  readonly watchListKey?: string;
  /**
   * State of an earlier process to start with; needs a sink with `caughtUp`. Synced then means, as after a list, at least as new as the
   * server at the start. @default starts with a list
   */
  readonly kept?: KeptSource<T>;
  /** Called with every failed list or watch. It cannot stop the reflector; its own errors are logged. @default no callback */
  readonly watchErrorHandler?: (error: unknown) => void;
}

/**
 * Guarantees: within one history of the server the sink only moves forward; at most one request is open; no error ends it.
 */
export interface Reflector {
  /** Lists and watches until the signal aborts, then resolves. Rejects only because of a bug. Call it once. */
  run(signal: AbortSignal): Promise<void>;
  state(): ReflectorStatus;
  /** Reports whether the sink has received the whole state once. */
  hasSynced(): boolean;
  /** Returns the resource version up to which the sink is complete; "" before the first list. */
  lastSyncResourceVersion(): string;
  /** Relists the newest state as soon as possible; does nothing while a list is running. */
  relist(why: string): void;
}

/** Returns a reflector; it does nothing until `run`. */
export function createReflector<T extends KubeObject>(options: ReflectorOptions<T>): Reflector {
  const loop = new ReflectorLoop({ ...options, runtime: guardRuntime(options.runtime) });
  return {
    run: (signal) => loop.run(signal),
    state: () => loop.status(),
    hasSynced: () => loop.hasSynced,
    lastSyncResourceVersion: () => loop.version,
    relist: (why) => loop.relist(why),
  };
}

/** More than the duration of the watch with which a reflector catches up. */
const catchUpMs = 5000;

/** An input without the time and the random number, which the loop adds. */
type Outcome = ReflectorInput extends infer Input ? (Input extends ReflectorInput ? Omit<Input, "nowMs" | "chance"> : never) : never;

class ReflectorLoop<T extends KubeObject> {
  readonly #options: ReflectorOptions<T>;
  readonly #rules: ReflectorRules;
  readonly #journal: ReflectorJournal;
  readonly #ingest: ReflectorIngest<T>;
  readonly #watchListKey: string;
  #state: ReflectorState;
  #run: AbortSignal | undefined;
  #stream: ReflectorStream<T> | undefined;
  #rest: AbortController | undefined;
  /** Whether the sink accepted the last list. */
  #isSinkWell = true;
  /** Fetched state that no effect has used yet. */
  #snapshot: readonly ObjectVersion<T>[] = [];

  constructor(options: ReflectorOptions<T>) {
    const {
      source,
      runtime,
      name = source.description,
      firstResourceVersion = "",
      watchTimeoutMinSeconds = 300,
      watchListKey = source.description,
      watchListMemory,
      watchErrorHandler,
    } = options;
    if (options.kept !== undefined && options.sink.caughtUp === undefined)
      throw new TypeError(`reflector of ${name}: kept needs a sink with caughtUp, which learns when a restored state is current`);
    this.#options = options;
    this.#rules = { firstVersion: firstResourceVersion, watchTimeoutMinSeconds };
    this.#journal = new ReflectorJournal({ runtime, name, onError: watchErrorHandler });
    this.#ingest = new ReflectorIngest({ sink: options.sink, clock: runtime.clock, journal: this.#journal });
    this.#watchListKey = watchListKey;
    const putOffMs = watchListMemory?.remainingMs(watchListKey) ?? 0;
    this.#state = initialReflectorState(source.supportsWatchList ? runtime.clock.monotonic() + putOffMs : Infinity);
  }

  get hasSynced(): boolean {
    return this.#state.hasSynced;
  }

  get version(): string {
    return this.#ingest.version;
  }

  status(): ReflectorStatus {
    return this.#journal.status(this.#state, this.version);
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#run !== undefined)
      throw new Error(`reflector of ${this.#options.source.description}: run was called twice; create a new reflector for a second run`);
    this.#run = signal;
    try {
      const { kept } = this.#options;
      let action = kept === undefined ? this.#step({ kind: "start" }) : await this.#startWith(kept, signal);
      while (!signal.aborted) {
        const outcome = await this.#perform(action, signal);
        if (signal.aborted) break;
        action = this.#step(outcome);
      }
    } finally {
      this.#endStream(signal.reason);
      this.#ingest.close();
      this.#journal.entered("stopped");
    }
  }

  /** Loads the state of an earlier process, if there is one. */
  async #startWith(store: NonNullable<ReflectorOptions<T>["kept"]>, signal: AbortSignal): Promise<ReflectorAction> {
    const kept = await store.load(signal).catch(() => undefined);
    if (kept === undefined) return this.#step({ kind: "start" });
    this.#snapshot = kept.versions;
    return this.#step({ kind: "start", kept: kept.resourceVersion });
  }

  relist(why: string): void {
    const asked = new RelistAsked(`relist requested: ${why}`);
    const { kind } = this.#state.phase;
    if (kind === "watching" || kind === "catching-up") this.#stream?.end(asked);
    if (kind === "backing-off") this.#rest?.abort(asked);
  }

  #step(outcome: Outcome): ReflectorAction {
    const { clock, random } = this.#options.runtime;
    const [state, effects] = stepReflector(this.#state, { ...outcome, nowMs: clock.monotonic(), chance: random.next() }, this.#rules);
    this.#state = state;
    this.#journal.entered(state.phase.kind);
    let action: ReflectorAction = { kind: "follow" };
    for (const effect of effects) {
      if (isReflectorAction(effect)) action = effect;
      else this.#notice(effect);
    }
    return action;
  }

  #notice(notice: ReflectorNotice): void {
    switch (notice.kind) {
      case "replace":
        this.#isSinkWell = this.#ingest.replace(this.#snapshot, notice.version, notice);
        this.#snapshot = [];
        break;
      case "restore":
        this.#isSinkWell = this.#ingest.replace(this.#snapshot, notice.version, { isNewEpoch: false, isRestored: true });
        this.#snapshot = [];
        this.#options.kept?.used(notice.next);
        break;
      case "caught-up":
        this.#ingest.caughtUp();
        break;
      case "drop-kept":
        this.#snapshot = [];
        this.#options.kept?.used("dropped", notice.why);
        break;
      case "new-epoch":
        this.#journal.newEpoch(notice.from, notice.to);
        break;
      case "refused-list":
        this.#snapshot = [];
        this.#journal.refusedList(notice.version, notice.have);
        break;
      case "watch-list-put-off":
        this.#options.watchListMemory?.putOff(this.#watchListKey, notice.untilMs - this.#options.runtime.clock.monotonic());
        this.#journal.watchListPutOff();
        break;
    }
  }

  async #perform(action: ReflectorAction, signal: AbortSignal): Promise<Outcome> {
    // The sink's content is unknown, so back off and relist.
    if (!this.#isSinkWell && (action.kind === "watch" || action.kind === "catch-up" || action.kind === "follow"))
      return { kind: "watch-ended", progressed: false, failure: { kind: "other", retryAfterMs: 0 } };
    if (action.kind !== "follow" && this.#stream !== undefined)
      this.#endStream(new DOMException("the reflector ended this stream", "AbortError"));
    switch (action.kind) {
      case "wait":
        return this.#wait(action.delayMs, signal);
      case "list":
        return action.by === "pages" ? this.#listPages(action, signal) : this.#listByWatch(action, signal);
      case "probe":
        return this.#probe(signal);
      case "catch-up":
        return this.#catchUp(action, signal);
      case "watch":
        return this.#watch(action, signal);
      case "follow":
        break;
    }
    return this.#follow();
  }

  async #wait(delayMs: number, signal: AbortSignal): Promise<Outcome> {
    const rest = new AbortController();
    const follow = (): void => rest.abort(signal.reason);
    signal.addEventListener("abort", follow, { once: true });
    this.#rest = rest;
    try {
      await sleep(this.#options.runtime.clock, delayMs, { signal: rest.signal });
      return { kind: "waited" };
    } catch {
      // Only an abort, after which the outcome does not matter, or a requested relist.
      return { kind: "asked" };
    } finally {
      signal.removeEventListener("abort", follow);
      this.#rest = undefined;
    }
  }

  async #listPages(action: ReflectorAction & { readonly kind: "list" }, signal: AbortSignal): Promise<Outcome> {
    const { source, pageSize = 500 } = this.#options;
    this.#journal.listBegins();
    try {
      const listed = listSnapshot(source, versionOptions(action.resourceVersion), pageSize, { signal });
      const { objects, resourceVersion, poison } = await abortable(listed, signal);
      for (const report of poison) this.#journal.poisoned(report);
      return this.#listed(objects, resourceVersion);
    } catch (error) {
      return this.#listFailed(error, "request", signal);
    }
  }

  async #listByWatch(
    { resourceVersion, timeoutSeconds }: ReflectorAction & { readonly kind: "list" },
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { source, runtime, initialEventsPatienceMs: patienceMs = 30_000 } = this.#options;
    this.#journal.listBegins();
    const stream = this.#open(
      source,
      { resourceVersion, resourceVersionMatch: "NotOlderThan", sendInitialEvents: true, timeoutSeconds },
      signal,
    );
    try {
      const collected = await collectInitialEvents(stream, {
        clock: runtime.clock,
        turns: this.#ingest.turns,
        patienceMs,
        onPoison: (report) => this.#journal.poisoned(report),
      });
      if (collected.kind === "whole") return this.#listed(collected.objects, collected.resourceVersion);
      if (collected.kind === "error") return this.#listFailed(collected.error, "event", signal);
      this.#journal.failed(collected.error);
      return { kind: "watch-list-incomplete" };
    } catch (error) {
      return this.#listFailed(error, "request", signal);
    }
  }

  /** Learns the current version of the server, from the smallest list. */
  async #probe(signal: AbortSignal): Promise<Outcome> {
    const { source, kept, pageSize = 500 } = this.#options;
    try {
      const isSameServer = (await kept?.isSameServer(signal)) === true;
      const { resourceVersion: version } = await abortable(source.list({ limit: 1 }, { signal }), signal);
      return { kind: "probed", version, isSameServer, isShort: this.#snapshot.length <= pageSize };
    } catch (error) {
      if (!signal.aborted) this.#journal.failed(error);
      return { kind: "probe-failed", failure: failureOf(error, "request") };
    }
  }

  /** Watches until a version is reached: by an event, or by the bookmark that a server sends before the watch ends. */
  async #catchUp(
    { resourceVersion, until, timeoutSeconds }: ReflectorAction & { readonly kind: "catch-up" },
    signal: AbortSignal,
  ): Promise<Outcome> {
    const stream = this.#open(this.#options.source, { resourceVersion, timeoutSeconds }, signal);
    // Some servers ignore the timeout of a watch.
    const late = new Error(`the watch did not reach version ${until} within ${catchUpMs} ms`);
    const cancel = this.#options.runtime.clock.timer(catchUpMs, () => stream.end(late));
    try {
      return await this.#follow(until);
    } finally {
      cancel();
    }
  }

  #listed(objects: readonly ObjectVersion<T>[], resourceVersion: string): Outcome {
    this.#snapshot = objects;
    this.#journal.listed(objects.length);
    return { kind: "listed", version: resourceVersion };
  }

  #listFailed(error: unknown, origin: "request" | "event", signal: AbortSignal): Outcome {
    if (!signal.aborted) this.#journal.failed(error);
    return { kind: "list-failed", failure: failureOf(error, origin) };
  }

  #watch({ resourceVersion, timeoutSeconds }: ReflectorAction & { readonly kind: "watch" }, signal: AbortSignal): Promise<Outcome> {
    this.#open(this.#options.source, { resourceVersion, timeoutSeconds }, signal);
    return this.#follow();
  }

  #open(source: VersionSource<T>, options: ListOptions, signal: AbortSignal): ReflectorStream<T> {
    this.#journal.watchBegins();
    this.#stream = new ReflectorStream(source, { ...options, watch: true, allowWatchBookmarks: true }, signal);
    return this.#stream;
  }

  /** Processes batches of the open stream until it ends, or has reached a version. */
  async #follow(until?: string): Promise<Outcome> {
    const stream = this.#stream;
    if (stream === undefined) throw new Error("reflector has no open stream to follow");
    this.#ingest.begin();
    try {
      for (let batch = await stream.next(); batch !== undefined; batch = await stream.next()) {
        const error = await this.#ingest.take(batch, stream.signal);
        if (error !== undefined) return this.#watchEnded(error, "event");
        const { version } = this.#ingest;
        if (until !== undefined && compareResourceVersions(version, until) !== -1) return { kind: "caught-up", version };
      }
      return this.#watchEnded(undefined, "request");
    } catch (error) {
      return this.#watchEnded(error, "request");
    }
  }

  #watchEnded(error: unknown, origin: "request" | "event"): Outcome {
    // Once for all batches; the last one may be partly processed, and its processed events must not be requested again.
    if (this.#ingest.progressed) this.#step({ kind: "progressed", version: this.#ingest.version });
    if (this.#run?.aborted !== true) this.#journal.watchEnded(error);
    return {
      kind: "watch-ended",
      progressed: this.#ingest.progressed,
      failure: error === undefined ? undefined : failureOf(error, origin),
    };
  }

  #endStream(reason: unknown): void {
    this.#stream?.end(reason);
    this.#stream = undefined;
  }
}

/** Returns list options for a state not older than a version; never for exactly that version. */
function versionOptions(resourceVersion: string): ListOptions {
  if (resourceVersion === "") return {};
  return resourceVersion === "0" ? { resourceVersion } : { resourceVersion, resourceVersionMatch: "NotOlderThan" };
}
