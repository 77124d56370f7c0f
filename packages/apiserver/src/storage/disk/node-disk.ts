/** `Disk` on the file system of Node. */
import { close, fdatasync, fstat, fsync, ftruncate, open, read, write } from "node:fs";
import { open as openHandle, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import type { Disk, DiskFile } from "./disk.ts";

const flags = { read: "r", write: "r+", create: "w+" } as const;
const openFile = promisify(open);
const closeFile = promisify(close);
const statFile = promisify(fstat);
const truncateFile = promisify(ftruncate);
const readFile = promisify(read);
const writeFile = promisify(write);
const syncData = promisify(fdatasync);
const syncAll = promisify(fsync);

/** When files are synced: always when the store asks for it, or never, so that data survive the process but not a power loss. */
export type DiskSyncs = "asked" | "never";

/** Returns the folder `path`, which must exist. Created files have the mode 0600. */
export function nodeDisk(path: string, syncs: DiskSyncs = "asked"): Disk {
  const at = (name: string): string => join(path, name);
  return {
    list: () => readdir(path),
    open: async (name, mode) => nodeFile(await openFile(at(name), flags[mode], 0o600), syncs),
    rename: (from, to) => rename(at(from), at(to)),
    remove: (name) => rm(at(name), { force: true }),
    syncFolder: async () => {
      // Windows cannot open folders; its file systems journal names.
      if (process.platform === "win32" || syncs === "never") return;
      const folder = await openHandle(path, "r");
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
    },
    crc32: (bytes, start) => crc32(bytes, start),
  };
}

function nodeFile(file: number, syncs: DiskSyncs): DiskFile {
  return {
    size: async () => (await statFile(file)).size,
    read: async (position, into) => {
      let done = 0;
      while (done < into.length) {
        const { bytesRead } = await readFile(file, into, done, into.length - done, position + done);
        if (bytesRead === 0) break;
        done += bytesRead;
      }
      return done;
    },
    write: async (position, bytes) => {
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await writeFile(file, bytes, done, bytes.length - done, position + done);
        done += bytesWritten;
      }
    },
    truncate: (size) => truncateFile(file, size),
    // macOS keeps data in the cache of the drive after fdatasync; Node's fsync uses F_FULLFSYNC there.
    sync: async () => {
      if (syncs === "asked") await (process.platform === "darwin" ? syncAll(file) : syncData(file));
    },
    close: () => closeFile(file),
  };
}
