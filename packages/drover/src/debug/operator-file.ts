/**
 * Files by which commands find the operators that run on this machine: one per process, in a folder that only its user can read.
 *
 *     run() → writeOperatorFile → one file per process → findOperators → drover status
 */
import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, readFile, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { budget, errorCode } from "@drover/machinery";

/** An operator that runs on this machine. */
export interface FoundOperator {
  readonly pid: number;
  readonly name: string;
  /** Address of its debug endpoint: "127.0.0.1:4679". */
  readonly address: string;
  /** When it started, in milliseconds since 1970. */
  readonly startedAt: number;
}

const fileBytes = budget({
  name: "drover/operator-file",
  limit: 4096,
  unit: "bytes",
  atLimit: "a larger file in the folder of running operators is ignored",
  uncounted: "Only commands read these files.",
});
const filesMax = budget({
  name: "drover/operator-files",
  limit: 1000,
  unit: "items",
  atLimit: "further files in the folder of running operators are ignored",
  uncounted: "Only commands read these files.",
});

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the folder: below XDG_RUNTIME_DIR, which belongs to the user, or with the user's id in its name. */
export function operatorsFolder({ XDG_RUNTIME_DIR: own = "" }: Environment): string {
  return own === "" ? join(tmpdir(), `drover-${process.getuid?.() ?? "user"}`) : join(own, "drover");
}

/**
 * Writes the file of this process, readable for its user only, and removes files of processes that are gone. Returns a function that
 * removes it. Rejects if the folder belongs to another user, or cannot be written.
 */
export async function writeOperatorFile(operator: FoundOperator, environment: Environment): Promise<() => Promise<void>> {
  const folder = operatorsFolder(environment);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await requireOwn(folder);
  await removeStale(folder);
  const path = join(folder, `${operator.pid}.json`);
  await unlink(path).catch(() => undefined);
  const handle = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(operator)}\n`);
  } finally {
    await handle.close();
  }
  return () => unlink(path).catch(() => undefined);
}

/** Returns the operators that have written a file and whose process is alive, oldest first. */
export async function findOperators(environment: Environment): Promise<readonly FoundOperator[]> {
  const folder = operatorsFolder(environment);
  const names = await namesIn(folder);
  if (names.length === 0) return [];
  await requireOwn(folder);
  const found = await Promise.all(names.map((name) => readOperator(join(folder, name))));
  return found.filter((operator) => operator !== undefined && isAlive(operator.pid)).toSorted(byStart) as readonly FoundOperator[];
}

const byStart = (left: FoundOperator | undefined, right: FoundOperator | undefined): number =>
  (left?.startedAt ?? 0) - (right?.startedAt ?? 0);

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => /^\d+\.json$/.test(name)).slice(0, filesMax.limit);
  } catch {
    return [];
  }
}

/** Another user's folder could lead commands to an endpoint of that user. */
async function requireOwn(folder: string): Promise<void> {
  const stats = await lstat(folder);
  const own = process.getuid?.();
  if (!stats.isDirectory() || (own !== undefined && stats.uid !== own))
    throw new Error(`${folder} belongs to another user or is no folder; set XDG_RUNTIME_DIR to a folder of yours`);
}

async function readOperator(path: string): Promise<FoundOperator | undefined> {
  try {
    const stats = await lstat(path);
    if (!stats.isFile() || stats.size > fileBytes.limit) return undefined;
    return parseOperator(JSON.parse(await readFile(path, "utf8")));
  } catch {
    // Removed in the meantime, or written only in part.
    return undefined;
  }
}

function parseOperator(value: unknown): FoundOperator | undefined {
  const { pid, name, address, startedAt } = (typeof value === "object" && value !== null ? value : {}) as Partial<Record<string, unknown>>;
  if (typeof pid !== "number" || !Number.isInteger(pid) || pid <= 0 || typeof startedAt !== "number") return undefined;
  if (typeof name !== "string" || typeof address !== "string" || !/^(?:127\.0\.0\.1|\[::1\]):\d{1,5}$/.test(address)) return undefined;
  return { pid, name, address, startedAt };
}

async function removeStale(folder: string): Promise<void> {
  for (const name of await namesIn(folder))
    if (!isAlive(Number.parseInt(name, 10))) await unlink(join(folder, name)).catch(() => undefined);
}

/** A process of another user is alive too. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
}
