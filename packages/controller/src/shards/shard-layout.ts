/**
 * How the keys of an operator are split into shards: a fixed number, and the part of a key that decides.
 *
 *     key → shardOf(key, layout) → 0 … count-1
 *
 * All replicas must agree, in every version of this package: the hash never changes.
 */
import { checkQualifiedName } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";

/** What decides the shard of a key: the key, its namespace, or the value of a label of its object. */
export type ShardBy = "hash" | "namespace" | ShardByLabel;

/** Objects with the same value of this label are in one shard; an object without it, or a key without an object, as with "hash". */
export interface ShardByLabel {
  /** Name of the label, such as "example.com/tenant". */
  readonly label: string;
}

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
  const label = labelOf({ by });
  if (label !== undefined) {
    const [problem] = checkQualifiedName(label);
    if (problem !== undefined) throw new RangeError(`shards.by.label, ${JSON.stringify(label)}, is no name of a label: ${problem}`);
  } else if (by !== "hash" && by !== "namespace")
    throw new RangeError(`shards.by must be "hash", "namespace" or { label: "example.com/tenant" }, not ${JSON.stringify(by)}`);
  return { count, by };
}

/** Returns the label that decides the shard of a key; undefined if the key does. */
export function labelOf({ by }: Pick<ShardLayout, "by">): string | undefined {
  const label = typeof by === "object" ? (by as Partial<ShardByLabel> | null)?.label : undefined;
  return typeof label === "string" ? label : undefined;
}

/**
 * Returns the layout in words, "16-by-hash": the value of the label by which replicas with another layout are recognised. The name of a
 * label is not always the value of one, so it is hashed.
 */
export const printLayout = ({ count, by }: ShardLayout): string => `${count}-by-${printBy(by)}`;

/** Returns what decides the shard, in the words of `printLayout`. */
export const printBy = (by: ShardBy): string => (typeof by === "string" ? by : `label-${hashText(by.label).toString(16).padStart(8, "0")}`);

/**
 * Returns the shard of a key. With `by: "namespace"`, all keys of a namespace are in one shard, together with the cluster-scoped key of the
 * same name, which is the Namespace itself. @param value - of the label, with `by: { label }`; undefined if there is none
 */
export function shardOf(key: ObjectKey, { count, by }: ShardLayout, value?: string): number {
  return (value === undefined ? hashOf(key, by) : hashText(value)) % count;
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
