/**
 * The watches of the garbage collector, and the graph of what they show.
 *
 *     KindMonitors → GraphState → GraphEffect[]
 */
import { apiVersionOf } from "@drover/machinery";
import type { Change, Cluster } from "@drover/cache";
import type { DiscoveryInterface } from "@drover/client";
import type { Source, SourceSink } from "@drover/controller";
import type { Counter, GroupResource, Kind } from "@drover/machinery";
import { KindMonitors } from "../shared/kind-monitors.ts";
import { AbsentOwners } from "./absent-owners.ts";
import { GraphState } from "./graph-state.ts";
import type { GraphEffect } from "./graph-state.ts";

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

/** Events come by the thousand, own nothing and have no owner. */
const ignored: readonly GroupResource[] = [
  { group: "", resource: "events" },
  { group: "events.k8s.io", resource: "events" },
];

/** Guarantees, besides those of `KindMonitors`: each run of the source starts with an empty graph. */
export class Monitors implements Source {
  readonly name: string = "every kind that can be deleted";
  readonly #options: MonitorsOptions;
  readonly #kinds: KindMonitors;
  #graph: GraphState;

  constructor(options: MonitorsOptions) {
    const { cluster, discovery, onKinds, resyncMs } = options;
    const failures = (): Counter =>
      cluster.runtime.metrics.counter({
        name: "garbagecollector_controller_resources_sync_error_total",
        help: "Looks at the kinds of the server that failed",
      });
    this.#options = options;
    this.#graph = this.#emptyGraph();
    this.#kinds = new KindMonitors({
      name: this.name,
      user: "garbage collector",
      cluster,
      discovery,
      verbs: ["delete", "list", "watch"],
      isWanted: ({ group, plural }) => !ignored.some((one) => one.group === group && one.resource === plural),
      onStart: () => {
        this.#graph = this.#emptyGraph();
        failures();
      },
      onChange: (kind, change) => this.#observe(kind, change),
      onKinds,
      onFailure: () => failures().add(),
      resyncMs,
    });
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
    return this.#kinds.synced(signal);
  }

  run(sink: SourceSink, signal: AbortSignal): Promise<void> {
    return this.#kinds.run(sink, signal);
  }

  #observe(kind: Kind, { type, object: { metadata } }: Change): void {
    const { uid = "", namespace = "", name = "" } = metadata;
    const identity = { apiVersion: apiVersionOf(kind), kind: kind.kind, namespace, name, uid };
    this.#options.onEffects(type === "deleted" ? this.#graph.left(identity) : this.#graph.observed(identity, metadata));
  }
}
