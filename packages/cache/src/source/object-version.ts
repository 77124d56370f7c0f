/**
 * One version of one object, as the cache stores it: the fields that the pipeline needs are available, the object may still be bytes.
 *
 *     bytes of a watch line → ObjectVersion → .object, parsed on first access
 *
 * Most handlers need only the key, so most versions are never parsed.
 */
import type { DeepReadonly, KubeObject, ObjectKey } from "@drover/machinery";

/** How the bytes of an object are encoded. */
export type ObjectEncoding = "json" | "protobuf";

/** One version of one object. Immutable, apart from parsing on first access. */
export interface ObjectVersion<T extends KubeObject = KubeObject> {
  readonly key: ObjectKey;
  /** "" for an object without a uid; only hand-made objects lack one. */
  readonly uid: string;
  readonly resourceVersion: string;
  /** Whether `metadata.deletionTimestamp` is set. */
  readonly isTerminating: boolean;
  /** Labels; read without parsing the object if possible. */
  readonly labels: Readonly<Record<string, string>>;
  /**
   * The object, frozen unless its source has `freeze: false`. Returns the same value while it is referenced. Throws a
   * `PoisonObjectError` if the bytes cannot be decoded.
   */
  readonly object: DeepReadonly<T>;
  /** Number of bytes that the server sent for what is kept, without managed and undeclared fields. Absent if it was never bytes here. */
  readonly bytes?: number;
  /** Whether the object is parsed. */
  readonly isParsed: boolean;
  /** The object as the server sent it, JSON or protobuf, while it is not parsed. Absent if there is none. */
  readonly encoded?: Uint8Array | undefined;
  /** How `encoded` is encoded. Absent if the object was never bytes here. */
  readonly encoding?: ObjectEncoding;
  /** Digest of the content, of a version that may lose its body. Absent if it keeps the body. */
  readonly digest?: number;
  /** Returns an equal object without keeping it parsed. Absent if the object is parsed in any case. Throws as `object` does. */
  decoded?(): DeepReadonly<T>;
  /** Moves the bytes to new memory, without a visible effect (see byte-shelf.ts). Absent if there are no bytes. */
  repack?(): void;
}
