/**
 * The machine as the client sees it: environment, files and programs. `drover` hands in the real one; a test hands in three lines.
 * Nothing else in this package reads a file, a variable, or starts a process.
 */
import { errorBrand } from "@drover/machinery";

/** One machine. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where `~` leads; undefined when the user has no home. */
  readonly homeDir: string | undefined;
  /** Where relative paths lead: absolute. */
  readonly cwd: string;
  /** As Node names it: "linux", "darwin", "win32". */
  readonly platform: string;
  /** Whether somebody sits at the standard input and could answer a question. */
  readonly isInteractive: boolean;
  /** Rejects with a `FileError`. */
  readFile(path: string): Promise<Uint8Array>;
  /** Writes a file whole or not at all, readable by its owner only (0600, folders 0755). Rejects with a `FileError`. */
  writeFile(path: string, text: string): Promise<void>;
  /** Runs `work` while holding the lock file beside `path`; rejects with a `FileError` of reason "exists" when another holds it. */
  withFileLock<T>(path: string, work: () => Promise<T>): Promise<T>;
  /**
   * Runs a program without a shell until it ends. An abort ends it and everything it started, and rejects with the
   * signal's reason once it is gone; a program
   * that shares the terminal is ended alone. Rejects with a `FileError` when it cannot be started.
   */
  run(program: HostProgram, options: { readonly signal: AbortSignal }): Promise<HostProgramResult>;
}

/** What to run, and how. */
export interface HostProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** "inherit" lets the program ask the user: it reads our standard input, and what it says on its standard error is shown on ours. */
  readonly stdin: "inherit" | "none";
}

/** How a program ended. */
export interface HostProgramResult {
  /** 128 and the signal's number for a program that a signal ended, as a shell shows it. */
  readonly exitCode: number;
  readonly stdout: string;
  /** The last few kilobytes. May hold secrets: never logged. */
  readonly stderr: string;
}

/**
 * Why something could not be done with a file: it is not there, we may not, it is there already, it is a folder or the
 * like, or something else.
 */
export type FileErrorReason = "missing" | "denied" | "exists" | "not-a-file" | "other";

const brand = errorBrand<FileError>("FileError");

/** A file that could not be read, written or started; the message names it. */
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
