/**
 * What happened to one object in the cache, as handlers are told: the store already has it.
 *
 *     store written → Change<T> → handlers → keys
 *
 * Objects are read when they are looked at; whoever takes only the key costs nothing.
 */
import type { DeepReadonly, KubeObject, ObjectKey } from "@drover/machinery";

export interface Added<T extends KubeObject> {
  readonly type: "added";
  readonly key: ObjectKey;
  readonly uid: string;
  /** The version of `object`, told without reading it. Absent only on changes made by hand. */
  readonly resourceVersion?: string;
  readonly object: DeepReadonly<T>;
  /** It was there when the informer (or this handler) began. */
  readonly isInInitialList: boolean;
}

export interface Updated<T extends KubeObject> {
  readonly type: "updated";
  readonly key: ObjectKey;
  readonly uid: string;
  /** The version of `object`, told without reading it. Absent only on changes made by hand. */
  readonly resourceVersion?: string;
  readonly object: DeepReadonly<T>;
  /** The state this handler was told before; versions in between may have been merged. */
  readonly before: DeepReadonly<T>;
  /** The version of `before`, told without reading it. Absent only on changes made by hand. */
  readonly resourceVersionBefore?: string;
  /** Nothing changed; a resync was due. */
  readonly isResync: boolean;
}

export interface Deleted<T extends KubeObject> {
  readonly type: "deleted";
  readonly key: ObjectKey;
  readonly uid: string;
  /** The version of `object`, told without reading it. Absent only on changes made by hand. */
  readonly resourceVersion?: string;
  /** The last state known. */
  readonly object: DeepReadonly<T>;
  /** The deletion itself was missed: it was gone from a list, so there may have been later states than this one. */
  readonly isFinalStateUnknown: boolean;
}

export type Change<T extends KubeObject = KubeObject> = Added<T> | Updated<T> | Deleted<T>;
