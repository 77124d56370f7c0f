/** What relates to a kind by a function: a ConfigMap to all who mount it, a Node to the pods on it. */
import type { Kind, KubeObject } from "@drover/machinery";
import { mappedHandler } from "../handlers/mapped-handler.ts";
import type { MapToKeys } from "../handlers/mapped-handler.ts";
import { kindSource, printKind } from "./kind-source.ts";
import type { KindSource, KindWatchOptions, Projected, Projection } from "./kind-source.ts";

export interface RelatedSourceOptions<T extends KubeObject, P extends Projection = "full"> extends KindWatchOptions<T, P> {
  /**
   * The keys that an object concerns. Asked of the state before and the state after an update, and of the last known
   * state of what is gone.
   */
  readonly map: MapToKeys<Projected<T, P>>;
}

/** Watches a kind for those it concerns. */
export function relatedSource<T extends KubeObject, P extends Projection = "full">(
  kind: Kind<T>,
  { map, ...options }: RelatedSourceOptions<T, P>,
): KindSource<Projected<T, P>> {
  return kindSource<T, P>(kind, { name: `${printKind(kind)}, mapped`, ...options, handler: mappedHandler(map) });
}
