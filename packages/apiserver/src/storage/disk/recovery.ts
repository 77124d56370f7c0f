/**
 * Opens the files of a store: the newest checkpoint and the writes after it.
 *
 *     names → checkpoint → onCheckpoint · segments in order → onRecord → the end of the log
 */
import { DataFolderError } from "./disk.ts";
import type { Disk } from "./disk.ts";
import { checkpointName, readCheckpoint, writeCheckpoint } from "./checkpoint.ts";
import { draftSuffix, segmentName } from "./disk-log.ts";
import type { Segment } from "./disk-log.ts";
import { damaged, fileHeader, fileHeaderBytes, readFileHeader, readFrames, seedOf } from "./frame.ts";
import type { Frame } from "./frame.ts";
import type { DiskRecord, DiskStored } from "./record.ts";
import type { Revision } from "../store.ts";

/** Receives the state of the store. */
export interface RecoveryVisitor {
  /** The values of the checkpoint, in the order of keys; called repeatedly. */
  readonly onValues: (values: readonly DiskStored[]) => void;
  /** The checkpoint is complete. */
  readonly onCheckpoint: (revision: Revision) => void;
  /** The writes after the checkpoint, in order. */
  readonly onRecord: (record: DiskRecord) => void;
}

/** What the folder has. */
export interface Recovered {
  readonly storeId: string;
  readonly checkpointRevision: Revision;
  readonly checkpointBytes: number;
  /** Needed segments; the last one is the one to write. Its size ends with the last complete write. */
  readonly segments: readonly Segment[];
  /** Bytes of an interrupted write after the last complete one. */
  readonly tornBytes: number;
  /** Files that are not needed any more. */
  readonly leftovers: readonly string[];
}

const namePattern = /^(?<revision>\d{16,})\.(?<kind>log|checkpoint)$/;

function revisionsIn(names: readonly string[], kind: string): readonly Revision[] {
  const found = names.map((name) => namePattern.exec(name)?.groups);
  return found.flatMap((groups) => (groups?.["kind"] === kind ? [Number(groups["revision"])] : [])).toSorted((a, b) => a - b);
}

/** Reports whether a folder has a store. An interrupted creation is none. */
export const hasStore = (names: readonly string[]): boolean => revisionsIn(names, "checkpoint").length > 0;

/** Creates a store with these values. The checkpoint comes last: without it there is no store. */
export async function createStore(
  disk: Disk,
  {
    storeId,
    revision,
    values,
  }: { readonly storeId: string; readonly revision: Revision; readonly values: AsyncIterable<DiskStored> | Iterable<DiskStored> },
): Promise<void> {
  const file = await disk.open(segmentName(revision), "create");
  try {
    await file.write(0, fileHeader(disk, { kind: "log", storeId, revision }));
    await file.sync();
  } finally {
    await file.close();
  }
  await disk.syncFolder();
  await writeCheckpoint(disk, { storeId, revision, values });
}

/** Reads everything and changes nothing. Throws a `DataFolderError` that names the first damaged file. */
export async function recover(disk: Disk, visitor: RecoveryVisitor): Promise<Recovered> {
  const names = await disk.list();
  const checkpoint = revisionsIn(names, "checkpoint").at(-1);
  if (checkpoint === undefined) throw new DataFolderError("the folder has no checkpoint, so it is not one of a store");
  const { storeId, size } = await readCheckpoint(disk, checkpointName(checkpoint), visitor.onValues);
  visitor.onCheckpoint(checkpoint);
  const bases = revisionsIn(names, "log");
  const first = bases.findLastIndex((base) => base <= checkpoint);
  if (first === -1)
    throw new DataFolderError(`the log segment ${segmentName(checkpoint)} or the one before it is missing; restore it from a copy`);
  const reader = new SegmentReader({ disk, storeId, checkpoint, onRecord: visitor.onRecord });
  for (const base of bases.slice(first)) if (!(await reader.read(base))) break;
  const { segments, tornBytes, isOpen } = reader.end();
  if (!isOpen)
    throw new DataFolderError(
      `the log segment ${segmentName(reader.revision)} is missing: the one before it is sealed; restore it from a copy`,
    );
  const needed = new Set([checkpointName(checkpoint), ...segments.map(({ name }) => name)]);
  const leftovers = names.filter((name) => (namePattern.test(name) || name.endsWith(draftSuffix)) && !needed.has(name));
  return { storeId, checkpointRevision: checkpoint, checkpointBytes: size, segments, tornBytes, leftovers };
}

interface SegmentReaderOptions {
  readonly disk: Disk;
  readonly storeId: string;
  readonly checkpoint: Revision;
  readonly onRecord: (record: DiskRecord) => void;
}

/** Reads segments in order and checks that no write is missing between them. */
class SegmentReader {
  readonly #options: SegmentReaderOptions;
  readonly #segments: Segment[] = [];
  /** The newest revision read. */
  revision: Revision = 0;
  #isSealed = true;
  #tornBytes = 0;

  constructor(options: SegmentReaderOptions) {
    this.#options = options;
  }

  /** Returns whether there may be a next one. */
  async read(base: Revision): Promise<boolean> {
    const { disk, storeId } = this.#options;
    const name = segmentName(base);
    const file = await disk.open(name, "read");
    try {
      const header = await readFileHeader(disk, file, name);
      if (header.storeId !== storeId) throw damaged(name, 16, "it belongs to another store");
      if (header.kind !== "log" || header.revision !== base)
        throw damaged(name, 32, `it is the ${header.kind} of revision ${header.revision} and was renamed`);
      if (!this.#isSealed) {
        // Created for a change of segments that was interrupted.
        const { offset } = await readFrames({ disk, file, name, seed: seedOf(disk, storeId) }, () => undefined);
        const { name: before, size: end } = this.#segments.at(-1) as Segment;
        if (offset > fileHeaderBytes) throw damaged(before, end, `a checksum is wrong, and the log goes on in ${name}`);
        return true;
      }
      if (this.#segments.length > 0 && base !== this.revision)
        throw new DataFolderError(
          `the log segment ${segmentName(this.revision)} is missing: ${name} is the next one; restore it from a copy`,
        );
      this.revision = base;
      this.#isSealed = false;
      const { offset, size } = await readFrames({ disk, file, name, seed: seedOf(disk, storeId) }, (frame) => this.#take(name, frame));
      if (this.#isSealed && offset < size) throw damaged(name, offset, "data follow the end of a sealed segment");
      this.#tornBytes = size - offset;
      this.#segments.push({ base, name, size: offset });
      return true;
    } finally {
      await file.close();
    }
  }

  end(): { readonly segments: readonly Segment[]; readonly tornBytes: number; readonly isOpen: boolean } {
    return { segments: this.#segments, tornBytes: this.#tornBytes, isOpen: !this.#isSealed && this.revision >= this.#options.checkpoint };
  }

  #take(name: string, { kind, offset, position, records }: Frame): void {
    if (this.#isSealed || position !== this.revision || kind === "complete")
      throw damaged(name, offset, `the writes after revision ${this.revision} are missing`);
    this.#isSealed = kind === "sealed";
    for (const record of records) {
      this.revision++;
      if (record.revision !== this.revision) throw damaged(name, offset, `the write of revision ${this.revision} is missing`);
      if (record.revision > this.#options.checkpoint) this.#options.onRecord(record);
    }
  }
}
