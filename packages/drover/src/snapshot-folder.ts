/**
 * Keeps snapshots of caches as files of a folder.
 *
 *     connect({ snapshot: { store: snapshotFolder("/var/cache/shop-operator") } })
 */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, readdir, rename, stat, unlink } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { SnapshotReader, SnapshotStore, SnapshotWriter } from "@drover/cache";
import { FileError } from "@drover/client";
import { asFileError } from "./file-problem.ts";

const ending = ".snapshot";
const draftEnding = ".tmp";
/** A draft that was not written to for so long is of a process that has crashed. */
const draftMsMax = 10 * 60_000;
/** A snapshot that was not replaced for so long is of a cache that no program has any more. */
const snapshotMsMax = 7 * 24 * 3600_000;

/**
 * Returns a store of snapshots in a folder, which it creates. Use one folder per user: a snapshot contains every object of a cache.
 *
 * Guarantees: a snapshot is replaced as a whole, also by several processes, and survives a crash of the machine; only its owner can read
 * it, and a file of another user is not read. Removes drafts that were abandoned for ten minutes, and snapshots that were not replaced
 * for a week.
 */
export function snapshotFolder(path: string): SnapshotStore {
  if (path === "") throw new TypeError("snapshotFolder: the path is empty; name a folder that only this program uses");
  return {
    read: (name) => openSnapshot(join(path, fileName(name))),
    write: async (name) => {
      await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
        throw asFileError(path, "write", error);
      });
      await removeAbandoned(path);
      return FileDraft.create(path, fileName(name));
    },
  };
}

function fileName(name: string): string {
  if (!/^[A-Za-z0-9-][A-Za-z0-9.-]{0,199}$/.test(name)) throw new TypeError(`a snapshot cannot be called ${JSON.stringify(name)}`);
  return `${name}${ending}`;
}

async function openSnapshot(path: string): Promise<SnapshotReader | undefined> {
  let handle: FileHandle;
  try {
    // Non-blocking, because opening a pipe waits for its writer.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const problem = asFileError(path, "read", error);
    if (problem.reason === "missing") return undefined;
    throw problem;
  }
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw new FileError(path, "not-a-file", `${path} is not a regular file`);
    const own = process.getuid?.();
    if (own !== undefined && found.uid !== own)
      throw new FileError(path, "other", `${path} belongs to user ${found.uid}, not to this process (${own}); use a folder of its own`);
  } catch (error) {
    await handle.close();
    throw asFileError(path, "read", error);
  }
  return { read: (length) => readExactly(path, handle, length), close: () => handle.close() };
}

/** Reads into new memory; fewer bytes only at the end of the file. */
async function readExactly(path: string, handle: FileHandle, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  try {
    for (let filled = 0; filled < length;) {
      const { bytesRead } = await handle.read(bytes, filled, length - filled);
      if (bytesRead === 0) return bytes.subarray(0, filled);
      filled += bytesRead;
    }
    return bytes;
  } catch (error) {
    throw asFileError(path, "read", error);
  }
}

class FileDraft implements SnapshotWriter {
  readonly #handle: FileHandle;
  readonly #folder: string;
  readonly #draft: string;
  readonly #target: string;

  private constructor(handle: FileHandle, folder: string, draft: string, target: string) {
    this.#handle = handle;
    this.#folder = folder;
    this.#draft = draft;
    this.#target = target;
  }

  static async create(folder: string, name: string): Promise<FileDraft> {
    const draft = join(folder, `.${name}.${randomUUID()}${draftEnding}`);
    try {
      return new FileDraft(await open(draft, "wx", 0o600), folder, draft, join(folder, name));
    } catch (error) {
      throw asFileError(draft, "write", error);
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    try {
      for (let written = 0; written < bytes.length;)
        written += (await this.#handle.write(bytes, written, bytes.length - written)).bytesWritten;
    } catch (error) {
      throw asFileError(this.#draft, "write", error);
    }
  }

  async commit(): Promise<void> {
    try {
      // Otherwise a crash of the machine may leave an incomplete file under the new name.
      await this.#handle.sync();
      await this.#handle.close();
      await rename(this.#draft, this.#target);
      await syncFolder(this.#folder);
    } catch (error) {
      throw asFileError(this.#target, "write", error);
    }
  }

  async discard(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
    await unlink(this.#draft).catch(() => undefined);
  }
}

/** Makes a rename durable. Windows cannot open folders, and needs no such call. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(path, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  const nowMs = Date.now();
  for (const name of await readdir(folder).catch(() => [])) {
    const isDraft = name.startsWith(".") && name.endsWith(draftEnding) && name.includes(ending);
    if (!isDraft && !name.endsWith(ending)) continue;
    const path = join(folder, name);
    const age = await stat(path).then(
      ({ mtimeMs }) => nowMs - mtimeMs,
      () => 0,
    );
    if (age > (isDraft ? draftMsMax : snapshotMsMax)) await unlink(path).catch(() => undefined);
  }
}
