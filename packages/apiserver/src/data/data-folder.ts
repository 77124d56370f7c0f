/**
 * A folder in which a cluster survives its process: the store on disk, the identity of the cluster, and a lock.
 *
 *     DIR/lock · DIR/identity.json · DIR/store/*.checkpoint, *.log
 */
import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { errorCode, errorText } from "@drover/machinery";
import type { Runtime } from "@drover/machinery";
import { nodeCrypto } from "@drover/machinery/node";
import type { TokenSigner } from "../access/token-signer.ts";
import { nodeHost } from "../http/node-host.ts";
import { loadTokenSigner, newTokenKey } from "../http/node-token-signer.ts";
import { DataFolderError } from "../storage/disk/disk.ts";
import type { Disk } from "../storage/disk/disk.ts";
import { DiskStore } from "../storage/disk/disk-store.ts";
import { nodeDisk } from "../storage/disk/node-disk.ts";
import type { DiskSyncs } from "../storage/disk/node-disk.ts";
import { dataQuota } from "../storage/memory-store.ts";
import { historyBytes } from "../storage/store-log.ts";
import { newIdentity, printIdentity, readIdentity } from "./cluster-identity.ts";
import type { ClusterIdentity } from "./cluster-identity.ts";
import { lockDataFolder } from "./data-lock.ts";

/** An open data folder. */
export interface DataFolder {
  readonly store: DiskStore;
  readonly identity: ClusterIdentity;
  readonly tokenSigner: TokenSigner;
  /** Remembers the port for the next start. */
  readonly rememberPort: (port: number) => Promise<void>;
  /** Saves pending writes, closes the files and unlocks the folder. May be called twice. */
  readonly close: () => Promise<void>;
}

export interface DataFolderOptions {
  readonly runtime: Pick<Runtime, "clock" | "log" | "metrics">;
  /** The heap limit of the process, which bounds the store as it bounds that in memory. @default that of this process */
  readonly heapBytesMax?: number;
  /**
   * "never" confirms writes before they are on the disk, as `--unsafe-no-fsync` of etcd: they survive `kill -9`, but not a power loss.
   * @default "asked": they survive both
   */
  readonly syncs?: DiskSyncs;
}

const identityName = "identity.json";
const ours: readonly string[] = ["lock", identityName, "store"];

/**
 * Opens a folder, and creates it if it does not exist or is empty. Only its owner can read it. Rejects with a `DataFolderError` if another
 * process uses it, it has other files, or it is damaged.
 */
export async function openDataFolder(
  path: string,
  { runtime: { clock, log, metrics }, heapBytesMax = nodeHost.heapBytesMax ?? Infinity, syncs }: DataFolderOptions,
): Promise<DataFolder> {
  const folder = resolve(path);
  prepare(folder);
  const unlock = lockDataFolder(folder);
  let store: DiskStore | undefined;
  try {
    const disk = nodeDisk(folder, syncs);
    const opened = await DiskStore.open({
      disk: nodeDisk(join(folder, "store"), syncs),
      clock,
      log,
      metrics,
      newStoreId,
      quotaBytes: Math.min(dataQuota.limit, heapBytesMax / 4),
      historyBytes: Math.min(historyBytes.limit, heapBytesMax / 16),
    });
    store = opened;
    let identity = await openIdentity(disk, folder, clock);
    let closing: Promise<void> | undefined;
    return {
      store: opened,
      identity,
      tokenSigner: loadTokenSigner(identity.tokenKeyPem),
      rememberPort: async (port) => {
        if (identity.port === port) return;
        identity = { ...identity, port };
        await writeIdentity(disk, identity);
      },
      close: () => (closing ??= opened.end().finally(unlock)),
    };
  } catch (error) {
    await store?.end();
    unlock();
    throw located(folder, error);
  }
}

/** A random id of a store. */
export const newStoreId = (): string => randomBytes(16).toString("hex");

/** Locks the store of an existing folder, without an identity, for tools. Returns its files and the function that unlocks it. */
export function lockStore(path: string): { readonly disk: Disk; readonly unlock: () => void } {
  const folder = resolve(path);
  if (!namesIn(folder).includes("store")) throw new DataFolderError(`${folder} is not a data folder of drover`);
  return { disk: nodeDisk(join(folder, "store")), unlock: lockDataFolder(folder) };
}

/** Creates the folders. Throws a `DataFolderError` for a folder of something else. */
export function prepare(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const foreign = namesIn(folder);
    if (foreign.length > 0 && !foreign.some((name) => ours.includes(name) || name.startsWith("lock.")))
      throw new DataFolderError(`${folder} has other files and is not a data folder of drover; use a new or an empty folder`);
    mkdirSync(join(folder, "store"), { recursive: true, mode: 0o700 });
    if ((statSync(folder).mode & 0o077) !== 0 && process.platform !== "win32") chmodSync(folder, 0o700);
  } catch (error) {
    throw located(folder, error);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw located(folder, error);
  }
}

async function openIdentity(disk: Disk, folder: string, clock: Runtime["clock"]): Promise<ClusterIdentity> {
  const place = { crypto: nodeCrypto, clock, newTokenKey };
  let text: string | undefined;
  try {
    text = await readFile(join(folder, identityName), "utf8");
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
  let identity: ClusterIdentity;
  try {
    identity = text === undefined ? newIdentity(place) : readIdentity(text, place);
  } catch (error) {
    throw new DataFolderError(
      `${join(folder, identityName)} cannot be used: ${errorText(error)}; restore it from a copy, or remove it for new certificates and keys`,
      { cause: error },
    );
  }
  if (printIdentity(identity) !== text) await writeIdentity(disk, identity);
  return identity;
}

/** Replaces the file at once. */
async function writeIdentity(disk: Disk, identity: ClusterIdentity): Promise<void> {
  const draft = `${identityName}.tmp`;
  const file = await disk.open(draft, "create");
  try {
    await file.write(0, Buffer.from(printIdentity(identity)));
    await file.sync();
  } finally {
    await file.close();
  }
  await disk.rename(draft, identityName);
  await disk.syncFolder();
}

/** Names the folder in errors of the system. */
function located(folder: string, error: unknown): DataFolderError {
  if (error instanceof DataFolderError)
    return error.message.includes(folder) ? error : new DataFolderError(`the data folder ${folder}: ${error.message}`, { cause: error });
  const code = errorCode(error);
  const why =
    code === "ENOTDIR" || code === "EEXIST"
      ? "it, or a part of its path, is a file"
      : code === "EACCES" || code === "EROFS" || code === "EPERM"
        ? "this user cannot write there"
        : errorText(error);
  return new DataFolderError(`the data folder ${folder} cannot be used: ${why}`, { cause: error });
}
