/** Watches owned objects and requests their owners: a change of a ReplicaSet enqueues its Deployment. */
import type { Kind, KubeObject } from "@drover/machinery";
import { ownerHandler } from "../handlers/owner-handler.ts";
import type { OwnerMatchOptions } from "../handlers/owner-handler.ts";
import { kindSource, printKind } from "./kind-source.ts";
import type { KindSource, KindWatchOptions, Projected, Projection } from "./kind-source.ts";

/** Options of `ownedSource`. */
export interface OwnedSourceOptions<T extends KubeObject, P extends Projection = "full"> extends KindWatchOptions<T, P>, OwnerMatchOptions {
  /** Kind of the owners to enqueue. */
  readonly owner: Pick<Kind, "group" | "kind" | "scope">;
  /** Whether only the owner reference with `controller: true` counts. @default true, as in controller-runtime */
  readonly onlyController?: boolean;
}

/** Returns a source that enqueues owners: those before and after an update, and those of objects whose deletion event was missed. */
export function ownedSource<T extends KubeObject, P extends Projection = "full">(
  kind: Kind<T>,
  { owner, onlyController = true, ...options }: OwnedSourceOptions<T, P>,
): KindSource<Projected<T, P>> {
  return kindSource<T, P>(kind, {
    name: `${printKind(kind)} owned by ${owner.kind}`,
    ...options,
    handler: ownerHandler(owner, { onlyController }),
  });
}
