/**
 * Watches many kinds, started and stopped as kinds come and go on the server.
 *
 *     discovery → monitoredKinds → one informer each → onChange
 */
import { abortable, apiVersionOf, Latch } from "@drover/machinery";
import type { Change, Cluster, HandlerRegistration, InformerLease, InformerReader } from "@drover/cache";
import type { DiscoveryInterface } from "@drover/client";
import type { Source, SourceSink } from "@drover/controller";
import type { Kind, KubeObject, PartialObjectMetadata } from "@drover/machinery";
import { monitoredKinds } from "./monitored-kinds.ts";
import type { KindChoice } from "./monitored-kinds.ts";

export interface KindMonitorsOptions extends KindChoice {
  /** Name of the source. */
  readonly name: string;
  /** Name of the handlers. */
  readonly user: string;
  readonly cluster: Cluster;
  readonly discovery: Pick<DiscoveryInterface, "serverPreferredResources">;
  /** Whether whole objects of a kind are needed. @default only metadata, unless others have an informer of whole objects */
  readonly needsWhole?: (kind: Kind) => boolean;
  /** Called when a run of the source begins, before any change. @default nothing */
  readonly onStart?: () => void;
  readonly onChange: (kind: Kind, change: Change) => void;
  /** Called when the set of watched kinds changes. @default nothing */
  readonly onKinds?: () => void;
  /** Called when discovery fails; the watches stay as they are. */
  readonly onFailure: () => void;
  /** Milliseconds between discovery requests; a changed CRD triggers one at once, if CRDs are watched. */
  readonly resyncMs: number;
}

/** A watched kind. */
export interface KindMonitor {
  readonly kind: Kind;
  /** Its objects, or their metadata. */
  readonly informer: InformerReader<KubeObject>;
  /** Whether every object of the first list was passed to `onChange`. */
  readonly hasSynced: boolean;
}

interface Monitor {
  readonly kind: Kind;
  readonly lease: InformerLease<KubeObject> | InformerLease<PartialObjectMetadata>;
  readonly registration: HandlerRegistration;
}

/** How long the start waits for kinds that cannot be listed. */
const syncPatienceMs = 30_000;
/** Kinds that define kinds. */
const definingKinds: readonly string[] = ["CustomResourceDefinition.apiextensions.k8s.io", "APIService.apiregistration.k8s.io"];
/**
 * A server serves a kind a moment after its definition says so: after a change of definitions, discovery runs every second for this
 * long.
 */
const eagerMs = 5000;
const eagerLookMs = 1000;

/** Whether objects of a kind define kinds. */
export const isDefiningKind = ({ kind, group }: Pick<Kind, "kind" | "group">): boolean => definingKinds.includes(`${kind}.${group}`);

/**
 * A source that enqueues nothing itself. It has synced when every object of every kind was processed, or after a timeout.
 *
 * Guarantees: a kind that cannot be listed delays no other; while discovery fails, nothing changes.
 */
export class KindMonitors implements Source {
  readonly name: string;
  readonly #options: KindMonitorsOptions;
  readonly #monitors = new Map<string, Monitor>();
  #areKindsKnown = false;
  #synced = new Latch();
  #isHinted = false;
  #hintedMs = -Infinity;
  #wake: () => void = () => undefined;

