/**
 * One folder of a file system, as the store on disk needs it. `nodeDisk` is the real one; tests put a model under the store that
 * crashes, tears writes and runs full.
 *
 *     DiskStore → DiskLog, checkpoint → Disk
 */
import type { ProblemCode } from "@drover/machinery/codes";

/** The files of a folder, by name. */
export interface Disk {
  /** Names of all entries. */
  list(): Promise<readonly string[]>;
  /** Opens an existing file, or creates an empty one over whatever had the name. Only its owner can read a created file. */
  open(name: string, mode: "read" | "write" | "create"): Promise<DiskFile>;
  /** Renames a file over any file of that name. */
  rename(from: string, to: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** Makes creations, renames and removals durable. */
  syncFolder(): Promise<void>;
  /** CRC-32 of the bytes, continued from another value. */
  crc32(bytes: Uint8Array, start: number): number;
}

/** An open file. Calls reject with the error of the system, whose `code` is ENOSPC, EIO, … */
export interface DiskFile {
  size(): Promise<number>;
  /** Fills as much of `into` as the file has from `position` on, and returns the number of bytes. */
  read(position: number, into: Uint8Array): Promise<number>;
  /** Writes all bytes. When it rejects, any part of them may be in the file. */
  write(position: number, bytes: Uint8Array): Promise<void>;
  truncate(size: number): Promise<void>;
  /** Makes everything written so far durable, with the size of the file. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** A data folder that cannot be used as it is. The message names the file, the position and the fix. */
export class DataFolderError extends Error {
  override readonly name = "DataFolderError";
  readonly problemCode: ProblemCode | undefined;

  constructor(message: string, { cause, problemCode }: { readonly cause?: unknown; readonly problemCode?: ProblemCode } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.problemCode = problemCode;
  }
}
