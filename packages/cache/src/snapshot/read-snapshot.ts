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
import type { BlockHead, BlockType } from "./snapshot-block.ts";
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
      decodeObjects(content, (kept, encoding) => versions.push(restorer.restore(kept, encoding)));
      const turn = turns.due(signal);
      if (turn !== undefined) await turn;
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

/**
 * Yields blocks; ends at the end of the file, which must not come within a block, and must come after the tail. Reads each block together
 * with the head of the next, and the next while the caller works.
 */
async function* blocks(
  reader: SnapshotReader,
  { bytesMax, signal }: Pick<ReadSnapshotOptions<KubeObject>, "bytesMax" | "signal">,
): AsyncGenerator<Block, void, undefined> {
  const start = await reader.read(blockHeadBytes);
  if (start.length === 0) return;
  let head: BlockHead | undefined = decodeBlockHead(start, 0);
  let [place, bytes] = [0, 0];
  const next = ({ paddedLength }: BlockHead): Promise<Uint8Array> => {
    bytes += blockHeadBytes + paddedLength;
    if (bytes > bytesMax) throw new SnapshotProblem(`it is larger than the limit of ${bytesMax} bytes`);
    const read = reader.read(paddedLength + blockHeadBytes);
    // Reported when it is awaited, unless the caller has stopped before.
    read.catch(() => undefined);
    return read;
  };
  for (let reading = next(head); ;) {
    const read = await reading;
    signal.throwIfAborted();
    const { type, paddedLength } = head;
    const content = decodeBlock(head, read.subarray(0, paddedLength), place);
    const after = read.subarray(paddedLength);
    if (type === "tail" && after.length > 0) throw new SnapshotProblem("there are bytes after its end");
    head = after.length === 0 ? undefined : decodeBlockHead(after, ++place);
    if (head !== undefined) reading = next(head);
    yield { type, content };
    if (head === undefined) return;
  }
}
