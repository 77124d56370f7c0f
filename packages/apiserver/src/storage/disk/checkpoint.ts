/**
 * Checkpoints: the whole state at one revision in one file, in the order of keys.
 *
 *     writeCheckpoint: draft → sync → rename → sync folder      readCheckpoint: file → sorted values
 */
import type { Disk } from "./disk.ts";
import { draftSuffix } from "./disk-log.ts";
import {
  damaged,
  emptyFrame,
  fileHeader,
  fileHeaderBytes,
  frameHeaderBytes,
  readFileHeader,
  readFrames,
  sealFrame,
  seedOf,
} from "./frame.ts";
import { RecordWriter } from "./record.ts";
import type { DiskStored } from "./record.ts";
import type { Revision } from "../store.ts";

/** Encoded in one go, which takes about a millisecond. */
const sliceBytes = 512 * 1024;

export const checkpointName = (revision: Revision): string => `${String(revision).padStart(16, "0")}.checkpoint`;

export interface CheckpointContents {
  readonly storeId: string;
  readonly revision: Revision;
  /** In the order of keys. */
  readonly values: Iterable<DiskStored> | AsyncIterable<DiskStored>;
}

/** Writes a checkpoint and returns its size. When it rejects, no file of that name is new. */
export async function writeCheckpoint(disk: Disk, { storeId, revision, values }: CheckpointContents): Promise<number> {
  const name = checkpointName(revision);
  const draft = name + draftSuffix;
  const seed = seedOf(disk, storeId);
  const file = await disk.open(draft, "create");
  let [size, total] = [0, 0];
  const write = async (bytes: Uint8Array): Promise<void> => {
    await file.write(size, bytes);
    size += bytes.length;
  };
  const records = new RecordWriter(frameHeaderBytes);
  const flush = async (): Promise<void> => {
    if (records.count === 0) return;
    await write(sealFrame(disk, records.bytes(), { kind: "records", count: records.count, position: total, seed }));
    total += records.count;
    records.clear();
  };
  try {
    await write(fileHeader(disk, { kind: "checkpoint", storeId, revision }));
    for await (const slice of slicesOf(values)) {
      for (const current of slice) {
        records.add({ key: current.key, revision: current.modRevision, current });
        if (records.size >= sliceBytes) await flush();
      }
    }
    await flush();
    await write(emptyFrame(disk, "complete", total, seed));
    await file.sync();
  } catch (error) {
    await file.close().catch(() => undefined);
    await disk.remove(draft).catch(() => undefined);
    throw error;
  }
  await file.close();
  await disk.rename(draft, name);
  await disk.syncFolder();
  return size;
}

/** A synchronous source is one slice, because awaiting each value would take longer than writing it. */
async function* slicesOf(values: CheckpointContents["values"]): AsyncGenerator<Iterable<DiskStored>, void, undefined> {
  if (Symbol.iterator in values) yield values;
  else for await (const value of values) yield [value];
}

export interface ReadCheckpoint {
  readonly storeId: string;
  readonly revision: Revision;
  readonly size: number;
}

/** Passes all values to `onValues`, in the order of keys. Throws a `DataFolderError` if anything is wrong with the file. */
export async function readCheckpoint(disk: Disk, name: string, onValues: (values: readonly DiskStored[]) => void): Promise<ReadCheckpoint> {
  const file = await disk.open(name, "read");
  try {
    const { kind, storeId, revision } = await readFileHeader(disk, file, name);
    if (kind !== "checkpoint" || name !== checkpointName(revision))
      throw damaged(name, 0, `it is the ${kind} of revision ${revision} and was renamed`);
    let [total, isComplete, last] = [0, false, ""];
    const { offset, size } = await readFrames(
      { disk, file, name, seed: seedOf(disk, storeId) },
      ({ kind: frameKind, offset: at, position, records }) => {
        if (position !== total || isComplete) throw damaged(name, at, "its parts are not in their order");
        const values = records.map(({ current }) => current).filter((current) => current !== undefined);
        isComplete = frameKind === "complete";
        if (values.length !== records.length || (frameKind !== "records" && !isComplete)) throw damaged(name, at, "it is not a checkpoint");
        for (const { key, modRevision } of values) {
          if ((key <= last && total > 0) || modRevision > revision) throw damaged(name, at, `the key ${key} is out of order`);
          last = key;
          total++;
        }
        onValues(values);
      },
    );
    if (!isComplete || offset !== size) throw damaged(name, offset, "its end is missing");
    return { storeId, revision, size: Math.max(size, fileHeaderBytes) };
  } finally {
    await file.close();
  }
}
