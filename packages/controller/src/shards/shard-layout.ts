/**
 * How the keys of an operator are split into shards: a fixed number, and the part of a key that decides.
 *
 *     key → shardOf(key, layout) → 0 … count-1
 *
 * All replicas must agree, in every version of this package: the hash never changes.
 */
import type { ObjectKey } from "@drover/machinery";

/** Which part of a key decides its shard. */
export type ShardBy = "hash" | "namespace";

/** Number of shards, and what decides the shard of a key. */
export interface ShardLayout {
  readonly count: number;
  readonly by: ShardBy;
}

/** Every shard is a lease that is renewed every two seconds by default. */
const countMax = 1024;

/** Returns the layout with its defaults. Throws a `RangeError` for an invalid one. */
export function shardLayout({ count = 16, by = "hash" }: Partial<ShardLayout>): ShardLayout {
  if (!Number.isSafeInteger(count) || count < 1 || count > countMax)
    throw new RangeError(`shards.count must be a whole number from 1 to ${countMax}, not ${String(count)}`);
  if (by !== "hash" && by !== "namespace") throw new RangeError(`shards.by must be "hash" or "namespace", not ${JSON.stringify(by)}`);
  return { count, by };
}

/** Returns the layout in words, "16-by-hash": the value of the label by which replicas with another layout are recognised. */
export const printLayout = ({ count, by }: ShardLayout): string => `${count}-by-${by}`;

/**
 * Returns the shard of a key. With `by: "namespace"`, all keys of a namespace are in one shard, together with the cluster-scoped key of the
 * same name, which is the Namespace itself.
 */
export function shardOf(key: ObjectKey, { count, by }: ShardLayout): number {
  return hashOf(key, by) % count;
}

/**
 * Returns which of the threads of a process reconciles a key, from 0. Independent of the shard of the key, so that every thread has a part
 * of every shard. With `by: "namespace"`, one thread has all keys of a namespace.
 */
export function threadOf(key: ObjectKey, { by }: Pick<ShardLayout, "by">, threads: number): number {
  // The shard is decided by the low bits.
  return (hashOf(key, by) >>> 10) % threads;
}

function hashOf(key: ObjectKey, by: ShardBy): number {
  const slash = by === "namespace" ? key.indexOf("/") : -1;
  return hashText(slash < 0 ? key : key.slice(0, slash));
}

/** Returns 32 bits that depend on every character: FNV-1a over UTF-16 units, then mixed so that the low bits depend on all of them. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
