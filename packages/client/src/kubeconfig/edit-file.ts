/**
 * Changes kubeconfig files atomically, under kubectl's lock. Writing a file drops its comments.
 */
import { isFileError } from "../host.ts";
import type { Host } from "../host.ts";
import { parseKubeconfig, printKubeconfig } from "./kubeconfig-text.ts";
import type { Kubeconfig } from "./kubeconfig.ts";
import { emptyKubeconfig } from "./kubeconfig.ts";
import { KubeconfigError, shortPath } from "./kubeconfig-error.ts";
import { readKubeconfigFile } from "./load.ts";

/**
 * Reads one file, changes it, and writes it back with mode 0600; a missing file is empty. Writes nothing if `change` returns
 * its argument.
 */
export async function editKubeconfigFile(host: Host, file: string, change: (config: Kubeconfig) => Kubeconfig): Promise<void> {
  await withKubeconfigLocks(host, [file], () => rewrite(host, file, change));
}

/**
 * Same for callers that hold the lock. Guarantees that the written file can be read again; otherwise rejects with its
 * problems and writes nothing.
 */
export async function rewrite(host: Host, file: string, change: (config: Kubeconfig) => Kubeconfig): Promise<void> {
  const before = (await readKubeconfigFile(host, file)) ?? emptyKubeconfig;
  const after = change(before);
  if (after === before) return;
  const text = printKubeconfig(after);
  parseKubeconfig(text, { label: `${shortPath(file, host.homeDir)}, with the change` });
  try {
    await host.writeFile(file, text);
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new KubeconfigError(
      "unreadable",
      [
        `${shortPath(file, host.homeDir)}: could not be written${error.reason === "denied" ? "; check the permissions of the file and its directory" : ""}`,
      ],
      { cause: error },
    );
  }
}

/** Runs `work` while holding the locks of all files, acquired in the order of their names so that two programs cannot deadlock. */
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
    throw new KubeconfigError("unreadable", [`${label}: could not be locked; check the permissions of its directory`], { cause: error });
  }
}
