/**
 * Writes the versions of a cache as a snapshot: in slices, at a limited rate, while the cache goes on.
 *
 *     stored versions → blocks → SnapshotWriter
 *
 * The versions may be newer than the version in the head, because the cache changes meanwhile. A watch from there repeats those changes,
 * and a cache drops what it has already.
 */
import { encodeJson, sleep } from "@drover/machinery";
import type { Clock, KubeObject, TurnKeeper } from "@drover/machinery";
import type { ObjectVersion } from "../source/object-version.ts";
import { ObjectBlock, SnapshotProblem, encodeBlock, encodeDocument } from "./snapshot-block.ts";
import type { KeptObject } from "./snapshot-block.ts";
import type { SnapshotHead } from "./snapshot-head.ts";
import type { SnapshotWriter } from "./snapshot-store.ts";

export interface WriteSnapshotOptions {
  readonly head: SnapshotHead;
  readonly clock: Clock;
  readonly turns: TurnKeeper;
  readonly bytesMax: number;
  readonly bytesPerSecond: number;
  readonly signal: AbortSignal;
}

/** Bytes of objects in a block, unless a single object is larger. As many as in a slab of the cache: a block becomes one. */
const objectBytes = 256 * 1024;

/** Writes all blocks and returns their size. Rejects with a `SnapshotProblem`, the signal's reason, or an error of the writer. */
export async function writeSnapshot<T extends KubeObject>(
  versions: Iterable<ObjectVersion<T>>,
  writer: SnapshotWriter,
  { head, clock, turns, bytesMax, bytesPerSecond, signal }: WriteSnapshotOptions,
): Promise<number> {
  const beganMs = clock.monotonic();
  let [place, bytes, objects] = [0, 0, 0];
  const put = async (type: Parameters<typeof encodeBlock>[0], parts: readonly Uint8Array[]): Promise<void> => {
    const block = encodeBlock(type, place++, parts);
    bytes += block.length;
    if (bytes > bytesMax) throw new SnapshotProblem(`the cache is larger than bytesMax, ${bytesMax} bytes`);
    await writer.write(block);
    signal.throwIfAborted();
    const aheadMs = (bytes / bytesPerSecond) * 1000 - (clock.monotonic() - beganMs);
    if (aheadMs > 0) await sleep(clock, aheadMs, { signal });
  };
  await put("head", [encodeDocument(head)]);
  const block = new ObjectBlock();
  for (const version of versions) {
    const kept = keptObject(version);
    if (block.count > 0 && block.bytes + kept.bytes.length > objectBytes) await put("objects", block.take());
    block.add(kept);
    objects++;
    const turn = turns.due(signal);
    if (turn !== undefined) await turn;
  }
  if (block.count > 0) await put("objects", block.take());
  await put("tail", [encodeDocument({ objects })]);
  return bytes;
}

/** Returns the bytes of a version; an object that was read has none any more, and is encoded again. */
function keptObject<T extends KubeObject>(version: ObjectVersion<T>): KeptObject {
  const { key, uid, resourceVersion, isTerminating, encoded, encoding = "json" } = version;
  if (encoded !== undefined) return { key, uid, resourceVersion, isTerminating, bytes: encoded, encoding };
  return { key, uid, resourceVersion, isTerminating, bytes: new TextEncoder().encode(encodeJson(version.object)), encoding: "json" };
}
