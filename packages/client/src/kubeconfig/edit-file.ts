/** Changing kubeconfig files: under kubectl's lock, whole or not at all. Comments in a file are lost when it is written. */
import { isFileError } from "../host.ts";
import type { Host } from "../host.ts";
import { parseKubeconfig, printKubeconfig } from "./kubeconfig-text.ts";
import type { Kubeconfig } from "./kubeconfig.ts";
import { emptyKubeconfig } from "./kubeconfig.ts";
import { KubeconfigError, shortPath } from "./kubeconfig-error.ts";
import { readKubeconfigFile } from "./load.ts";

/**
 * Reads one file, changes what it says, and writes it back with mode 0600; a missing file is an empty one. Nothing is
 * written when `change` gives back what it got.
 */
export async function editKubeconfigFile(host: Host, file: string, change: (config: Kubeconfig) => Kubeconfig): Promise<void> {
  await withKubeconfigLocks(host, [file], () => rewrite(host, file, change));
}

/**
 * The same for callers that hold the lock. Guarantees that what is written can be read again; else rejects with what is
 * wrong with it, and nothing is written.
 */
export async function rewrite(host: Host, file: string, change: (config: Kubeconfig) => Kubeconfig): Promise<void> {
  const before = (await readKubeconfigFile(host, file)) ?? emptyKubeconfig;
  const after = change(before);
  if (after === before) return;
  const text = printKubeconfig(after);
  parseKubeconfig(text, { label: `${shortPath(file, host.homeDir)}, as it would be` });
  try {
    await host.writeFile(file, text);
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new KubeconfigError(
      "unreadable",
      [
        `${shortPath(file, host.homeDir)}: could not be written${error.reason === "denied" ? "; check who may write to it and to its folder" : ""}`,
      ],
      { cause: error },
    );
  }
}

/** Runs `work` while holding the locks of all files, taken in the order of their names so that two programs never wait for each other. */
export async function withKubeconfigLocks<T>(host: Host, files: readonly string[], work: () => Promise<T>): Promise<T> {
  const [first, ...rest] = [...files].toSorted();
  if (first === undefined) return work();
  const attempt = { isLocked: false };
  try {
    return await host.withFileLock(first, () => {
      attempt.isLocked = true;
      return withKubeconfigLocks(host, rest, work);
    });
  } catch (error) {
    if (attempt.isLocked || !isFileError(error)) throw error;
    const label = shortPath(first, host.homeDir);
    if (error.reason === "exists")
      throw new KubeconfigError("locked", [`${label}: another program is changing it; if none is, remove ${label}.lock`], { cause: error });
    throw new KubeconfigError("unreadable", [`${label}: could not be locked; check who may write to its folder`], { cause: error });
  }
}
