/**
 * The kubeconfig file of `drover up`: checked before the server starts, written when it is ready, removed at the end.
 * Never overwrites or removes a file that no `drover up` has written, follows no link, and takes no file of a running
 * `drover up`.
 *
 *     takeKubeconfigFile(path) → { path, write(text), remove() }
 */
import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from "node:fs";
import { errorCode } from "@drover/machinery";
import { dirname, join, resolve } from "node:path";
import { CommandError } from "./command-error.ts";
import { createExclusive, isLink, readRegular } from "./exclusive-file.ts";
import { writerOf } from "./local-kubeconfig.ts";
import { stillServing } from "./still-serving.ts";

/** A kubeconfig file that this process may write. */
export interface KubeconfigFile {
  /** Absolute path. */
  readonly path: string;
  /** Writes the file atomically, readable only by its owner. */
  readonly write: (text: string) => void;
  /** Removes the file, unless another process has written it since. */
  readonly remove: () => void;
}

/** Default folder: created, ignored by git, and removed at the end. */
const ownFolder = ".drover";
/** By its text `drover up` recognises its own file, also after a crash. */
const ignoreText = "# Written by drover up, which removes it at the end.\n*\n";

/**
 * Checks that the file may be written. Rejects with a `CommandError` if it was not written by drover, or if the `drover
 * up` that wrote it is still running.
 *
 * @param given - the path; undefined is `.drover/kubeconfig` in the working directory
 */
export async function takeKubeconfigFile(given: string | undefined, cwd: string = process.cwd()): Promise<KubeconfigFile> {
  const path = resolve(cwd, given ?? join(ownFolder, "kubeconfig"));
  const folder = dirname(path);
  const own = given === undefined ? new OwnFolder(folder) : undefined;
  const leftBehind = await refuseOthers(path);
  if (given !== undefined && statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new CommandError(
      `${path} cannot be written: the folder ${folder} does not exist; create it, or choose another path with --kubeconfig`,
    );
  let written: string | undefined;
  const write = (text: string): void => {
    try {
      own?.make();
      if (leftBehind !== undefined) removeLeftBehind(path, leftBehind);
      createExclusive(path, text);
      written = text;
      // Also on an immediate exit.
      process.once("exit", remove);
    } catch (error) {
      if (errorCode(error) === "EEXIST")
        throw new CommandError(`another program has just written ${path}; choose another path with --kubeconfig`, { cause: error });
      throw new CommandError(`${path} cannot be written; choose another path with --kubeconfig`, { cause: error });
    }
  };
  const remove = (): void => {
    if (written === undefined) return;
    if (isSame(path, written)) rmSync(path, { force: true });
    own?.remove();
    written = undefined;
    process.off("exit", remove);
  };
  return { path, write, remove };
}

/** Returns the text of a file that an earlier `drover up` has left behind; undefined if there is no file. */
async function refuseOthers(path: string): Promise<string | undefined> {
  if (isLink(path)) throw new CommandError(`${path} is a link, which drover up does not follow; choose another path with --kubeconfig`);
  const text = read(path);
  if (text === undefined) return undefined;
  const writer = writerOf(text);
  if (writer === undefined)
    throw new CommandError(`${path} exists and was not written by drover; choose another path with --kubeconfig, or move the file`, {
      problemCode: "DRV0803",
    });
  const answer = await stillServing(writer);
  if (answer === "elsewhere")
    throw new CommandError(
      `${path} belongs to a drover up at ${writer.url}, which is not this machine; remove the file, or choose another path with --kubeconfig`,
    );
  if (answer === "yes")
    throw new CommandError(
      `${path} belongs to a running drover up, process ${writer.pid}; stop it first, or choose another path with --kubeconfig`,
      { problemCode: "DRV0802" },
    );
  return text;
}

/** Returns undefined if the file does not exist. */
function read(path: string): string | undefined {
  try {
    return readRegular(path);
  } catch (error) {
    throw new CommandError(`${path} exists and cannot be read; choose another path with --kubeconfig`, { cause: error });
  }
}

/** Another `drover up` may replace the file at the same time: what is moved away is compared, and moved back if it is not the old one. */
function removeLeftBehind(path: string, text: string): void {
  const aside = join(dirname(path), `.${randomUUID()}.tmp`);
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    throw error;
  }
  const moved = readRegular(aside);
  if (moved !== undefined && moved !== text) createExclusive(path, moved);
  rmSync(aside, { force: true });
}

/** Whether the file is the one that was written; kubectl may have changed its contexts since. */
function isSame(path: string, written: string): boolean {
  try {
    const [before, now] = [writerOf(written), writerOf(readRegular(path) ?? "")];
    return now !== undefined && before?.pid === now.pid && before.authorityPem === now.authorityPem;
  } catch {
    return false;
  }
}

/** The folder `.drover` with a `.gitignore`. Removes only what a `drover up` has created. */
class OwnFolder {
  readonly #path: string;
  #isMade = false;

  constructor(path: string) {
    this.#path = path;
    if (isLink(path))
      throw new CommandError(`${path} is a link, which drover up does not follow; remove it, or choose another path with --kubeconfig`);
  }

  make(): void {
    try {
      mkdirSync(this.#path, { mode: 0o700 });
      this.#isMade = true;
    } catch (error) {
      if (errorCode(error) !== "EEXIST" || isLink(this.#path)) throw error;
    }
    try {
      createExclusive(this.#ignore, ignoreText);
    } catch (error) {
      // The project's own, or a folder or link: it stays.
      if (errorCode(error) !== "EEXIST") throw error;
    }
  }

  remove(): void {
    try {
      if (isLink(this.#path) || readdirSync(this.#path).some((name) => name !== ".gitignore")) return;
      const isOurs = readRegular(this.#ignore) === ignoreText;
      if (isOurs) rmSync(this.#ignore, { force: true });
      if (isOurs || this.#isMade) rmdirSync(this.#path);
    } catch {
      // The folder is gone, or contains other files by now.
    }
  }

  get #ignore(): string {
    return join(this.#path, ".gitignore");
  }
}
