/**
 * The kubeconfig file of `drover up`: reserved before the server starts, written when it is ready, removed at the end.
 * Never overwrites a file of another program.
 *
 *     takeKubeconfigFile(path) → { path, write(text), remove() }
 */
import { errorCode } from "@drover/machinery";
import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { nodeHost } from "drover";
import { CommandError } from "./command-error.ts";
import { writerOf } from "./local-kubeconfig.ts";

/** A kubeconfig file that is reserved for this process. */
export interface KubeconfigFile {
  /** Absolute path. */
  readonly path: string;
  /** Writes the file atomically, readable only by its owner. */
  readonly write: (text: string) => Promise<void>;
  /** Removes the file, unless another process has written it since. */
  readonly remove: () => void;
}

/** Default folder: created, ignored by git, and removed at the end. */
const ownFolder = ".drover";

/**
 * Checks that the file may be written. Throws a `CommandError` if it was not written by drover, or if the `drover up`
 * that wrote it is still running.
 *
 * @param given - the path; undefined is `.drover/kubeconfig` in the working directory
 */
export function takeKubeconfigFile(given: string | undefined): KubeconfigFile {
  const path = resolve(given ?? join(ownFolder, "kubeconfig"));
  const folder = dirname(path);
  refuseOthers(path);
  if (given !== undefined && statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new CommandError(
      `${path} cannot be written: the folder ${folder} does not exist; create it, or choose another path with --kubeconfig`,
    );
  const write = async (text: string): Promise<void> => {
    if (given === undefined) makeOwnFolder(folder);
    try {
      await nodeHost().writeFile(path, text);
    } catch (error) {
      throw new CommandError(`${path} cannot be written; choose another path with --kubeconfig`, { cause: error });
    }
  };
  const remove = (): void => {
    if (writerOf(read(path) ?? "") !== process.pid) return;
    rmSync(path, { force: true });
    if (given === undefined) removeOwnFolder(folder);
  };
  // Also on an immediate exit.
  process.once("exit", remove);
  return { path, write, remove };
}

function refuseOthers(path: string): void {
  const text = read(path);
  if (text === undefined) return;
  const pid = writerOf(text);
  if (pid === undefined)
    throw new CommandError(`${path} exists and was not written by drover; choose another path with --kubeconfig, or move the file`);
  if (pid !== process.pid && isAlive(pid))
    throw new CommandError(
      `${path} belongs to a running drover up, process ${pid}; stop it first, or choose another path with --kubeconfig`,
    );
}

/** Returns undefined if the file does not exist. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new CommandError(`${path} exists and cannot be read; choose another path with --kubeconfig`, { cause: error });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return errorCode(error) === "EPERM";
  }
}

function makeOwnFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, ".gitignore"), "*\n");
}

function removeOwnFolder(folder: string): void {
  rmSync(join(folder, ".gitignore"), { force: true });
  try {
    rmdirSync(folder);
  } catch {
    // The folder contains other files.
  }
}
