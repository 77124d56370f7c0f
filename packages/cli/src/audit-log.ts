/**
 * The audit log of `drover up`: a file of JSON lines that is rotated as kube-apiserver rotates its own, or standard output.
 *
 *     --audit-policy-file, --audit-log-path → openAuditLog → AuditOptions of the server
 */
import { constants, readFileSync } from "node:fs";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { readAuditPolicy } from "@drover/apiserver";
import type { AuditOptions, AuditPolicy } from "@drover/apiserver";
import { errorCode, errorText } from "@drover/machinery";
import { CommandError } from "./command-error.ts";
import type { UpAudit } from "./audit-options.ts";

export interface AuditLogPlace {
  /** Receives the lines for the path "-". */
  readonly write: (text: string) => void;
  /** Milliseconds since 1970, for the names of rotated files. */
  readonly now: () => number;
}

/** An open audit log. */
export interface AuditLog {
  readonly options: AuditOptions;
  /** Closes the file; call it when the server has flushed its events. */
  readonly close: () => Promise<void>;
}

const bytesPerMb = 2 ** 20;
const msPerDay = 86_400_000;

/** Reads the policy and opens the file. Rejects with a `CommandError` that names the option. */
export async function openAuditLog(audit: UpAudit, { write, now }: AuditLogPlace): Promise<AuditLog> {
  const policy = readPolicy(audit.policyFile);
  if (audit.logPath === "-") {
    const sink = { write: (records: readonly { readonly line: string }[]) => write(records.map(({ line }) => line).join("")) };
    return { options: { policy, sink }, close: () => Promise.resolve() };
  }
  const file = new RotatedFile(audit, now);
  try {
    await file.open();
  } catch (error) {
    throw new CommandError(`--audit-log-path: ${audit.logPath} cannot be written: ${errorText(error)}`, { cause: error });
  }
  return { options: { policy, sink: { write: (records) => file.append(records.map(({ line }) => line)) } }, close: () => file.close() };
}

function readPolicy(path: string): AuditPolicy {
  try {
    return readAuditPolicy(readFileSync(path, "utf8"));
  } catch (error) {
    throw new CommandError(`--audit-policy-file: ${path}: ${errorText(error)}`, { cause: error });
  }
}

/** Guarantees: no line is split between two files. Assumes one writer, and one call of `append` at a time. */
class RotatedFile {
  readonly #audit: UpAudit;
  readonly #now: () => number;
  #file: FileHandle | undefined;
  #bytes = 0;

  constructor(audit: UpAudit, now: () => number) {
    this.#audit = audit;
    this.#now = now;
  }

  async open(): Promise<void> {
    const { logPath } = this.#audit;
    await mkdir(dirname(logPath), { recursive: true });
    const { O_APPEND, O_CREAT, O_WRONLY } = constants;
    this.#file = await open(logPath, O_APPEND | O_CREAT | O_WRONLY, 0o600);
    this.#bytes = (await this.#file.stat()).size;
  }

  async append(lines: readonly string[]): Promise<void> {
    const limit = this.#audit.maxSizeMb * bytesPerMb;
    let text = "";
    for (const line of lines) {
      const size = Buffer.byteLength(line);
      if (this.#bytes > 0 && this.#bytes + size > limit) {
        await this.#write(text);
        text = "";
        await this.#rotate();
      }
      text += line;
      this.#bytes += size;
    }
    await this.#write(text);
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }

  async #write(text: string): Promise<void> {
    if (text === "") return;
    // A failed rotation leaves no file; try again with the next events.
    if (this.#file === undefined) await this.open();
    await this.#file?.appendFile(text);
  }

  async #rotate(): Promise<void> {
    await this.close();
    const { logPath } = this.#audit;
    const names = new Set(await readdir(dirname(logPath)));
    let at = this.#now();
    while (names.has(backupName(logPath, at))) at++;
    await rename(logPath, join(dirname(logPath), backupName(logPath, at)));
    await this.open();
    await this.#removeOld();
  }

  async #removeOld(): Promise<void> {
    const { logPath, maxBackups, maxAgeDays } = this.#audit;
    const folder = dirname(logPath);
    const backups = (await readdir(folder))
      .flatMap((name) => {
        const madeMs = backupTime(logPath, name);
        return madeMs === undefined ? [] : [{ name, madeMs }];
      })
      .toSorted((a, b) => b.madeMs - a.madeMs);
    // As in kube-apiserver, 0 keeps all of them.
    const oldest = maxAgeDays === 0 ? -Infinity : this.#now() - maxAgeDays * msPerDay;
    for (const [index, { name, madeMs }] of backups.entries())
      if (madeMs < oldest || (maxBackups > 0 && index >= maxBackups)) await removed(join(folder, name));
  }
}

/** Another program may have removed it. */
async function removed(path: string): Promise<void> {
  try {
    await rm(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

/** "audit.log" → "audit-2026-11-18T01-30-00.123.log". */
function backupName(path: string, epochMs: number): string {
  const extension = extname(path);
  const stamp = new Date(epochMs).toISOString().replaceAll(":", "-").replace("Z", "");
  return `${basename(path, extension)}-${stamp}${extension}`;
}

/** Returns when a backup was made; undefined for another file. */
function backupTime(path: string, name: string): number | undefined {
  const extension = extname(path);
  const start = `${basename(path, extension)}-`;
  if (!name.startsWith(start) || !name.endsWith(extension)) return undefined;
  const [, day, hour, minute, second] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2}\.\d{3})$/.exec(name.slice(start.length, name.length - extension.length)) ?? [];
  return day === undefined ? undefined : Date.parse(`${day}T${hour}:${minute}:${second}Z`);
}
