/**
 * Reads a snapshot in slices, and verifies every block.
 *
 *     SnapshotReader → blocks → versions, whose bytes stay where they were read
 */
import type { KubeObject, TurnKeeper } from "@drover/machinery";
import type { ByteShelf } from "../source/byte-shelf.ts";
import type { ObjectVersion } from "../source/object-version.ts";
import type { VersionRestorer } from "../source/version-source.ts";
import { SnapshotProblem, blockHeadBytes, decodeBlock, decodeBlockHead, decodeDocument, decodeObjects } from "./snapshot-block.ts";
import type { BlockType } from "./snapshot-block.ts";
import { checkHead, parseHead } from "./snapshot-head.ts";
import type { SnapshotHead } from "./snapshot-head.ts";
import type { SnapshotReader } from "./snapshot-store.ts";

export interface ReadSnapshotOptions<T extends KubeObject> {
  readonly restorer: VersionRestorer<T>;
  /** Counts the memory of the versions. */
  readonly shelf: ByteShelf | undefined;
  readonly collection: string;
  readonly bytesMax: number;
  readonly turns: TurnKeeper;
  readonly signal: AbortSignal;
}

/** A snapshot that can be used, if the server is the same. */
export interface ReadSnapshot<T extends KubeObject> {
  readonly head: SnapshotHead;
  readonly versions: readonly ObjectVersion<T>[];
}

/** Objects between two questions whether the slice is over. */
const objectsPerLook = 64;

/** Reads all blocks. Rejects with a `SnapshotProblem` if anything is not as it was written, and with errors of the reader. */
export async function readSnapshot<T extends KubeObject>(
  reader: SnapshotReader,
  options: ReadSnapshotOptions<T>,
): Promise<ReadSnapshot<T>> {
  const { restorer, shelf, collection, turns, signal } = options;
  const versions: ObjectVersion<T>[] = [];
  let head: SnapshotHead | undefined;
  for await (const { type, content } of blocks(reader, options)) {
    if (head === undefined) {
      if (type !== "head") throw new SnapshotProblem("its first block is missing");
      head = parseHead(content);
      checkHead(head, { collection, newestMinor: restorer.newestMinor });
    } else if (type === "objects") {
      shelf?.adopt(content.length);
      for (const kept of decodeObjects(content)) {
        versions.push(restorer.restore(kept, kept.encoding));
        const turn = versions.length % objectsPerLook === 0 ? turns.due(signal) : undefined;
        if (turn !== undefined) await turn;
      }
    } else if (type === "tail" && decodeDocument(content)["objects"] === versions.length) {
      return { head, versions };
    } else throw new SnapshotProblem("its blocks are not in order");
  }
  throw new SnapshotProblem("it is truncated");
}

interface Block {
  readonly type: BlockType;
  readonly content: Uint8Array;
}

/** Yields blocks; ends at the end of the file, which must not come within a block, and must come after the tail. */
async function* blocks(
  reader: SnapshotReader,
  { bytesMax, signal }: Pick<ReadSnapshotOptions<KubeObject>, "bytesMax" | "signal">,
): AsyncGenerator<Block, void, undefined> {
  let bytes = 0;
  for (let place = 0; ; place++) {
    signal.throwIfAborted();
    const start = await reader.read(blockHeadBytes);
    if (start.length === 0) return;
    const head = decodeBlockHead(start, place);
    bytes += blockHeadBytes + head.paddedLength;
    if (bytes > bytesMax) throw new SnapshotProblem(`it is larger than the limit of ${bytesMax} bytes`);
    const content = decodeBlock(head, await reader.read(head.paddedLength), place);
    if (head.type === "tail" && (await reader.read(1)).length > 0) throw new SnapshotProblem("there are bytes after its end");
    yield { type: head.type, content };
  }
}
