/**
 * The `Host` of a Node process: environment, files and programs.
 *
 *     nodeHost() → Host
 */
import { constants } from "node:fs";
import { mkdir, open, realpath, rename, stat, unlink } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { isatty } from "node:tty";
import { randomUUID } from "node:crypto";
import { FileError } from "@drover/client";
import type { Host } from "@drover/client";
import { asFileError } from "./file-problem.ts";
import { runProgram } from "./run-program.ts";

/** Credential files have a few kilobytes; a larger file is a mistake or an attack. */
const fileBytesMax = 64 * 1024 * 1024;

/**
 * Creates the host of this process. Reads environment, working directory and terminal once; finds the home directory
 * like kubectl.
 *
 * Guarantees: reads only regular files (a pipe or device could block forever). Writes are atomic, also with concurrent
 * writers, and keep symbolic links.
 */
export function nodeHost(): Host {
  return {
    env: { ...process.env },
    homeDir: homeFolder(),
    cwd: process.cwd(),
    platform: process.platform,
    isInteractive: isatty(0),
    readFile,
    writeFile,
    withFileLock,
    run: runProgram,
  };
}

function homeFolder(): string | undefined {
  const home = process.env["HOME"] ?? "";
  if (home !== "") return home;
  try {
    return homedir() || undefined;
  } catch {
    // A user id without an entry in the user database, as in containers.
    return undefined;
  }
}

async function readFile(path: string): Promise<Uint8Array> {
  try {
    // Non-blocking, because opening a pipe waits for its writer.
    return await withHandle(await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)), async (handle) => {
      const { size } = await regular(path, handle);
      if (size > fileBytesMax) throw new FileError(path, "other", `${path} has ${size} bytes, more than the limit of ${fileBytesMax}`);
      return new Uint8Array(await handle.readFile());
    });
  } catch (error) {
    throw asFileError(path, "read", error);
  }
}

async function regular(path: string, handle: FileHandle): Promise<{ readonly size: number }> {
  const found = await handle.stat();
  if (!found.isFile()) throw new FileError(path, "not-a-file", `${path} is not a regular file`);
  return found;
}

async function writeFile(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
    const target = await behindLinks(path);
    const draft = join(dirname(target), `.${randomUUID()}.tmp`);
    try {
      await withHandle(await open(draft, "wx", 0o600), async (handle) => {
        await handle.writeFile(text, "utf8");
        // Otherwise a crash of the machine may leave an empty file under the new name.
        await handle.sync();
      });
      await rename(draft, target);
    } catch (error) {
      await unlink(draft).catch(() => undefined);
      throw error;
    }
  } catch (error) {
    throw asFileError(path, "write", error);
  }
}

/** Returns the file to replace, so that a symbolic link to it stays a link. */
async function behindLinks(path: string): Promise<string> {
  try {
    const target = await realpath(path);
    if (!(await stat(target)).isFile()) throw new FileError(path, "not-a-file", `${path} is not a regular file`);
    return target;
  } catch (error) {
    if (asFileError(path, "write", error).reason === "missing") return path;
    throw error;
  }
}

async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  try {
    await mkdir(dirname(lock), { recursive: true, mode: 0o755 });
    await (await open(lock, "wx", 0o600)).close();
  } catch (error) {
    throw asFileError(lock, "lock", error);
  }
  try {
    return await work();
  } finally {
    await unlink(lock).catch(() => undefined);
  }
}

async function withHandle<T>(handle: FileHandle, work: (handle: FileHandle) => Promise<T>): Promise<T> {
  try {
    return await work(handle);
  } finally {
    await handle.close();
  }
}
