/**
 * The machine this process runs on, as the client sees it: environment, files and programs of Node.
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

/** A file with credentials is a few kilobytes; what is larger is a mistake or an attack. */
const fileBytesMax = 64 * 1024 * 1024;

/**
 * The real host. Environment, folder and terminal are read when it is made; paths of the home folder as kubectl finds it.
 *
 * Guarantees: only regular files are read (a pipe or a device could keep a program waiting for ever); a file that is
 * written is there whole or as it was
 * before, also when several write at once, and a symbolic link stays one.
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
    // A user id without an entry in the user database, as containers have it.
    return undefined;
  }
}

async function readFile(path: string): Promise<Uint8Array> {
  try {
    // Without blocking, since opening a pipe waits for its writer.
    return await withHandle(await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)), async (handle) => {
      const { size } = await regular(path, handle);
      if (size > fileBytesMax) throw new FileError(path, "other", `${path} has ${size} bytes, more than the ${fileBytesMax} that are read`);
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
        // Else a crash of the machine may leave the new name with nothing behind it.
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

/** What a rename must replace so that a link to the file stays a link. */
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
