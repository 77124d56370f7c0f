/**
 * Finds and merges the files of the kubeconfig: kubectl's loading rules.
 *
 *     Host, --kubeconfig → kubeconfigFiles → readKubeconfigFile … → merge → resolve paths → Kubeconfig
 */
import type { Log } from "@drover/machinery";
import { isFileError } from "../host.ts";
import type { FileError, Host } from "../host.ts";
import { resolvePath, splitPathList } from "./host-path.ts";
import { kubeconfigText, parseKubeconfig } from "./kubeconfig-text.ts";
import type { Kubeconfig } from "./kubeconfig.ts";
import { KubeconfigError, isKubeconfigError, shortPath } from "./kubeconfig-error.ts";
import { mergeKubeconfigs } from "./merge.ts";
import { migrateKubeconfig } from "./migrate.ts";
import { resolveKubeconfigPaths } from "./resolve-paths.ts";

/** Location of a kubeconfig. */
export interface KubeconfigSource {
  readonly host: Host;
  /** The only file to use, as with `--kubeconfig`; it must exist. @default the files of KUBECONFIG, else ~/.kube/config */
  readonly path?: string;
}

/** How to read a kubeconfig. */
export interface LoadKubeconfigOptions extends KubeconfigSource {
  readonly log: Log;
  /** Whether to make paths absolute, as needed for use, or leave them as written. @default "absolute" */
  readonly paths?: "absolute" | "as-written";
}

/** The files that make up a kubeconfig. */
export interface KubeconfigFiles {
  /** In order of precedence, without duplicates. */
  readonly files: readonly string[];
  /** Where the paths come from; only an "option" must exist. */
  readonly namedBy: "option" | "KUBECONFIG" | "home";
}

/** Returns the files as `kubeconfigFiles` does, after copying a kubeconfig from the legacy location to the current one. */
export async function kubeconfigFilesInPlace(source: KubeconfigSource): Promise<KubeconfigFiles> {
  const found = kubeconfigFiles(source);
  const [home] = found.files;
  if (found.namedBy === "home" && home !== undefined) await migrateKubeconfig(source.host, home);
  return found;
}

/** Returns the files to read, existing or not. Empty without KUBECONFIG and home directory. */
export function kubeconfigFiles({ host, path = "" }: KubeconfigSource): KubeconfigFiles {
  if (path !== "") return { files: [path], namedBy: "option" };
  const list = host.env["KUBECONFIG"] ?? "";
  if (list !== "") return { files: splitPathList(host, list), namedBy: "KUBECONFIG" };
  return { files: host.homeDir === undefined ? [] : [resolvePath(host, host.homeDir, ".kube/config")], namedBy: "home" };
}

/**
 * Merges the files and makes paths absolute. Skips missing files (and logs a warning if all of KUBECONFIG are missing),
 * except `path`. Rejects with a `KubeconfigError` that lists the problems of all files.
 */
export async function loadKubeconfig({ host, path, log, paths = "absolute" }: LoadKubeconfigOptions): Promise<Kubeconfig> {
  const { files, namedBy } = await kubeconfigFilesInPlace({ host, ...(path !== undefined && { path }) });
  const found: Kubeconfig[] = [];
  const failures: KubeconfigError[] = [];
  for (const file of files) {
    try {
      const config = await readKubeconfigFile(host, file);
      if (config !== undefined) found.push(config);
      else if (namedBy === "option")
        failures.push(
          new KubeconfigError("unreadable", [`${shortPath(file, host.homeDir)}: there is no such file; check the path of the kubeconfig`]),
        );
    } catch (error) {
      if (!isKubeconfigError(error)) throw error;
      failures.push(error);
    }
  }
  const [only] = failures;
  if (only !== undefined)
    throw failures.length === 1
      ? only
      : new KubeconfigError(
          "invalid",
          failures.flatMap(({ problems }) => problems),
        );
  if (namedBy === "KUBECONFIG" && found.length === 0) log.warn("none of the files in KUBECONFIG exists", { files, code: "DRV0307" });
  const merged = mergeKubeconfigs(found);
  return paths === "absolute" ? resolveKubeconfigPaths(host, merged) : merged;
}

/** Reads one file, paths as written; undefined if it does not exist. */
export async function readKubeconfigFile(host: Host, file: string): Promise<Kubeconfig | undefined> {
  const label = shortPath(file, host.homeDir);
  let bytes: Uint8Array;
  try {
    bytes = await host.readFile(file);
  } catch (error) {
    if (!isFileError(error)) throw error;
    if (error.reason === "missing") return undefined;
    throw new KubeconfigError("unreadable", [`${label}: ${unreadable[error.reason]}`], { cause: error });
  }
  return parseKubeconfig(kubeconfigText(bytes, label), { file, label });
}

const unreadable: Readonly<Record<Exclude<FileError["reason"], "missing">, string>> = {
  denied: "is not readable by this user; check its owner and mode",
  "not-a-file": "is not a regular file; use a file",
  exists: "could not be read",
  other: "could not be read",
};
