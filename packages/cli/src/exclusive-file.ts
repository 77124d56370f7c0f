/**
 * Files that a command creates in folders of its user: no link is followed.
 *
 *     createExclusive(path, text) · writeUnlinked(path, text) · readRegular(path) · isLink(path)
 */
import { closeSync, constants, fstatSync, linkSync, lstatSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { errorCode } from "@drover/machinery";

/** On Windows O_NOFOLLOW and O_NONBLOCK are undefined, which counts as 0. */
const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_TRUNC, O_WRONLY } = constants;

/**
 * Creates a file that only its owner can read, with all of its text at once. Throws EEXIST if the path exists in any
 * form, also as a link to nothing.
 */
export function createExclusive(path: string, text: string): void {
  const draft = join(dirname(path), `.${randomUUID()}.tmp`);
  writeFileSync(draft, text, { flag: "wx", mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    // File systems without hard links: exclusive as well, but readers may see an empty file for a moment.
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EISDIR"].includes(errorCode(error) ?? "")) throw error;
    writeFileSync(path, text, { flag: "wx", mode: 0o600 });
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Writes a file with the usual permissions, also over an existing one, but not through a link. */
export function writeUnlinked(path: string, text: string): void {
  const file = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

/**
 * Returns the text of a regular file; undefined if the path does not exist. Throws for links, folders, pipes and devices, and for files
 * with more than `bytesMax` bytes.
 */
export function readRegular(path: string, bytesMax = Infinity): string | undefined {
  let file: number | undefined;
  try {
    // Non-blocking, because opening a pipe waits for its writer.
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error(`${path} is not a regular file`);
    if (stats.size > bytesMax) throw new Error(`${path} has ${stats.size} bytes; at most ${bytesMax} are read`);
    return readFileSync(file, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) return undefined;
    throw error;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Reports whether the path itself is a symbolic link; what it points to does not matter. */
export function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    // Missing, or below a file.
    return false;
  }
}
