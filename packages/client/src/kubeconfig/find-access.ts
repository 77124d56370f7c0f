/**
 * Finds the cluster when the caller names none, in the order that controllers use.
 *
 *     path given → KUBECONFIG → in-cluster → ~/.kube/config
 */
import type { Log } from "@drover/machinery";
import type { Host } from "../host.ts";
import { accessFromKubeconfig } from "./access.ts";
import type { KubeconfigAccessOptions } from "./access.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { inClusterAccess, inClusterKubeconfig } from "./in-cluster.ts";
import { KubeconfigError, isKubeconfigError } from "./kubeconfig-error.ts";
import { isEmptyKubeconfig } from "./kubeconfig.ts";
import type { Kubeconfig } from "./kubeconfig.ts";
import { loadKubeconfig } from "./load.ts";
import { selectContext } from "./overrides.ts";
import type { KubeconfigOverrides } from "./overrides.ts";
import { inClusterNamespace, isInCluster } from "./pod-account.ts";

/** Where to look, and what overrides the result. */
export interface FindAccessOptions {
  readonly host: Host;
  readonly log: Log;
  /** The only kubeconfig to use, as with `--kubeconfig`. @default the first that exists of KUBECONFIG, in-cluster and ~/.kube/config */
  readonly path?: string;
  /** Values that override what was found. @default none */
  readonly overrides?: KubeconfigOverrides;
}

/**
 * Rejects with a `KubeconfigError`, reason "empty" if there is no configuration. An existing but invalid kubeconfig is an
 * error and never skipped.
 *
 * The namespace is that of the overrides, of the context, of the pod if this is one, or "default", in this order.
 */
export async function findAccess({ host, log, path = "", overrides = {} }: FindAccessOptions): Promise<ClusterAccess> {
  const isNamed = path !== "" || (host.env["KUBECONFIG"] ?? "") !== "";
  // A context override refers to a kubeconfig, so do not use the pod's service account.
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
  if (path !== "") return `${path} is empty; use another kubeconfig`;
  const { KUBECONFIG: list = "" } = host.env;
  if (list !== "") return `the files of KUBECONFIG are missing or empty (${list}); check the variable`;
  return `KUBECONFIG is not set, this is not a pod with a service account, and ${host.homeDir === undefined ? "there is no home directory" : "~/.kube/config is missing or empty"}; set KUBECONFIG to the path of a kubeconfig`;
}

async function tryInCluster(options: KubeconfigAccessOptions): Promise<ClusterAccess | undefined> {
  let config: Kubeconfig;
  try {
    config = await inClusterKubeconfig(options);
  } catch (error) {
    if (!isKubeconfigError(error)) throw error;
    if (error.reason !== "not-in-cluster")
      options.log.warn("cannot use the service account of this pod; looking for a kubeconfig", { error });
    return undefined;
  }
  return accessFromKubeconfig(config, options);
}
