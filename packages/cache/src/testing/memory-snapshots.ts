/** A store of snapshots in memory, whose content and failures tests can set. */
import type { SnapshotReader, SnapshotStore, SnapshotWriter } from "../snapshot/snapshot-store.ts";

export class MemorySnapshots implements SnapshotStore {
  /** Committed snapshots by name. */
  readonly files: Map<string, Uint8Array> = new Map();
  /** Bytes until the disk is full. */
  capacity: number = Infinity;
  /** Whether reads never end. */
  hangs = false;
  /** Drafts that are neither committed nor discarded, and readers that are not closed. */
  open = 0;
  writes = 0;

  async read(name: string): Promise<SnapshotReader | undefined> {
    if (this.hangs) return new Promise(() => undefined);
    const file = this.files.get(name);
    if (file === undefined) return undefined;
    this.open++;
    let at = 0;
    return {
      read: (length) => Promise.resolve(file.slice(at, (at += length))),
      close: async () => {
        this.open--;
      },
    };
  }

  async write(name: string): Promise<SnapshotWriter> {
    this.open++;
    const parts: Uint8Array[] = [];
    let size = 0;
    return {
      write: async (bytes) => {
        size += bytes.length;
        if (size > this.capacity) throw new Error("ENOSPC: no space left on device");
        parts.push(bytes.slice());
      },
      commit: async () => {
        this.open--;
        this.writes++;
        this.files.set(name, joined(parts));
      },
      discard: async () => {
        this.open--;
      },
    };
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
