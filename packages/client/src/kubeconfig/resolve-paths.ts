/**
 * Resolves the paths in a kubeconfig against the file that contains them.
 */
import { folderOf, hasSeparator, resolvePath } from "./host-path.ts";
import type { PathHost } from "./host-path.ts";
import type { ClusterEntry, Kubeconfig, UserEntry } from "./kubeconfig.ts";

/**
 * Makes paths absolute: entries with an origin resolve against the directory of that file, as in kubectl. The command of an
 * exec plugin is a path only if it has a separator; else it is looked up in PATH. Entries without an origin stay unchanged.
 */
export function resolveKubeconfigPaths(host: PathHost, config: Kubeconfig): Kubeconfig {
  return {
    ...config,
    clusters: config.clusters.map((entry) => resolveCluster(host, entry)),
    users: config.users.map((entry) => resolveUser(host, entry)),
  };
}

function resolveCluster(host: PathHost, entry: ClusterEntry): ClusterEntry {
  return {
    ...entry,
    cluster: { ...entry.cluster, ...absolute(host, entry, { "certificate-authority": entry.cluster["certificate-authority"] }) },
  };
}

function resolveUser(host: PathHost, entry: UserEntry): UserEntry {
  const { user } = entry;
  const { exec } = user;
  const paths = absolute(host, entry, {
    "client-certificate": user["client-certificate"],
    "client-key": user["client-key"],
    tokenFile: user.tokenFile,
  });
  const resolvedExec =
    exec?.command === undefined || !hasSeparator(host, exec.command)
      ? {}
      : { exec: { ...exec, ...absolute(host, entry, { command: exec.command }) } };
  return { ...entry, user: { ...user, ...paths, ...resolvedExec } };
}

/** Makes the paths that are set absolute. */
function absolute<K extends string>(
  host: PathHost,
  { origin }: ClusterEntry | UserEntry,
  paths: Readonly<Record<K, string | undefined>>,
): { readonly [P in K]?: string } {
  if (origin === undefined) return {};
  const folder = folderOf(host, origin.file);
  const given = Object.entries<string | undefined>(paths).filter(
    (path): path is [string, string] => path[1] !== undefined && path[1] !== "",
  );
  return Object.fromEntries(given.map(([field, path]) => [field, resolvePath(host, folder, path)])) as { readonly [P in K]?: string };
}