  constructor(options: KindMonitorsOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** The watched kinds. */
  monitors(): readonly KindMonitor[] {
    return Array.from(this.#monitors.values(), ({ kind, lease: { informer }, registration: { hasSynced } }) => ({
      kind,
      informer,
      hasSynced,
    }));
  }

  /** Resolves when this run of the source, or the next, has synced. Rejects with the signal's reason. */
  synced(signal: AbortSignal): Promise<void> {
    return this.#synced.wait(signal);
  }

  async run(sink: SourceSink, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { clock, log } = this.#options.cluster.runtime;
    this.#options.onStart?.();
    this.#areKindsKnown = false;
    const synced = (): void => {
      sink.synced();
      this.#synced.open();
    };
    const cancelPatience = clock.timer(syncPatienceMs, synced);
    const account = (): void => {
      if (signal.aborted) return;
      sink.waitingFor(this.#waitingFor());
      if (this.#areKindsKnown && this.#unsynced().length === 0) synced();
    };
    try {
      while (!signal.aborted) {
        this.#isHinted = false;
        try {
          await this.#look(account, signal);
        } catch (error) {
          if (signal.aborted) break;
          this.#options.onFailure();
          log.warn("discovery failed, keeping the current watches", { error });
        }
        account();
        await this.#pause(signal);
      }
    } finally {
      cancelPatience();
      this.#synced = new Latch();
      for (const name of this.#monitors.keys()) this.#end(name);
    }
  }

  async #look(account: () => void, signal: AbortSignal): Promise<void> {
    const {
      discovery,
      cluster: {
        runtime: { log },
      },
      onKinds,
    } = this.#options;
    const found = await discovery.serverPreferredResources({ signal });
    const wanted = monitoredKinds(
      found,
      new Map(
        Array.from(
          this.#monitors,
          ([
            name,
            {
              kind,
              registration: { hasSynced },
            },
          ]) => [name, { kind, hasSynced }],
        ),
      ),
      this.#options,
    );
    if (wanted === undefined) throw new Error(`discovery found no kind that has the verbs it needs: ${this.#options.verbs.join(", ")}`);
    this.#areKindsKnown = true;
    const left = [...this.#monitors.keys()].filter((name) => !wanted.has(name));
    const come = [...wanted].filter(([name]) => !this.#monitors.has(name));
    for (const name of left) this.#end(name);
    for (const [name, kind] of come) this.#begin(name, kind, account);
    if (left.length + come.length === 0) return;
    log.debug("watched kinds changed", { come: come.map(([name]) => name), left });
    onKinds?.();
  }

  #begin(name: string, kind: Kind, account: () => void): void {
    const {
      cluster: { informers },
      needsWhole = () => false,
      onChange,
      user,
    } = this.#options;
    // Shares informers that controllers already use.
    const isWhole = needsWhole(kind) || informers.holds(kind);
    const lease = isWhole ? informers.acquire<KubeObject>(kind) : informers.acquireMetadata(kind);
    const isDefining = isDefiningKind(kind);
    const registration = lease.informer.addHandler(
      (change) => {
        onChange(kind, change);
        if (isDefining && !(change.type === "added" && change.isInInitialList)) this.#hint();
      },
      { name: user },
    );
    this.#monitors.set(name, { kind, lease, registration });
    // Rejects when the handler is removed, which it is at the end; sixty kinds on one signal would be sixty listeners.
    registration.synced(new AbortController().signal).then(account, () => undefined);
  }

  #end(name: string): void {
    const monitor = this.#monitors.get(name);
    this.#monitors.delete(name);
    monitor?.registration.remove();
    monitor?.lease.release();
  }

  #unsynced(): readonly Monitor[] {
    return [...this.#monitors.values()].filter(({ registration }) => !registration.hasSynced);
  }

  #waitingFor(): string | undefined {
    if (!this.#areKindsKnown) return "waiting for discovery";
    const unsynced = this.#unsynced();
    return unsynced.length === 0
      ? undefined
      : `not listed yet: ${unsynced.map(({ kind }) => `${kind.plural} ${apiVersionOf(kind)}`).join(", ")}`;
  }

  /** A definition changed, and the served kinds may have too. */
  #hint(): void {
    this.#isHinted = true;
    this.#hintedMs = this.#options.cluster.runtime.clock.monotonic();
    this.#wake();
  }

  /** Waits until the next discovery. */
  async #pause(signal: AbortSignal): Promise<void> {
    const {
      cluster: {
        runtime: { clock },
      },
      resyncMs,
    } = this.#options;
    if (this.#isHinted) return;
    const isEager = clock.monotonic() - this.#hintedMs < eagerMs;
    let cancel = (): void => undefined;
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
      cancel = clock.timer(isEager ? Math.min(resyncMs, eagerLookMs) : resyncMs, resolve);
    });
    try {
      await abortable(woken, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      cancel();
      this.#wake = () => undefined;
    }
  }
}
