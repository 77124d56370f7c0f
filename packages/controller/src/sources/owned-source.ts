/** What a kind owns: a change of a ReplicaSet is news for the Deployment it belongs to. */
import type { Kind, KubeObject } from "@drover/machinery";
import { ownerHandler } from "../handlers/owner-handler.ts";
import type { OwnerMatchOptions } from "../handlers/owner-handler.ts";
import { kindSource, printKind } from "./kind-source.ts";
import type { KindSource, KindWatchOptions, Projected, Projection } from "./kind-source.ts";

export interface OwnedSourceOptions<T extends KubeObject, P extends Projection = "full"> extends KindWatchOptions<T, P>, OwnerMatchOptions {
  /** Whose keys are asked for. */
  readonly owner: Pick<Kind, "group" | "kind" | "scope">;
  /** Whether only the owner counts that manages the object, and not those that merely own it. @default true, as in controller-runtime */
  readonly onlyController?: boolean;
}

/** Watches a kind for its owners: those before and those after an update, also when the deletion itself was missed. */
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
