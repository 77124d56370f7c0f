/**
 * A disk in memory that knows what is durable: unsynced writes and names may be lost, in any combination, when it crashes. Calls can fail
 * and the disk can stop at any of them.
 */
import { crc32 } from "node:zlib";
import type { Disk, DiskFile } from "../storage/disk/disk.ts";

/** What to do with one call: perform it, fail with this code, or stop for ever before or after it is performed. */
export type CallFate = "perform" | "stop before" | "stop after" | { readonly code: string; readonly isPartial?: boolean };

export interface DiskCall {
  readonly index: number;
  readonly what: "open" | "write" | "truncate" | "sync" | "rename" | "remove" | "sync folder";
  readonly name: string;
}

type DataChange = { readonly at: number; readonly bytes: Buffer } | { readonly size: number };

interface Inode {
  durable: Buffer;
  live: Buffer;
  /** Not durable yet. */
  changes: DataChange[];
}

type NameChange =
  | { readonly add: string; readonly remove?: string; readonly inode: Inode }
  | { readonly add?: undefined; readonly remove: string };

/** What happens to one change that was not synced: nothing of it, all, or one half of a write is on the disk. */
export type Survival = "lost" | "kept" | "first half" | "second half";

export class ModelDisk implements Disk {
  readonly #durableNames: Map<string, Inode>;
  #names: Map<string, Inode>;
  #nameChanges: NameChange[] = [];
  readonly calls: DiskCall[] = [];
  fate: (call: DiskCall) => CallFate = () => "perform";
  #isStopped = false;
  #onStop: () => void = () => undefined;
  /** Resolves when a call stopped the disk. */
  readonly stopped: Promise<void> = new Promise((resolve) => (this.#onStop = resolve));

  constructor(files: ReadonlyMap<string, Buffer> = new Map()) {
    const inodes = [...files].map(([name, bytes]): [string, Inode] => [name, { durable: bytes, live: bytes, changes: [] }]);
    this.#names = new Map(inodes);
    this.#durableNames = new Map(inodes);
  }

  /** Current contents, as every process sees them. */
  files(): Map<string, Buffer> {
    return new Map([...this.#names].map(([name, { live }]) => [name, Buffer.from(live)]));
  }

  /** Number of changes that a crash may lose. */
  get unsynced(): number {
    return this.#nameChanges.length + this.#inodes().reduce((sum, { changes }) => sum + changes.length, 0);
  }

  /** The disk after a crash, with one survival for each unsynced change: names first, then data. */
  crashed(survivals: readonly Survival[]): ModelDisk {
    const names = new Map(this.#durableNames);
    let next = 0;
    for (const change of this.#nameChanges) {
      if (survivals[next++] === "lost") continue;
      if (change.remove !== undefined) names.delete(change.remove);
      if (change.add !== undefined) names.set(change.add, change.inode);
    }
    const contents = new Map<Inode, Buffer>();
    for (const inode of this.#inodes()) {
      let bytes = inode.durable;
      for (const change of inode.changes) bytes = survived(bytes, change, survivals[next++] ?? "lost");
      contents.set(inode, bytes);
    }
    return new ModelDisk(new Map([...names].map(([name, inode]) => [name, contents.get(inode) ?? inode.durable])));
  }

  list(): Promise<readonly string[]> {
    return Promise.resolve([...this.#names.keys()]);
  }

  async open(name: string, mode: "read" | "write" | "create"): Promise<DiskFile> {
    let inode = this.#names.get(name);
    if (mode === "create") {
      await this.#call("open", name, () => {
        inode = { durable: Buffer.alloc(0), live: Buffer.alloc(0), changes: [] };
        this.#names.set(name, inode);
        this.#nameChanges.push({ add: name, inode });
      });
    }
    if (inode === undefined) throw failure("ENOENT");
    return this.#file(inode, name);
  }

  rename(from: string, to: string): Promise<void> {
    return this.#call("rename", from, () => {
      const inode = this.#names.get(from);
      if (inode === undefined) throw failure("ENOENT");
      this.#names.delete(from);
      this.#names.set(to, inode);
      this.#nameChanges.push({ add: to, remove: from, inode });
    });
  }

  remove(name: string): Promise<void> {
    return this.#call("remove", name, () => {
      if (this.#names.delete(name)) this.#nameChanges.push({ remove: name });
    });
  }

  syncFolder(): Promise<void> {
    return this.#call("sync folder", "", () => {
      this.#durableNames.clear();
      for (const [name, inode] of this.#names) this.#durableNames.set(name, inode);
      this.#nameChanges = [];
    });
  }

  crc32(bytes: Uint8Array, start: number): number {
    return crc32(bytes, start);
  }

  #inodes(): readonly Inode[] {
    const changed = this.#nameChanges.flatMap((change) => (change.add === undefined ? [] : [change.inode]));
    return [...new Set([...this.#durableNames.values(), ...changed, ...this.#names.values()])];
  }

  #file(inode: Inode, name: string): DiskFile {
    const change = (what: DataChange): void => {
      inode.live = survived(inode.live, what, "kept");
      inode.changes.push(what);
    };
    return {
      size: () => Promise.resolve(inode.live.length),
      read: (position, into) => Promise.resolve(inode.live.copy(into, 0, position)),
      write: (at, bytes) => {
        const copy = Buffer.from(bytes);
        return this.#call(
          "write",
          name,
          () => change({ at, bytes: copy }),
          () => change({ at, bytes: copy.subarray(0, copy.length >> 1) }),
        );
      },
      truncate: (size) => this.#call("truncate", name, () => change({ size })),
      sync: () =>
        this.#call("sync", name, () => {
          inode.durable = inode.live;
          inode.changes = [];
        }),
      close: () => Promise.resolve(),
    };
  }

  async #call(what: DiskCall["what"], name: string, perform: () => void, performPart: () => void = () => undefined): Promise<void> {
    // A real disk never answers in the same turn.
    await Promise.resolve();
    if (this.#isStopped) return await forever();
    const call = { index: this.calls.length, what, name };
    this.calls.push(call);
    const fate = this.fate(call);
    this.#isStopped = fate === "stop before" || fate === "stop after";
    if (this.#isStopped) this.#onStop();
    if (fate === "stop before") return await forever();
    if (typeof fate === "object") {
      if (fate.isPartial === true) performPart();
      throw failure(fate.code);
    }
    perform();
    if (fate === "stop after") return await forever();
  }
}

const forever = (): Promise<never> => new Promise(() => undefined);

const failure = (code: string): Error => Object.assign(new Error(`${code}: the disk of the test failed`), { code });

function survived(bytes: Buffer, change: DataChange, survival: Survival): Buffer {
  if (survival === "lost") return bytes;
  if ("size" in change) return Buffer.concat([bytes.subarray(0, change.size), Buffer.alloc(Math.max(0, change.size - bytes.length))]);
  const half = change.bytes.length >> 1;
  const [from, to] = survival === "first half" ? [0, half] : [survival === "second half" ? half : 0, change.bytes.length];
  const result = Buffer.alloc(Math.max(bytes.length, change.at + to));
  bytes.copy(result);
  change.bytes.copy(result, change.at + from, from, to);
  return result;
}
