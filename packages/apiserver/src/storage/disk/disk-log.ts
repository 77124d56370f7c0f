/**
 * The log of a store on disk: segments, each named after the revision before its first write. Only the last one is written.
 *
 *     append(frame): write → sync      rotate(): new segment → sync → rename → sync folder → old one sealed → sync
 */
import { errorCode, errorText } from "@drover/machinery";
import type { Disk, DiskFile } from "./disk.ts";
import { emptyFrame, fileHeader, fileHeaderBytes } from "./frame.ts";
import { SpaceExceededError, StoreUnavailableError } from "../store.ts";
import type { Revision } from "../store.ts";

/** A segment. */
export interface Segment {
  /** The revision before its first write. */
  readonly base: Revision;
  readonly name: string;
  readonly size: number;
}

export const segmentName = (base: Revision): string => `${String(base).padStart(16, "0")}.log`;
/** Files under this suffix are incomplete; opening the folder removes them. */
export const draftSuffix = ".tmp";

export interface DiskLogOptions {
  readonly disk: Disk;
  readonly storeId: string;
  readonly seed: number;
  /** Size at which a new segment is started. */
  readonly segmentBytes: number;
  /** Segments before the last one, by revision. */
  readonly older: readonly Segment[];
  readonly last: Segment;
  /** The last segment, open for writing. */
  readonly file: DiskFile;
}

/**
 * Guarantees: `append` resolves after the frame is durable. When it rejects with a `SpaceExceededError`, nothing of it is in the log and
 * the next one may succeed; any other error ends all writing, because what is on the disk is unknown.
 */
export class DiskLog {
  readonly #options: Pick<DiskLogOptions, "disk" | "storeId" | "seed" | "segmentBytes">;
  #older: Segment[];
  #file: DiskFile;
  #base: Revision;
  /** Where the next frame goes. */
  #size: number;
  #problem: string | undefined;

  constructor({ older, last, file, ...options }: DiskLogOptions) {
    this.#options = options;
    this.#older = [...older];
    this.#file = file;
    this.#base = last.base;
    this.#size = last.size;
  }

  /** Why nothing can be written until the folder is opened again; undefined if it can. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Size of all segments. */
  get bytes(): number {
    return this.#older.reduce((sum, { size }) => sum + size, this.#size);
  }

  /** `newest` is the revision before the frame. */
  async append(frame: Uint8Array, newest: Revision): Promise<void> {
    if (this.#size > fileHeaderBytes && this.#size + frame.length > this.#options.segmentBytes) await this.rotate(newest);
    await this.#write(frame);
  }

  /** Starts a new segment, unless the last one is empty. */
  async rotate(newest: Revision): Promise<void> {
    this.#throwProblem();
    if (this.#size === fileHeaderBytes) return;
    const { disk, storeId, seed } = this.#options;
    const name = segmentName(newest);
    const next = await this.#created(name, fileHeader(disk, { kind: "log", storeId, revision: newest }));
    try {
      await this.#write(emptyFrame(disk, "sealed", newest, seed));
    } catch (error) {
      await next.close().catch(() => undefined);
      throw error;
    }
    const old = this.#file;
    this.#older.push({ base: this.#base, name: segmentName(this.#base), size: this.#size });
    [this.#file, this.#base, this.#size] = [next, newest, fileHeaderBytes];
    await old.close().catch(() => undefined);
  }

  /** Removes the segments that have only writes up to `revision`. */
  async dropThrough(revision: Revision): Promise<void> {
    while (this.#older.length > 0 && (this.#older[1]?.base ?? this.#base) <= revision) {
      const [{ name }] = this.#older as [Segment];
      await this.#options.disk.remove(name);
      this.#older.shift();
    }
  }

  /** Marks the log as closed in order and closes its file. */
  async close(newest: Revision): Promise<void> {
    const { disk, seed } = this.#options;
    if (this.#problem === undefined && this.#size > fileHeaderBytes) await this.#mark(emptyFrame(disk, "closed", newest, seed));
    await this.#file.close();
  }

  /** Only helps to recognise damage, so the store closes without it where it fails. */
  async #mark(frame: Uint8Array): Promise<void> {
    await this.#write(frame).catch(() => undefined);
  }

  /** Creates a segment that is complete and durable under its name. */
  async #created(name: string, header: Uint8Array): Promise<DiskFile> {
    const { disk } = this.#options;
    let file: DiskFile | undefined;
    try {
      file = await disk.open(name + draftSuffix, "create");
      await file.write(0, header);
      await file.sync();
      await disk.rename(name + draftSuffix, name);
      await disk.syncFolder();
      return file;
    } catch (error) {
      await file?.close().catch(() => undefined);
      // Nothing was written to the log, and an empty segment that nothing refers to is removed or replaced later.
      throw isFull(error) ? new SpaceExceededError() : this.#broken("creating a log segment", error);
    }
  }

  async #write(frame: Uint8Array): Promise<void> {
    this.#throwProblem();
    try {
      await this.#file.write(this.#size, frame);
    } catch (error) {
      if (!isFull(error)) throw this.#broken("writing", error);
      await this.#cut();
      throw new SpaceExceededError();
    }
    await this.#sync();
    this.#size += frame.length;
  }

  /** Removes what a failed write left, so that it cannot reappear after a crash. */
  async #cut(): Promise<void> {
    try {
      await this.#file.truncate(this.#size);
    } catch (error) {
      throw this.#broken("removing an incomplete write", error);
    }
    await this.#sync();
  }

  /** After a failed sync the system may report success for the next one without having written the data: never retried. */
  async #sync(): Promise<void> {
    try {
      await this.#file.sync();
    } catch (error) {
      throw this.#broken("syncing", error);
    }
  }

  #broken(what: string, error: unknown): StoreUnavailableError {
    this.#problem = `${what} failed: ${errorText(error)}`;
    return new StoreUnavailableError(this.#problem);
  }

  #throwProblem(): void {
    if (this.#problem !== undefined) throw new StoreUnavailableError(this.#problem);
  }
}

/** Reports whether a write failed for lack of space. */
export const isFull = (error: unknown): boolean => ["ENOSPC", "EDQUOT", "EFBIG"].includes(errorCode(error) ?? "");
