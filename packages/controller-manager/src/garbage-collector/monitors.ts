/**
 * The watches of the garbage collector: one metadata informer per kind, started and stopped as kinds come and go.
 *
 *     discovery → monitoredKinds → one metadata informer each → GraphState → GraphEffect[]
 */
import { abortable, apiVersionOf, Latch } from "@drover/machinery";
import type { Cluster, HandlerRegistration, InformerLease } from "@drover/cache";
import type { DiscoveryInterface } from "@drover/client";
import type { Source, SourceSink } from "@drover/controller";
import type { Kind, KubeObject, PartialObjectMetadata } from "@drover/machinery";
import { AbsentOwners } from "./absent-owners.ts";
import { GraphState } from "./graph-state.ts";
import type { GraphEffect } from "./graph-state.ts";
import { monitoredKinds } from "./monitored-kinds.ts";

export interface MonitorsOptions {
  readonly cluster: Cluster;
  readonly discovery: Pick<DiscoveryInterface, "serverPreferredResources">;
  /** Called with the effects of every change. */
  readonly onEffects: (effects: readonly GraphEffect[]) => void;
  /** Called when the set of watched kinds changes. */
  readonly onKinds: () => void;
  /** Milliseconds between discovery requests; a changed CRD triggers one at once. */
  readonly resyncMs: number;
}

interface Monitor {
  readonly kind: Kind;
  readonly lease: InformerLease<KubeObject> | InformerLease<PartialObjectMetadata>;
  readonly registration: HandlerRegistration;
}

/** How long the start waits for kinds that cannot be listed; every deletion is confirmed with the server anyway. */
const syncPatienceMs = 30_000;
/** Kinds that define kinds. */
const definingKinds: readonly string[] = ["CustomResourceDefinition.apiextensions.k8s.io", "APIService.apiregistration.k8s.io"];
/**
 * A server serves a kind a moment after its definition says so: after a change of definitions, discovery runs every second for this
 * long.
 */
const eagerMs = 5000;
const eagerLookMs = 1000;

/**
 * A source that enqueues nothing itself. It has synced when every object of every kind was processed, or after a timeout.
 *
 * Guarantees: each run of the source starts with an empty graph; a kind that cannot be listed delays no other; while discovery
 * fails, nothing changes.
 */
export class Monitors implements Source {
  readonly name: string = "every kind that can be deleted";
  readonly #options: MonitorsOptions;
  readonly #monitors = new Map<string, Monitor>();
  #graph: GraphState;
  #areKindsKnown = false;
  #synced = new Latch();
  #isHinted = false;
  #hintedMs = -Infinity;
  #wake: () => void = () => undefined;

  constructor(options: MonitorsOptions) {
    this.#options = options;
    this.#graph = this.#emptyGraph();
  }

  /** The current graph. */
  get graph(): GraphState {
    return this.#graph;
  }

  #emptyGraph(): GraphState {
    const { clock } = this.#options.cluster.runtime;
    return new GraphState(new AbsentOwners({ now: () => clock.monotonic() }));
  }

  /** Resolves when this run of the source, or the next, has synced. Rejects with the signal's reason. */
  synced(signal: AbortSignal): Promise<void> {
    return this.#synced.wait(signal);
  }

  async run(sink: SourceSink, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { clock, metrics, log } = this.#options.cluster.runtime;
    const failures = metrics.counter({
      name: "garbagecollector_controller_resources_sync_error_total",
      help: "Looks at the kinds of the server that failed",
    });
    this.#graph = this.#emptyGraph();
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
          failures.add();
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
    );
    if (wanted === undefined) throw new Error("discovery found no kind that can be listed, watched and deleted");
    this.#areKindsKnown = true;
    const left = [...this.#monitors.keys()].filter((name) => !wanted.has(name));
    const come = [...wanted].filter(([name]) => !this.#monitors.has(name));
    for (const name of left) this.#end(name);
    for (const [name, kind] of come) this.#begin(name, kind, account);
    if (left.length + come.length === 0) return;
    log.debug("watched kinds changed", { come: come.map(([name]) => name), left });
    onKinds();
  }

  #begin(name: string, kind: Kind, account: () => void): void {
    const {
      cluster: { informers },
      onEffects,
    } = this.#options;
    // Shares informers that controllers already use.
    const lease = informers.holds(kind) ? informers.acquire<KubeObject>(kind) : informers.acquireMetadata(kind);
    const graph = this.#graph;
    const isDefining = definingKinds.includes(`${kind.kind}.${kind.group}`);
    const registration = lease.informer.addHandler(
      (change) => {
        const {
          type,
          object: { metadata },
        } = change;
        const { uid = "", namespace = "", name: objectName = "" } = metadata;
        const identity = { apiVersion: apiVersionOf(kind), kind: kind.kind, namespace, name: objectName, uid };
        onEffects(type === "deleted" ? graph.left(identity) : graph.observed(identity, metadata));
        if (isDefining && !(change.type === "added" && change.isInInitialList)) this.#hint();
      },
      { name: "garbage collector" },
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
