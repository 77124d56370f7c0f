/**
 * Watches a kind and requests keys for its changes.
 *
 *     cluster.informers.acquire → followInformer → sink;   owned-source.ts, related-source.ts: the usual handlers
 */
import { allNamespaces } from "@drover/client";
import type { Cluster, InformerLease, InformerRequest, InformerView } from "@drover/cache";
import { definedOnly } from "@drover/machinery";
import type { Kind, KubeObject, PartialObjectMetadata } from "@drover/machinery";
import type { Handler } from "../handlers/request.ts";
import { selfHandler } from "../handlers/self-handler.ts";
import { needOf } from "../permissions/permission-need.ts";
import type { PermissionNeed } from "../permissions/permission-need.ts";
import type { Predicate } from "../predicates/predicate.ts";
import { followInformer } from "./follow-informer.ts";
import type { Source, SourceSink } from "./source.ts";

/** How much of each object the informer fetches. */
export type Projection = "full" | "metadata";

/** Type of the objects that predicates and handlers receive under a projection. */
export type Projected<T extends KubeObject, P extends Projection> = P extends "metadata" ? PartialObjectMetadata : T;

/** How to watch a kind. */
export interface KindWatchOptions<T extends KubeObject, P extends Projection = "full"> {
  readonly cluster: Cluster;
  /** Predicates that must all hold for a change, evaluated in order up to the first that does not. @default every change passes */
  readonly predicates?: readonly Predicate<Projected<T, P>>[];
  /**
   * Which objects of the kind. Sources and other users of `cluster.informers` with the same request share one cache. @default all objects
   */
  readonly request?: Omit<InformerRequest<Projected<T, P>>, "keepManagedFields">;
  /** "metadata" fetches only the metadata of each object: a much smaller cache, without spec and status. @default "full" */
  readonly projection?: P;
  /**
   * Keeps `metadata.managedFields`, so that `why` can name the writer of a change. Costs memory: these entries are often a third of an
   * object. Other readers of the same kind from `cluster.informers` must set the same `keepManagedFields`; otherwise there are two
   * caches.
   * @default true; false if the request or the kind declares `fields`
   */
  readonly writers?: boolean;
  /** Resync period in milliseconds, at least 1000: delivers every object again although nothing changed. @default no resync */
  readonly resyncMs?: number;
  /** Name of the source. @default the kind: "Deployment apps" */
  readonly name?: string;
}

/** Options of `kindSource` and `optionalKindSource`. */
export interface KindSourceOptions<T extends KubeObject, P extends Projection = "full"> extends KindWatchOptions<T, P> {
  /** Maps a change to keys. @default the object's own key */
  readonly handler?: Handler<Projected<T, P>>;
}

/** A source with a cache behind it. */
export interface KindSource<T extends KubeObject> extends Source {
  readonly needs: readonly PermissionNeed[];
  /** Informer of the source, for reading; undefined while the source is not watched. */
  readonly informer: InformerView<T> | undefined;
}

/**
 * Returns a source that watches a kind. It sends no request before it runs; the informer stops with its last user.
 *
 * Guarantees: it has synced only after every object of the first list was requested. A predicate or handler that throws is logged with
 * source and key and gets that change again; other changes do not wait. It requests nothing after the abort. While it waits for the server
 * it reports why: missing permission, unknown kind, no response.
 */
export function kindSource<T extends KubeObject, P extends Projection = "full">(
  kind: Kind<T>,
  options: KindSourceOptions<T, P>,
): KindSource<Projected<T, P>> {
  const { cluster, handler = selfHandler, predicates = [], request = {}, projection = "full", resyncMs = 0 } = options;
  const { writers = (request.fields ?? kind.fields) === undefined } = options;
  const { name = `${printKind(kind)}${projection === "metadata" ? " (metadata)" : ""}` } = options;
  // The projection decides only how much of an object is fetched; the kind stays the same.
  const seen = kind as Kind as Kind<Projected<T, P>>;
  const asked: InformerRequest<Projected<T, P>> = { ...request, keepManagedFields: writers };
  const leases = new Set<InformerLease<Projected<T, P>>>();
  const acquire = (): InformerLease<Projected<T, P>> => {
    const lease =
      projection === "full"
        ? cluster.informers.acquire(seen, asked)
        : cluster.informers.acquireMetadata(kind, asked as unknown as InformerRequest<PartialObjectMetadata>);
    return lease as InformerLease<Projected<T, P>>;
  };
  return {
    name,
    namesKeys: handler === selfHandler,
    needs: namespacesOf(request).map((namespace) =>
      needOf(kind, ["list", "watch"], { cluster: cluster.name, ...definedOnly({ namespace }) }),
    ),
    get informer() {
      return [...leases].at(-1)?.informer;
    },
    run: async (sink: SourceSink, signal: AbortSignal) => {
      if (signal.aborted) return;
      const lease = acquire();
      leases.add(lease);
      try {
        await followInformer(
          lease.informer,
          { name, kind: seen, cluster, handler, predicates, resyncMs, request: asked, states: () => lease.state() },
          sink,
          signal,
        );
      } finally {
        leases.delete(lease);
        lease.release();
      }
    },
  };
}

/** Returns the namespaces of a request; undefined stands for all namespaces. */
function namespacesOf({ namespace }: Pick<InformerRequest, "namespace">): readonly (string | undefined)[] {
  const given = [namespace ?? allNamespaces].flat();
  return given.includes(allNamespaces) ? [undefined] : given;
}

/** Returns "Deployment apps" or "Pod". */
export function printKind({ group, kind }: Pick<Kind, "group" | "kind">): string {
  return group === "" ? kind : `${kind} ${group}`;
}
