/**
 * The folder for KUBEBUILDER_ASSETS, in the user's cache folder. Its name contains a hash of its content, so several versions and
 * installations of the command have one each.
 *
 *     files → dropInFolder → $XDG_CACHE_HOME/drover/envtest/0.1.0-4f3c…/{kube-apiserver,etcd,kubectl}
 */
import { createHash, randomUUID } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { errorText } from "@drover/machinery";
import { CommandError, isCommandError } from "../command-error.ts";

export interface DropInFolderOptions {
  /** Texts by name. */
  readonly files: ReadonlyMap<string, string>;
  readonly version: string;
  /** Environment of the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user who must own the folder. @default not checked */
  readonly uid?: number | undefined;
}

/**
 * Creates the folder, or repairs it, and returns its path. Every file is replaced at once, so processes that start it meanwhile find a
 * complete one, and two calls at a time do no harm. Throws a `CommandError` that names the folder and the fix.
 */
export function dropInFolder({ files, version, env, uid }: DropInFolderOptions): string {
  const hash = createHash("sha256");
  for (const [name, text] of files) hash.update(`${name}\0${text}\0`);
  const folder = join(cacheHome(env), "drover", "envtest", `${version}-${hash.digest("hex").slice(0, 16)}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    refuseForeign(folder, uid);
    for (const [name, text] of files) if (!isComplete(join(folder, name), text)) replace(folder, name, text);
  } catch (error) {
    if (isCommandError(error)) throw error;
    throw new CommandError(`${folder} cannot be created: ${errorText(error)}; set XDG_CACHE_HOME to a folder that you can write`, {
      cause: error,
    });
  }
  return folder;
}

const cacheHome = ({ XDG_CACHE_HOME: given = "" }: DropInFolderOptions["env"]): string =>
  isAbsolute(given) ? given : join(homedir(), ".cache");

/** Whoever can write the folder decides what tests run. */
function refuseForeign(folder: string, uid: number | undefined): void {
  const stat = lstatSync(folder);
  if (!stat.isDirectory()) throw new CommandError(`${folder} is not a folder; remove it, and run the command again`);
  if (uid !== undefined && stat.uid !== uid)
    throw new CommandError(`${folder} belongs to another user; set XDG_CACHE_HOME to a folder of your own`);
  if ((stat.mode & 0o022) !== 0) chmodSync(folder, 0o755);
}

function isComplete(path: string, text: string): boolean {
  try {
    const stat = lstatSync(path);
    return stat.isFile() && (stat.mode & 0o777) === 0o755 && stat.size === Buffer.byteLength(text) && readFileSync(path, "utf8") === text;
  } catch {
    return false;
  }
}

function replace(folder: string, name: string, text: string): void {
  const draft = join(folder, `.${name}.${randomUUID()}.tmp`);
  const path = join(folder, name);
  try {
    writeFileSync(draft, text, { flag: "wx", mode: 0o755 });
    // The process's mask may have removed rights.
    chmodSync(draft, 0o755);
    // A folder of that name cannot be replaced at once.
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true) rmSync(path, { recursive: true });
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}
