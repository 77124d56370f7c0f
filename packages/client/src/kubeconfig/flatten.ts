/**
 * Makes a kubeconfig self-contained by embedding its certificate files.
 */
import { Secret } from "@drover/machinery";
import { isFileError } from "../host.ts";
import type { Host } from "../host.ts";
import { encodeBase64 } from "../encoding/base64.ts";
import { KubeconfigError, describeEntry, shortPath } from "./kubeconfig-error.ts";
import type { ClusterEntry, Kubeconfig, UserEntry } from "./kubeconfig.ts";
import { resolveKubeconfigPaths } from "./resolve-paths.ts";

/**
 * Replaces the paths of certificate and key files by their contents, as `kubectl config view --flatten` does; token files
 * and programs stay paths.
 */
export async function flattenKubeconfig(host: Host, config: Kubeconfig): Promise<Kubeconfig> {
  const resolved = resolveKubeconfigPaths(host, config);
  return {
    ...resolved,
    clusters: await Promise.all(resolved.clusters.map((entry) => flattenCluster(host, entry))),
    users: await Promise.all(resolved.users.map((entry) => flattenUser(host, entry))),
  };
}

async function flattenCluster(host: Host, entry: ClusterEntry): Promise<ClusterEntry> {
  const { "certificate-authority": path, ...cluster } = entry.cluster;
  const at = describeEntry("clusters", entry, host.homeDir);
  const data = await contents(host, at, "certificate-authority", path, cluster["certificate-authority-data"]);
  return { ...entry, cluster: { ...cluster, ...(data !== undefined && { "certificate-authority-data": data }) } };
}

async function flattenUser(host: Host, entry: UserEntry): Promise<UserEntry> {
  const { "client-certificate": certificatePath, "client-key": keyPath, ...user } = entry.user;
  const at = describeEntry("users", entry, host.homeDir);
  const certificate = await contents(host, at, "client-certificate", certificatePath, user["client-certificate-data"]?.reveal());
  const key = await contents(host, at, "client-key", keyPath, user["client-key-data"]?.reveal());
  return {
    ...entry,
    user: {
      ...user,
      ...(certificate !== undefined && { "client-certificate-data": new Secret(certificate) }),
      ...(key !== undefined && { "client-key-data": new Secret(key) }),
    },
  };
}

async function contents(
  host: Host,
  at: string,
  field: string,
  path: string | undefined,
  data: string | undefined,
): Promise<string | undefined> {
  if (path === undefined || path === "") return data;
  if (data !== undefined && data !== "")
    throw new KubeconfigError("invalid", [`${at}: ${field} and ${field}-data are both set; remove one`]);
  try {
    return encodeBase64(await host.readFile(path));
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new KubeconfigError("unreadable", [`${at}: ${field}: ${shortPath(path, host.homeDir)} cannot be read`], { cause: error });
  }
}
