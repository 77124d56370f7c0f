/**
 * One version of one object, as the cache holds it: what the pipeline needs stands ready, the object itself may still be text.
 *
 *     bytes of a watch line → ObjectVersion → .object, parsed when somebody first looks
 *
 * Handlers mostly want a key, so most versions are never parsed at all.
 */
import type { DeepReadonly, KubeObject, ObjectKey } from "@drover/machinery";

export interface ObjectVersion<T extends KubeObject = KubeObject> {
  readonly key: ObjectKey;
  /** "" for an object that has none, which only hand-made ones lack. */
  readonly uid: string;
  readonly resourceVersion: string;
  /** Whether `metadata.deletionTimestamp` is set. */
  readonly isTerminating: boolean;
  /** Labels, without reading the rest where that is possible. */
  readonly labels: Readonly<Record<string, string>>;
  /**
   * The object: the same value at every look, as long as somebody holds it; frozen unless its source was told not to.
   * Throws a `PoisonObjectError` when the text turns out not
   * to be JSON after all.
   */
  readonly object: DeepReadonly<T>;
  /** Whether somebody has looked, or it came parsed. */
  readonly isParsed: boolean;
  /** Moves its bytes together with those of others (see byte-shelf.ts); nobody can tell from what it says. Absent where there are none. */
  repack?(): void;
}
