/**
 * Chooses the cluster, credentials and user from the caller's options.
 *
 *     ClusterChoice → findAccess, accessFromKubeconfig, inClusterAccess → ClusterAccess
 */
import { join } from "node:path";
import { accessFromKubeconfig, findAccess, inClusterAccess, loadKubeconfig, parseKubeconfig, resolveKubeconfigPaths } from "@drover/client";
import type { ClusterAccess, Host, Impersonation, KubeconfigOverrides } from "@drover/client";
import { definedOnly } from "@drover/machinery";
import type { Log } from "@drover/machinery";

/** Which cluster and user. The overrides win over everything that is found, like kubectl's flags. */
export interface ClusterChoice extends KubeconfigOverrides {
  /**
   * Where to look. "anywhere" takes the first that exists of `kubeconfig`, the variable KUBECONFIG, the pod's service
   * account and ~/.kube/config; "kubeconfig" skips the pod; "in-cluster" uses only the pod. @default "anywhere"
   */
  readonly from?: "anywhere" | "kubeconfig" | "in-cluster";
  /**
   * Path of the only kubeconfig to use, or its text; relative paths in a text start at the working directory. @default
   * the files of KUBECONFIG, or ~/.kube/config
   */
  readonly kubeconfig?: string | { readonly text: string };
  /** Impersonates another user; replaces the impersonation of the kubeconfig completely. @default from the kubeconfig */
  readonly impersonate?: Impersonation;
  /** The access itself, if the program knows it. Only `namespace` and `impersonate` may be set besides. @default searched */
  readonly access?: ClusterAccess;
}

/** Dependencies of `chooseAccess`. */
export interface ChooseAccessDeps {
  readonly host: Host;
  readonly log: Log;
}

/**
 * Finds the access. Rejects with `TypeError` for contradicting options, and with `KubeconfigError` if none is found or
 * it is invalid.
 */
export async function chooseAccess(choice: ClusterChoice, deps: ChooseAccessDeps): Promise<ClusterAccess> {
  checkChoice(choice);
  const { from = "anywhere", kubeconfig, impersonate, access, ...overrides } = choice;
  const found =
    access === undefined
      ? await lookFor(from, kubeconfig, { ...deps, overrides })
      : { ...access, namespace: overrides.namespace || access.namespace };
  return { ...found, ...definedOnly({ impersonate }) };
}

async function lookFor(
  from: ClusterChoice["from"],
  kubeconfig: ClusterChoice["kubeconfig"],
  options: ChooseAccessDeps & { readonly overrides: KubeconfigOverrides },
): Promise<ClusterAccess> {
  const { host, log } = options;
  if (from === "in-cluster") return inClusterAccess(options);
  if (typeof kubeconfig === "object") {
    // As if the text were a file in the working directory, so that its paths resolve.
    const written = parseKubeconfig(kubeconfig.text, { file: join(host.cwd, "kubeconfig"), label: "the text given as kubeconfig" });
    return accessFromKubeconfig(resolveKubeconfigPaths(host, written), options);
  }
  const path = definedOnly({ path: kubeconfig });
  if (from === "anywhere") return findAccess({ ...options, ...path });
  return accessFromKubeconfig(await loadKubeconfig({ host, log, ...path }), options);
}

function checkChoice({ from = "anywhere", kubeconfig, impersonate: _, access, namespace: __, ...overrides }: ClusterChoice): void {
  const { context, cluster, user } = overrides;
  if (access !== undefined)
    refuse({ ...(from === "anywhere" ? {} : { from }), kubeconfig, ...overrides }, "access already names the cluster");
  if (from === "in-cluster") refuse({ kubeconfig, context, cluster, user }, 'from: "in-cluster" uses no kubeconfig');
}

function refuse(options: Readonly<Record<string, unknown>>, because: string): void {
  const given = Object.entries(options).flatMap(([name, value]) => (value === undefined || value === "" ? [] : [name]));
  if (given.length > 0) throw new TypeError(`connect: ${because}, so ${given.join(", ")} would have no effect; remove one of them`);
}
