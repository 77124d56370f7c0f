/**
 * All sources of one controller: they start, sync and end together.
 *
 *     Controller.watch → Watches → SourceWatch for each
 */
import { NotSyncedError } from "@drover/cache";
import { definedOnly, isTimeoutError, withTimeout } from "@drover/machinery";
import type { Clock, Log, ObjectKey } from "@drover/machinery";
import type { PermissionNeed } from "../permissions/permission-need.ts";
import type { Source, SourceRequest, SourceSink, Watch } from "../sources/source.ts";
import { SourceWatch } from "./source-watch.ts";

export interface WatchesOptions {
  readonly controller: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly syncTimeoutMs: number;
  readonly request: (key: ObjectKey, request: SourceRequest) => void;
  /** See `SourceSink.keysOf`. @default none is needed */
  readonly keysOf?: SourceSink["keysOf"];
}

/** Guarantees: a source is started once per run, however often `start…` is called. */
export class Watches {
  readonly #options: WatchesOptions;
  readonly #watches = new Set<SourceWatch>();
  readonly #failed = new AbortController();
  #isStarted = false;
  #standby: (() => void) | undefined;

  constructor(options: WatchesOptions) {
    this.#options = options;
  }

  /** Aborts with the error when a source fails. */
  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  /** Permissions that the watched sources need. */
  get needs(): readonly PermissionNeed[] {
    return Array.from(this.#watches, ({ needs }) => needs).flat();
  }

  /** Throws if the cache of the keys is needed, and no source has it. */
  checkKeys(): void {
    const { keysOf, controller } = this.#options;
    if (keysOf !== undefined && ![...this.#watches].some(({ namesKeys }) => namesKeys))
      throw new TypeError(
        `controller ${controller}: shards by label need the objects of its keys, and no source has them: watch their kind with kindSource, without a handler of your own; an optional kind cannot be used`,
      );
  }

  add(source: Source): Watch {
    const { request, log, keysOf } = this.#options;
    const watch = new SourceWatch({
      source,
      request,
      ...definedOnly({ keysOf }),
      log,
      onFailure: (error) => this.#fail(source, error),
      onStop: (stopped) => this.#watches.delete(stopped),
    });
    this.#watches.add(watch);
    if (this.#isStarted) watch.start();
    return watch;
  }

  views(): readonly Pick<Watch, "name" | "isSynced" | "waitingFor">[] {
    return Array.from(this.#watches, ({ name, isSynced, waitingFor }) => ({ name, isSynced, waitingFor }));
  }

  /** Starts all sources that do not run yet. Until the controller runs, they end with `signal`. */
  startStandby(signal: AbortSignal): void {
    if (signal.aborted) return;
    if (!this.#isStarted) {
      const end = (): void => void this.end(signal.reason);
      signal.addEventListener("abort", end, { once: true });
      this.#standby = () => signal.removeEventListener("abort", end);
    }
    this.#start();
  }

  /** Starts all sources that do not run yet. From now on only `end` ends them. */
  startForGood(): void {
    this.#standby?.();
    this.#standby = undefined;
    this.#start();
  }

  /**
   * Resolves when every source watched now has synced or was stopped. Rejects with the signal's reason, with the error of a source, or
   * after the timeout with a `NotSyncedError`.
   */
  async synced(signal: AbortSignal): Promise<void> {
    const { clock, syncTimeoutMs, controller } = this.#options;
    const watched = [...this.#watches];
    try {
      await withTimeout(clock, syncTimeoutMs, (either) => this.#allSynced(watched, either), {
        signal: AbortSignal.any([signal, this.#failed.signal]),
      });
    } catch (error) {
      if (!isTimeoutError(error) || signal.aborted || this.#failed.signal.aborted) throw error;
      const unsynced = watched.filter((watch) => this.#watches.has(watch) && !watch.isSynced);
      throw new NotSyncedError(
        unsynced.map(({ name, waitingFor }) => ({
          name: `${name} of controller ${controller}`,
          why: waitingFor ?? "no reason given",
          error: undefined,
        })),
        syncTimeoutMs,
      );
    }
  }

  /** Lets every source request everything that exists once more, one after the other; resolves when done. Never rejects. */
  async replay(request: SourceSink["request"]): Promise<void> {
    for (const watch of this.#watches) await watch.replay(request);
  }

  /** Ends all sources and resolves when they have ended. */
  async end(reason: unknown): Promise<void> {
    this.#isStarted = false;
    await Promise.all(Array.from(this.#watches, (watch) => watch.end(reason)));
  }

  #start(): void {
    this.#isStarted = true;
    for (const watch of this.#watches) watch.start();
  }

  async #allSynced(watched: readonly SourceWatch[], signal: AbortSignal): Promise<void> {
    // One after the other: they all run anyway, and Node warns about many listeners on one signal.
    for (const watch of watched) {
      try {
        await watch.synced(signal);
      } catch (error) {
        // Skip sources that were stopped meanwhile.
        if (this.#watches.has(watch)) throw error;
      }
    }
  }

  #fail(source: Source, error: unknown): void {
    this.#options.log.error("source failed", { source: source.name, error });
    this.#failed.abort(error);
  }
}
