/**
 * The snapshot of one informer: loads it before the first request, and writes it at intervals and in the end. No failure disturbs the
 * informer: without a snapshot it lists.
 *
 *     SnapshotStore → load → reflector … core → keep, keepLast → SnapshotStore
 */
import { abortable, budget, isInstanceOf, isInterrupted, sleep, TurnKeeper, withTimeout } from "@drover/machinery";
import type { KubeObject, Runtime } from "@drover/machinery";
import type { ObjectVersion } from "../source/object-version.ts";
import type { VersionSource } from "../source/version-source.ts";
import { readSnapshot } from "./read-snapshot.ts";
import type { ServerIdentity } from "./server-identity.ts";
import { SnapshotProblem } from "./snapshot-block.ts";
import { snapshotMetrics } from "./snapshot-metrics.ts";
import type { SnapshotMetrics } from "./snapshot-metrics.ts";
import type { SnapshotOptions } from "./snapshot-store.ts";
import { writeSnapshot } from "./write-snapshot.ts";

/** Code of a snapshot that is not used. */
const unused = "DRV0510";

/** Snapshot of one informer. */
export interface CacheSnapshotOptions extends Omit<SnapshotOptions, "server" | "exclude"> {
  /** Name in the store. */
  readonly name: string;
  /** Which objects, and what is kept of them. A snapshot with another text is not used. */
  readonly collection: string;
  readonly server: ServerIdentity;
}

/** What is kept: the objects and version of a cache. `contentId` differs after everything was replaced. */
export interface KeptCache<T extends KubeObject> {
  readonly resourceVersion: string;
  readonly contentId: number;
  readonly isSynced: boolean;
  versions(): Iterable<ObjectVersion<T>>;
}

/** A loaded snapshot. */
export interface LoadedState<T extends KubeObject> {
  readonly versions: readonly ObjectVersion<T>[];
  readonly resourceVersion: string;
}

export interface CacheSnapshotDeps<T extends KubeObject> {
  readonly source: VersionSource<T>;
  readonly runtime: Pick<Runtime, "clock" | "random" | "log" | "metrics">;
  /** Name of the informer in logs and metrics. */
  readonly informer: string;
}

const snapshotBytes = budget({
  name: "cache/snapshot",
  limit: 2 * 2 ** 30,
  unit: "bytes",
  atLimit: "A larger cache is not written, and a larger snapshot is not read; the next process lists.",
  uncounted: "Nothing is refused or lost; a log line says so, and `informer_snapshot_writes_total` counts it.",
});

/** A store that does not answer must not keep the informer from starting. */
const loadMsMax = 60_000;
const sliceMs = 5;

/** Guarantees: no method rejects, except with the reason of its signal, and `isSameServer` with errors of the server. */
export class CacheSnapshot<T extends KubeObject> {
  readonly #options: CacheSnapshotOptions;
  readonly #deps: CacheSnapshotDeps<T>;
  readonly #metrics: SnapshotMetrics;
  #newestMinor = 0;
  /** Server of the loaded snapshot. */
  #loadedServer: string | undefined;
  /** Version of the last snapshot in the store, as far as this informer knows. */
  #keptVersion = "";

  constructor(options: CacheSnapshotOptions, deps: CacheSnapshotDeps<T>) {
    if (deps.source.restorer === undefined)
      throw new TypeError(`informer of ${deps.informer}: snapshot needs a source that keeps objects as bytes; create it with listWatcher`);
    this.#options = options;
    this.#deps = deps;
    this.#metrics = snapshotMetrics(deps.runtime.metrics, deps.informer);
  }

