/**
 * A kind that is watched: its objects come, change and go, and keys follow from it.
 *
 *     cluster.informers.acquire → followInformer → sink;   owned-source.ts, related-source.ts: the usual handlers
 */
import { allNamespaces } from "@drover/client";
import type { Cluster, InformerLease, InformerRequest, InformerView } from "@drover/cache";
import type { Kind, KubeObject, PartialObjectMetadata } from "@drover/machinery";
import type { Handler } from "../handlers/request.ts";
import { selfHandler } from "../handlers/self-handler.ts";
import { needOf } from "../permissions/permission-need.ts";
import type { PermissionNeed } from "../permissions/permission-need.ts";
import type { Predicate } from "../predicates/predicate.ts";
import { followInformer } from "./follow-informer.ts";
import type { Source, SourceSink } from "./source.ts";

/** How much of each object is fetched. */
export type Projection = "full" | "metadata";

/** What predicates and handlers see of an object under a projection. */
export type Projected<T extends KubeObject, P extends Projection> = P extends "metadata" ? PartialObjectMetadata : T;

/** How a kind is watched, whatever keys follow from it. */
export interface KindWatchOptions<T extends KubeObject, P extends Projection = "full"> {
  readonly cluster: Cluster;
  /** Which changes count: all of these must hold, and those behind the first that does not are not asked. @default every change */
  readonly predicates?: readonly Predicate<Projected<T, P>>[];
  /** Which objects of the kind. Sources, and whoever else asks `cluster.informers` for the same, share one cache. @default all of them */
  readonly request?: Omit<InformerRequest<Projected<T, P>>, "keepManagedFields">;
  /**
   * "metadata" fetches nothing else of each object: a cache that costs a fraction, and no spec and no status to look
   * at. @default "full"
   */
  readonly projection?: P;
  /**
   * Keeps who wrote which field (`metadata.managedFields`), so that `why` can name who made a change. The price is
   * memory: these entries are
   * often a third of an object. Whoever reads the same kind from `cluster.informers` asks with the same
   * `keepManagedFields`, or there are two caches.
   * @default true
   */
  readonly writers?: boolean;
  /** Tells every object about once in this many milliseconds although nothing changed; at least 1000. @default never */
  readonly resyncMs?: number;
  /** @default made of the kind: "Deployment apps" */
  readonly name?: string;
}

export interface KindSourceOptions<T extends KubeObject, P extends Projection = "full"> extends KindWatchOptions<T, P> {
  /** Which keys follow from a change. @default the object's own */
  readonly handler?: Handler<Projected<T, P>>;
}

/** A source with a cache behind it. */
export interface KindSource<T extends KubeObject> extends Source {
  readonly needs: readonly PermissionNeed[];
  /** What it watches with, for reading; undefined while nobody watches it. */
  readonly informer: InformerView<T> | undefined;
}

/**
 * Watches a kind. Nothing is asked of the server before it runs, and the informer ends with the last who uses it.
 *
 * Guarantees: it has synced only when every object that was there at the beginning has been asked for; a predicate or a handler that
 * throws is logged with source and key and told that change again, and no other change waits for it; after the abort nothing is asked
 * for any more. While it waits for the server it says why: no permission, a kind that is not served, nobody who answers.
 */
export function kindSource<T extends KubeObject, P extends Projection = "full">(
  kind: Kind<T>,
  options: KindSourceOptions<T, P>,
): KindSource<Projected<T, P>> {
  const { cluster, handler = selfHandler, predicates = [], request = {}, projection = "full", writers = true, resyncMs = 0 } = options;
  const { name = `${printKind(kind)}${projection === "metadata" ? " (metadata)" : ""}` } = options;
  // The projection says what is seen of the objects, and nothing else about the kind.
  const seen = kind as Kind as Kind<Projected<T, P>>;
  const asked: InformerRequest<Projected<T, P>> = { ...request, keepManagedFields: writers };
  const leases = new Set<InformerLease<Projected<T, P>>>();
  const acquire = (): InformerLease<Projected<T, P>> =>
    projection === "full"
      ? cluster.informers.acquire(seen, asked)
      : (cluster.informers.acquireMetadata(kind, asked as unknown as InformerRequest<PartialObjectMetadata>) as unknown as InformerLease<
          Projected<T, P>
        >);
  return {
    name,
    needs: namespacesOf(request).map((namespace) =>
      needOf(kind, ["list", "watch"], { cluster: cluster.name, ...(namespace === undefined ? {} : { namespace }) }),
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

/** Undefined is all of them. */
function namespacesOf({ namespace }: Pick<InformerRequest, "namespace">): readonly (string | undefined)[] {
  const given = [namespace ?? allNamespaces].flat();
  return given.includes(allNamespaces) ? [undefined] : given;
}

/** "Deployment apps", "Pod". */
export function printKind({ group, kind }: Pick<Kind, "group" | "kind">): string {
  return group === "" ? kind : `${kind} ${group}`;
}
