/** Watches a kind and maps its objects to keys with a function: a ConfigMap to the pods that mount it, a Node to its pods. */
import type { Kind, KubeObject } from "@drover/machinery";
import { mappedHandler } from "../handlers/mapped-handler.ts";
import type { MapToKeys } from "../handlers/mapped-handler.ts";
import { kindSource, printKind } from "./kind-source.ts";
import type { KindSource, KindWatchOptions, Projected, Projection } from "./kind-source.ts";

/** Options of `relatedSource`. */
export interface RelatedSourceOptions<T extends KubeObject, P extends Projection = "full"> extends KindWatchOptions<T, P> {
  /**
   * Returns the keys that an object affects. Called for the states before and after an update, and for the last known state of a
   * deletion.
   */
  readonly map: MapToKeys<Projected<T, P>>;
}

/** Returns a source that enqueues the keys of `map`. */
export function relatedSource<T extends KubeObject, P extends Projection = "full">(
  kind: Kind<T>,
  { map, ...options }: RelatedSourceOptions<T, P>,
): KindSource<Projected<T, P>> {
  return kindSource<T, P>(kind, { name: `${printKind(kind)}, mapped`, ...options, handler: mappedHandler(map) });
}
