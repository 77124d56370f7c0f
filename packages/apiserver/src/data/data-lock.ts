/**
 * The lock of a data folder: one process at a time, and in it one server. A file names the process; that of a process which has died is
 * taken over.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import { decodeJson, errorCode, isJsonObject } from "@drover/machinery";
import { DataFolderError } from "../storage/disk/disk.ts";

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Differs between processes that had the same number; "" where the system does not tell. */
  readonly started: string;
}

/** Locks a folder and returns the function that unlocks it. Throws a `DataFolderError` that names the process which has it. */
export function lockDataFolder(folder: string): () => void {
  const path = join(folder, "lock");
  const draft = `${path}.${randomUUID()}`;
  const text = JSON.stringify({ pid: process.pid, host: hostname(), started: startOf(process.pid) } satisfies Holder);
  writeFileSync(draft, `${text}\n`, { flag: "wx", mode: 0o600 });
  try {
    // Others may take over the same lock: a few attempts decide who has it.
    for (let attempt = 0; !linked(draft, path); attempt++) {
      const found = readLock(path);
      if (found === undefined) continue;
      const holder = holderOf(found);
      if (attempt > 20 || holder === undefined || isAlive(holder)) throw inUse(folder, holder);
      takeAway(path, found, draft);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (readLock(path)?.trim() === text) rmSync(path, { force: true });
  };
}

function linked(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Removes a lock that was found stale, and gives it back if another process has replaced it since. */
function takeAway(path: string, found: string, draft: string): void {
  const aside = `${draft}.old`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    throw error;
  }
  if (readLock(aside) !== found) linked(aside, path);
  rmSync(aside, { force: true });
}

function readLock(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

function holderOf(text: string): Holder | undefined {
  try {
    const value = decodeJson(text);
    if (!isJsonObject(value)) return undefined;
    const { pid, host, started } = value;
    return typeof pid === "number" && typeof host === "string" && typeof started === "string" ? { pid, host, started } : undefined;
  } catch {
    return undefined;
  }
}

/** A process of another machine or container cannot be asked, so it counts as alive. */
function isAlive({ pid, host, started }: Holder): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) === "ESRCH") return false;
  }
  const now = startOf(pid);
  return started === "" || now === "" || now === started;
}

/** Start time of a process and the boot of its system, on Linux. */
function startOf(pid: number): string {
  try {
    // The name of the program may contain spaces and parentheses; field 22 is the 20th after it.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}/${fields[19] ?? ""}`;
  } catch {
    return "";
  }
}

function inUse(folder: string, holder: Holder | undefined): DataFolderError {
  if (holder === undefined)
    return new DataFolderError(`${join(folder, "lock")} is not a lock of drover; remove it if no server uses the folder`);
  const where = holder.host === hostname() ? "" : ` on ${holder.host}`;
  const self = holder.pid === process.pid && where === "" ? ", this process," : "";
  return new DataFolderError(
    `the data folder ${folder} is in use by process ${holder.pid}${where}${self}: stop it first, or use another folder${
      where === "" ? "" : `; if it is gone for good, remove ${join(folder, "lock")}`
    }`,
    { problemCode: "DRV0804" },
  );
}
