/**
 * Tools for a data folder that no server uses.
 *
 *     verifyData(path) · compactData(path) · exportData(path) → lines → importData(path, lines)
 */
import { decodeJson, errorText, isJsonObject } from "@drover/machinery";
import type { Runtime } from "@drover/machinery";
import { DataFolderError } from "../storage/disk/disk.ts";
import type { Disk } from "../storage/disk/disk.ts";
import { DiskStore } from "../storage/disk/disk-store.ts";
import { readFileHeader, readFrames, seedOf } from "../storage/disk/frame.ts";
import type { DiskStored } from "../storage/disk/record.ts";
import { createStore, hasStore, recover } from "../storage/disk/recovery.ts";
import type { Recovered } from "../storage/disk/recovery.ts";
import type { Revision } from "../storage/store.ts";
import { lockStore, newStoreId, prepare } from "./data-folder.ts";

/** What `verifyData` found. */
export interface DataReport {
  readonly files: number;
  readonly keys: number;
  readonly revision: Revision;
  /** Bytes of an interrupted write, which the next start removes. */
  readonly tornBytes: number;
  /** One text per damaged file; with damage the numbers above are 0. */
  readonly problems: readonly string[];
}

/** Reads all files, changes nothing, and lists all damage. */
export async function verifyData(path: string): Promise<DataReport> {
  return await withStore(path, async (disk) => {
    const names = (await disk.list()).filter((name) => /^\d+\.(?:log|checkpoint)$/.test(name));
    const problems: string[] = [];
    for (const name of names.toSorted()) await checkFile(disk, name).catch((error: unknown) => problems.push(errorText(error)));
    const nothing = { files: names.length, keys: 0, revision: 0, tornBytes: 0 };
    if (problems.length > 0) return { ...nothing, problems };
    try {
      const { state, revision, recovered } = await load(disk);
      return { files: names.length, keys: state.size, revision, tornBytes: recovered.tornBytes, problems };
    } catch (error) {
      return { ...nothing, problems: [errorText(error)] };
    }
  });
}

async function checkFile(disk: Disk, name: string): Promise<void> {
  const file = await disk.open(name, "read");
  try {
    const { storeId } = await readFileHeader(disk, file, name);
    await readFrames({ disk, file, name, seed: seedOf(disk, storeId) }, () => undefined);
  } finally {
    await file.close();
  }
}

/** Drops the history and the log: afterwards the folder has one checkpoint. Returns the sizes of its files before and after. */
export async function compactData(
  path: string,
  { clock, log }: Pick<Runtime, "clock" | "log">,
): Promise<{ readonly before: number; readonly after: number }> {
  return await withStore(path, async (disk) => {
    const store = await DiskStore.open({ disk, clock, log, newStoreId });
    const before = store.diskBytes;
    try {
      const revision = await store.revision();
      if (revision > (await store.compacted())) await store.compact(revision);
      await store.checkpoint();
      return { before, after: store.diskBytes };
    } finally {
      await store.end();
    }
  });
}

/** The first line of an export. */
const format = "drover-data/1";

/** Yields the newest state as lines of JSON: a header, then one line per key. Revisions and expiry times are kept, history is not. */
export async function* exportData(path: string): AsyncGenerator<string, void, undefined> {
  const { disk, unlock } = lockStore(path);
  try {
    const { state, revision } = await load(disk);
    yield `${JSON.stringify({ format, revision, keys: state.size })}\n`;
    for (const key of [...state.keys()].toSorted(byCodeUnits)) yield `${JSON.stringify(state.get(key))}\n`;
  } finally {
    unlock();
  }
}

/** Creates a data folder from the lines of an export; the folder must be new or empty. Returns the number of keys. */
export async function importData(path: string, lines: AsyncIterable<string>): Promise<number> {
  prepare(path);
  return await withStore(path, async (disk) => {
    if (hasStore(await disk.list())) throw new DataFolderError(`${path} has data already; import into a new folder`);
    const rest = lines[Symbol.asyncIterator]();
    const first = await rest.next();
    const head = objectIn(first.done === true ? "" : first.value, 1);
    const { revision, keys } = head;
    if (head["format"] !== format || typeof revision !== "number" || typeof keys !== "number")
      throw new DataFolderError(`line 1 is not the header of an export with the format ${format}`);
    let count = 0;
    async function* values(): AsyncGenerator<DiskStored, void, undefined> {
      let last: string | undefined;
      for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
        const stored = storedIn(next.value, { line: ++count + 1, revision: revision as number, last });
        last = stored.key;
        yield stored;
      }
      if (count !== keys) throw new DataFolderError(`the export is incomplete: it has ${count} of ${String(keys)} keys`);
    }
    await createStore(disk, { storeId: newStoreId(), revision, values: values() });
    return count;
  });
}

function storedIn(
  text: string,
  { line, revision, last }: { readonly line: number; readonly revision: Revision; readonly last: string | undefined },
): DiskStored {
  const { key, value, createRevision, modRevision, expiresAt } = objectIn(text, line);
  const isRevision = (found: unknown): found is Revision =>
    typeof found === "number" && Number.isInteger(found) && found > 0 && found <= revision;
  if (typeof key !== "string" || typeof value !== "string" || !isRevision(createRevision) || !isRevision(modRevision))
    throw new DataFolderError(`line ${line} lacks a key, a value, or revisions up to ${revision}`);
  if (last !== undefined && byCodeUnits(last, key) >= 0)
    throw new DataFolderError(`line ${line} has the key ${key}, which is out of order`);
  const stored = { key, value, createRevision, modRevision };
  return typeof expiresAt === "number" ? { ...stored, expiresAt } : stored;
}

function objectIn(text: string, line: number): Readonly<Record<string, unknown>> {
  try {
    const value = decodeJson(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    throw new DataFolderError(`line ${line} is not JSON: ${errorText(error)}`, { cause: error });
  }
  throw new DataFolderError(`line ${line} is not an object`);
}

/** The order of the store. */
const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

async function load(
  disk: Disk,
): Promise<{ readonly state: ReadonlyMap<string, DiskStored>; readonly revision: Revision; readonly recovered: Recovered }> {
  const state = new Map<string, DiskStored>();
  let revision = 0;
  const recovered = await recover(disk, {
    onValues: (values) => {
      for (const value of values) state.set(value.key, value);
    },
    onCheckpoint: (at) => (revision = at),
    onRecord: ({ key, revision: at, current }) => {
      revision = at;
      if (current === undefined) state.delete(key);
      else state.set(key, current);
    },
  });
  return { state, revision, recovered };
}

async function withStore<T>(path: string, work: (disk: Disk) => Promise<T>): Promise<T> {
  const { disk, unlock } = lockStore(path);
  try {
    return await work(disk);
  } finally {
    unlock();
  }
}
