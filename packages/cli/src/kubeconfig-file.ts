/**
 * The file `drover up` writes: taken before the server starts, filled when it is ready, gone when it has ended. Never a
 * file of somebody else.
 *
 *     takeKubeconfigFile(path) → { path, write(text), remove() }
 */
import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { nodeHost } from "drover";
import { CommandError } from "./command-error.ts";
import { writerOf } from "./local-kubeconfig.ts";

export interface KubeconfigFile {
  /** From the root. */
  readonly path: string;
  /** Readable by its owner alone, and there whole or not at all. */
  readonly write: (text: string) => Promise<void>;
  /** Does nothing when the file is another's by now. */
  readonly remove: () => void;
}

/** The folder that is made, hidden from git and removed again when no path is given. */
const ownFolder = ".drover";

/**
 * Looks whether the file may be written. Rejects with a `CommandError` when something stands there that drover did not
 * write, or when the `drover up` that wrote it
 * is still alive.
 *
 * @param given - the path; undefined is `.drover/kubeconfig` in the folder of the process
 */
export function takeKubeconfigFile(given: string | undefined): KubeconfigFile {
  const path = resolve(given ?? join(ownFolder, "kubeconfig"));
  const folder = dirname(path);
  refuseOthers(path);
  if (given !== undefined && statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new CommandError(`${path} cannot be written: there is no folder ${folder}; make it, or choose another place with --kubeconfig`);
  const write = async (text: string): Promise<void> => {
    if (given === undefined) makeOwnFolder(folder);
    try {
      await nodeHost().writeFile(path, text);
    } catch (error) {
      throw new CommandError(`${path} cannot be written; choose another place with --kubeconfig`, { cause: error });
    }
  };
  const remove = (): void => {
    if (writerOf(read(path) ?? "") !== process.pid) return;
    rmSync(path, { force: true });
    if (given === undefined) removeOwnFolder(folder);
  };
  // Also when the process is ended in a hurry.
  process.once("exit", remove);
  return { path, write, remove };
}

function refuseOthers(path: string): void {
  const text = read(path);
  if (text === undefined) return;
  const pid = writerOf(text);
  if (pid === undefined)
    throw new CommandError(
      `${path} is there already, and drover did not write it; choose another place with --kubeconfig, or move it away`,
    );
  if (pid !== process.pid && isAlive(pid))
    throw new CommandError(
      `${path} belongs to a drover up that is running, process ${pid}; end it first, or choose another place with --kubeconfig`,
    );
}

/** Undefined when there is no file. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new CommandError(`${path} is there already and cannot be read; choose another place with --kubeconfig`, { cause: error });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, and somebody else's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
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
    // Something of somebody else is in it.
  }
}
