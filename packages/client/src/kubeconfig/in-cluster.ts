/**
 * Access to the cluster that a pod runs in: two variables and the files of its service account, converted to a kubeconfig.
 *
 *     Host → inClusterKubeconfig → accessFromKubeconfig → ClusterAccess
 */
import type { Log } from "@drover/machinery";
import type { Host } from "../host.ts";
import { accessFromKubeconfig } from "./access.ts";
import type { KubeconfigAccessOptions } from "./access.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { emptyKubeconfig } from "./kubeconfig.ts";
import type { Kubeconfig } from "./kubeconfig.ts";
import { KubeconfigError } from "./kubeconfig-error.ts";
import { inClusterNamespace, readText, serviceAccountFolder, serviceAccountTokenFile, serviceAddress } from "./pod-account.ts";

/**
 * Returns the access of a pod to its cluster. Rejects with a `KubeconfigError`: "not-in-cluster" outside of pods,
 * "unreadable" in a pod without a token. Token and certificate authorities are files that are reread as they change.
 * Overrides apply as they do to a kubeconfig.
 */
export async function inClusterAccess(options: KubeconfigAccessOptions): Promise<ClusterAccess> {
  return accessFromKubeconfig(await inClusterKubeconfig(options), options);
}

/** Returns the kubeconfig of a pod. Without ca.crt it trusts the system's certificate authorities and logs a warning. */
export async function inClusterKubeconfig({ host, log }: { readonly host: Host; readonly log: Log }): Promise<Kubeconfig> {
  const address = serviceAddress(host);
  if (address === undefined) {
    throw new KubeconfigError("not-in-cluster", [
      "unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined",
    ]);
  }
  try {
    await host.readFile(serviceAccountTokenFile);
  } catch (cause) {
    throw new KubeconfigError(
      "unreadable",
      [
        `unable to load in-cluster configuration: ${serviceAccountTokenFile} cannot be read; check automountServiceAccountToken of the pod and its service account`,
      ],
      { cause },
    );
  }
  const caFile = `${serviceAccountFolder}/ca.crt`;
  const hasCa = (await readText(host, caFile))?.includes("-----BEGIN CERTIFICATE-----") === true;
  if (!hasCa)
    log.error("the certificate authorities of the cluster are missing; trusting those of the system", { code: "DRV0342", file: caFile });
  const name = "in-cluster";
  return {
    ...emptyKubeconfig,
    clusters: [{ name, cluster: { server: `https://${address}`, ...(hasCa && { "certificate-authority": caFile }) } }],
    users: [{ name, user: { tokenFile: serviceAccountTokenFile } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: await inClusterNamespace(host) } }],
    "current-context": name,
  };
}
