/**
 * The host as the client sees it: environment, files and programs. `drover` passes the real one, tests a fake. Nothing else
 * in this package reads files or variables or starts processes.
 */
import { errorBrand } from "@drover/machinery";

/** One host. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What `~` expands to; undefined if the user has no home directory. */
  readonly homeDir: string | undefined;
  /** Absolute path that relative paths are resolved against. */
  readonly cwd: string;
  /** As Node names it: "linux", "darwin", "win32". */
  readonly platform: string;
  /** Whether a user at standard input can answer a prompt. */
  readonly isInteractive: boolean;
  /** Rejects with a `FileError`. */
  readFile(path: string): Promise<Uint8Array>;
  /** Writes a file atomically, readable by its owner only (0600, directories 0755). Rejects with a `FileError`. */
  writeFile(path: string, text: string): Promise<void>;
  /**
   * Runs `work` while holding the lock file beside `path`. Rejects with a `FileError` of reason "exists" if another process
   * holds the lock.
   */
  withFileLock<T>(path: string, work: () => Promise<T>): Promise<T>;
  /**
   * Runs a program without a shell until it exits. An abort kills it and its child processes, and rejects with the signal's
   * reason once it has exited; a program that shares the terminal is killed alone. Rejects with a `FileError` if it cannot
   * be started.
   */
  run(program: HostProgram, options: { readonly signal: AbortSignal }): Promise<HostProgramResult>;
}

/** A program and how to run it. */
export interface HostProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** "inherit" lets the program prompt the user: it reads our standard input, and its standard error appears on ours. */
  readonly stdin: "inherit" | "none";
}

/** How a program exited. */
export interface HostProgramResult {
  /** 128 plus the signal's number for a program that a signal killed, as in a shell. */
  readonly exitCode: number;
  readonly stdout: string;
  /** The last few kilobytes. May contain secrets: never logged. */
  readonly stderr: string;
}

/**
 * Why a file operation failed: the file does not exist, access is denied, it already exists, it is a directory or other
 * non-file, or another error.
 */
export type FileErrorReason = "missing" | "denied" | "exists" | "not-a-file" | "other";

const brand = errorBrand<FileError>("FileError");

/** A file could not be read or written, or a program not be started; the message names it. */
export class FileError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "FileError";
  readonly reason: FileErrorReason;
  readonly path: string;

  constructor(path: string, reason: FileErrorReason, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.path = path;
    this.reason = reason;
  }
}

/** Reports whether the error is a `FileError`, also one of another copy of this package. */
export function isFileError(error: unknown): error is FileError {
  return brand.is(error);
}
