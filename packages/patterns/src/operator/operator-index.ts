/** A way to find objects by something in them: `app.index(WebApp, "byHost", (object) => [object.spec.host])`. */
import type { DeepReadonly, Kind, KubeObject } from "@drover/machinery";

/** A named index over the cache of a kind. It belongs to the operator that made it, and is read with `context.index(byHost)`. */
export interface OperatorIndex<T extends KubeObject = KubeObject> {
  readonly kind: Kind<T>;
  /** Unique in its operator. */
  readonly name: string;
  /** What an object is to be found under: any number of texts, and `undefined` counts for none. Pure. */
  readonly values: (object: DeepReadonly<T>) => readonly (string | undefined)[];
}

/** An index as a run reads it: what the cache has, without a request. */
export interface IndexReader<T extends KubeObject> {
  /** The objects under a text, in the order of their keys. */
  get(value: string): readonly DeepReadonly<T>[];
  /** Every text that has objects, sorted. */
  values(): readonly string[];
}
