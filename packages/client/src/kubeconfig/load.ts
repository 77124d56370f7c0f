/**
 * Which files make up the kubeconfig, and what they say together: kubectl's loading rules.
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

/** Whose kubeconfig it is. */
export interface KubeconfigSource {
  readonly host: Host;
  /** The one file to use, as with `--kubeconfig`; it must be there. @default the files of KUBECONFIG, or else ~/.kube/config */
  readonly path?: string;
}

/** How a kubeconfig is read. */
export interface LoadKubeconfigOptions extends KubeconfigSource {
  readonly log: Log;
  /** Whether paths are made absolute, as they must be for use, or left as they are written. @default "absolute" */
  readonly paths?: "absolute" | "as-written";
}

/** The files that make up a kubeconfig. */
export interface KubeconfigFiles {
  /** In order of precedence, each once. */
  readonly files: readonly string[];
  /** Who named them; only an "option" has to exist. */
  readonly namedBy: "option" | "KUBECONFIG" | "home";
}

/**
 * The files of which one is read or written: as `kubeconfigFiles` has them, after a kubeconfig in its old place has
 * been copied to the new one.
 */
export async function kubeconfigFilesInPlace(source: KubeconfigSource): Promise<KubeconfigFiles> {
  const found = kubeconfigFiles(source);
  const [home] = found.files;
  if (found.namedBy === "home" && home !== undefined) await migrateKubeconfig(source.host, home);
  return found;
}

/** The files that are looked for, whether they are there or not. Without KUBECONFIG and without a home there are none. */
export function kubeconfigFiles({ host, path = "" }: KubeconfigSource): KubeconfigFiles {
  if (path !== "") return { files: [path], namedBy: "option" };
  const list = host.env["KUBECONFIG"] ?? "";
  if (list !== "") return { files: splitPathList(host, list), namedBy: "KUBECONFIG" };
  return { files: host.homeDir === undefined ? [] : [resolvePath(host, host.homeDir, ".kube/config")], namedBy: "home" };
}

/**
 * Everything the files say together, paths made absolute. Files that are missing are skipped (a warning if all of
 * KUBECONFIG are), unless `path` names it.
 * Rejects with a `KubeconfigError` that has the problems of all files.
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
          new KubeconfigError("unreadable", [
            `${shortPath(file, host.homeDir)}: there is no such file; check the path given for the kubeconfig`,
          ]),
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
  if (namedBy === "KUBECONFIG" && found.length === 0) log.warn("none of the files of KUBECONFIG is there", { files });
  const merged = mergeKubeconfigs(found);
  return paths === "absolute" ? resolveKubeconfigPaths(host, merged) : merged;
}

/** What one file says, paths as they are written; undefined when it is not there. */
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
  denied: "may not be read by this user; check who owns it and its mode",
  "not-a-file": "is not a regular file; name a file",
  exists: "could not be read",
  other: "could not be read",
};
