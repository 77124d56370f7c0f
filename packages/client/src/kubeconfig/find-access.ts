/**
 * The cluster to talk to when nobody says which: as controllers look for it.
 *
 *     path given → KUBECONFIG → in-cluster → ~/.kube/config
 */
import type { Log } from "@drover/machinery";
import type { Host } from "../host.ts";
import { accessFromKubeconfig } from "./access.ts";
import type { KubeconfigAccessOptions } from "./access.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { inClusterAccess, inClusterKubeconfig, inClusterNamespace, isInCluster } from "./in-cluster.ts";
import { KubeconfigError, isKubeconfigError } from "./kubeconfig-error.ts";
import { isEmptyKubeconfig } from "./kubeconfig.ts";
import type { Kubeconfig } from "./kubeconfig.ts";
import { loadKubeconfig } from "./load.ts";
import { selectContext } from "./overrides.ts";
import type { KubeconfigOverrides } from "./overrides.ts";

/** Where to look, and what wins over what is found. */
export interface FindAccessOptions {
  readonly host: Host;
  readonly log: Log;
  /** The one kubeconfig to use, the `--kubeconfig` flag. @default the first of KUBECONFIG, in-cluster and ~/.kube/config that is there */
  readonly path?: string;
  /** What wins over what is found. @default nothing */
  readonly overrides?: KubeconfigOverrides;
}

/**
 * Rejects with a `KubeconfigError`, reason "empty" when no way was found. A kubeconfig that is there and wrong is an error, never skipped.
 *
 * The namespace is the override's, or the context's; where both name none, and this is a pod, it is the pod's own; else "default".
 */
export async function findAccess({ host, log, path = "", overrides = {} }: FindAccessOptions): Promise<ClusterAccess> {
  const isNamed = path !== "" || (host.env["KUBECONFIG"] ?? "") !== "";
  // A flag for the context is about kubeconfigs, so then the pod's own way is not meant.
  if (!isNamed && !overrides.context) {
    const access = await tryInCluster({ host, log, overrides });
    if (access !== undefined) return access;
  }
  try {
    return await fromFiles({ host, log, path, overrides });
  } catch (error) {
    if (!isKubeconfigError(error, "empty")) throw error;
    if (isNamed && (await isInCluster(host))) return inClusterAccess({ host, log, overrides });
    throw error;
  }
}

async function fromFiles({ host, log, path = "", overrides = {} }: FindAccessOptions): Promise<ClusterAccess> {
  const config = await loadKubeconfig({ host, log, path });
  if (isEmptyKubeconfig(config) && !overrides.clusterFields?.server)
    throw new KubeconfigError("empty", [`no configuration has been provided: ${tried(host, path)}`]);
  const access = await accessFromKubeconfig(config, { host, log, overrides });
  if (selectContext(config, overrides).context.context.namespace || !(await isInCluster(host))) return access;
  return { ...access, namespace: await inClusterNamespace(host) };
}

function tried(host: Host, path: string): string {
  if (path !== "") return `${path} is empty; name a kubeconfig that is not`;
  const { KUBECONFIG: list = "" } = host.env;
  if (list !== "") return `the files of KUBECONFIG are missing or empty (${list}); check the variable`;
  return `KUBECONFIG is not set, this is not a pod with a service account, and ${host.homeDir === undefined ? "there is no home folder" : "~/.kube/config is missing or empty"}; set KUBECONFIG to the path of a kubeconfig`;
}

async function tryInCluster(options: KubeconfigAccessOptions): Promise<ClusterAccess | undefined> {
  let config: Kubeconfig;
  try {
    config = await inClusterKubeconfig(options);
  } catch (error) {
    if (!isKubeconfigError(error)) throw error;
    if (error.reason !== "not-in-cluster")
      options.log.warn("this is a pod, but its service account cannot be used; looking for a kubeconfig", { error });
    return undefined;
  }
  return accessFromKubeconfig(config, options);
}
