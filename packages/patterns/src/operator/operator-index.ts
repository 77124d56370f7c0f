/** An index over cached objects: `app.index(WebApp, "byHost", (object) => [object.spec.host])`. */
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";

/** A named index over the cache of a kind. Belongs to the operator that created it; read it with `context.index(byHost)`. */
export interface OperatorIndex<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  /** Unique within the operator. */
  readonly name: string;
  /** Returns the index values of an object; `undefined` is ignored. Pure. */
  values(this: void, object: DeepReadonly<T>): readonly (string | undefined)[];
}

/** Reads an index from the cache, without a request. */
export interface IndexReader<T extends KubeObject> {
  /** Returns the objects with this value, in key order. */
  get(value: string): readonly DeepReadonly<T>[];
  /** Returns all values that have objects, sorted. */
  values(): readonly string[];
}