  /** Loads the snapshot; undefined if there is none that fits. */
  async load(signal: AbortSignal): Promise<LoadedState<T> | undefined> {
    const { clock, log } = this.#deps.runtime;
    try {
      const loaded = await withTimeout(clock, loadMsMax, (limited) => abortable(this.#read(limited), limited), { signal });
      if (loaded === undefined) this.#metrics.loaded("none");
      return loaded;
    } catch (error) {
      signal.throwIfAborted();
      this.#metrics.loaded("unusable");
      const why = isInstanceOf(error, SnapshotProblem) ? { why: error.message } : { error };
      log.warn("snapshot of the cache is not used, listing", {
        informer: this.#deps.informer,
        snapshot: this.#options.name,
        code: unused,
        ...why,
      });
      return undefined;
    }
  }

  /** Asks whether the loaded snapshot is of this server. Rejects with errors of the request. */
  async isSameServer(signal: AbortSignal): Promise<boolean> {
    return (await this.#options.server(signal)) === this.#loadedServer;
  }

  /** Records how the loaded snapshot was used. */
  used(how: "watch" | "list" | "dropped", why?: string): void {
    const { runtime, informer } = this.#deps;
    this.#metrics.loaded(how);
    // The next snapshot replaces it, whatever its version.
    if (how === "dropped") this.#keptVersion = "";
    if (how === "dropped")
      runtime.log.warn("snapshot of the cache is not used, listing", { informer, snapshot: this.#options.name, code: unused, why });
  }

  /** Writes snapshots until the signal aborts, then throws its reason. */
  async keep(cache: KeptCache<T>, signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#deps.runtime;
    const { intervalMs = 300_000, bytesPerSecond = 64 * 2 ** 20 } = this.#options;
    for (;;) {
      await sleep(clock, intervalMs * (1 + random.next() / 10), { signal });
      await this.#write(cache, bytesPerSecond, signal);
    }
  }

  /** Writes the last snapshot of an informer that has stopped, if there is time. */
  async keepLast(cache: KeptCache<T>): Promise<void> {
    const { stopMs = 5000 } = this.#options;
    if (stopMs <= 0) return;
    const { clock } = this.#deps.runtime;
    const write = (signal: AbortSignal): Promise<void> => abortable(this.#write(cache, Infinity, signal), signal);
    await withTimeout(clock, stopMs, write).catch((error: unknown) => this.#failed(error));
  }

  async #read(signal: AbortSignal): Promise<LoadedState<T> | undefined> {
    const { source, runtime } = this.#deps;
    const { store, name, collection, bytesMax = snapshotBytes.limit } = this.#options;
    const restorer = await source.restorer?.();
    this.#newestMinor = restorer?.newestMinor ?? 0;
    const reader = restorer === undefined ? undefined : await store.read(name, { signal });
    if (restorer === undefined || reader === undefined) return undefined;
    const turns = new TurnKeeper({ clock: runtime.clock, sliceMs });
    try {
      const { head, versions } = await readSnapshot(reader, { restorer, shelf: source.shelf, collection, bytesMax, turns, signal });
      this.#loadedServer = head.server;
      this.#keptVersion = head.resourceVersion;
      return { versions, resourceVersion: head.resourceVersion };
    } finally {
      turns.close();
      await reader.close();
    }
  }

  async #write(cache: KeptCache<T>, bytesPerSecond: number, signal: AbortSignal): Promise<void> {
    const { resourceVersion, contentId, isSynced } = cache;
    if (!isSynced || resourceVersion === "" || resourceVersion === this.#keptVersion) return;
    const { clock } = this.#deps.runtime;
    const { store, name, collection, bytesMax = snapshotBytes.limit } = this.#options;
    const turns = new TurnKeeper({ clock, sliceMs });
    try {
      const head = { server: await this.#options.server(signal), collection, resourceVersion, newestMinor: this.#newestMinor };
      const writer = await store.write(name, { signal });
      try {
        const options = { head, clock, turns, bytesMax, bytesPerSecond, signal };
        const bytes = await writeSnapshot(cache.versions(), writer, options);
        // After a relist the versions are of two states, between which a watch may not lead.
        if (cache.contentId !== contentId) throw new SnapshotProblem("the cache was relisted meanwhile");
        await writer.commit();
        this.#keptVersion = resourceVersion;
        this.#metrics.written(bytes);
      } catch (error) {
        await writer.discard().catch(() => undefined);
        throw error;
      }
    } catch (error) {
      signal.throwIfAborted();
      this.#failed(error);
    } finally {
      turns.close();
    }
  }

  #failed(error: unknown): void {
    this.#metrics.failed();
    const { runtime, informer } = this.#deps;
    const why = isInstanceOf(error, SnapshotProblem)
      ? { why: error.message }
      : isInterrupted(error)
        ? { why: "it took longer than stopMs" }
        : { error };
    runtime.log.warn("cannot write a snapshot of the cache, keeping the previous one", {
      informer,
      snapshot: this.#options.name,
      code: "DRV0511",
      ...why,
    });
  }
}
