/**
 * From what the caller said to one way to one cluster.
 *
 *     ClusterChoice → findAccess, accessFromKubeconfig, inClusterAccess → ClusterAccess
 */
import { join } from "node:path";
import { accessFromKubeconfig, findAccess, inClusterAccess, loadKubeconfig, parseKubeconfig, resolveKubeconfigPaths } from "@drover/client";
import type { ClusterAccess, Host, Impersonation, KubeconfigOverrides } from "@drover/client";
import type { Log } from "@drover/machinery";

/** Which cluster, as whom. The overrides win over whatever is found, as the flags of kubectl do. */
export interface ClusterChoice extends KubeconfigOverrides {
  /**
   * Where to look: "anywhere" is `kubeconfig`, the variable KUBECONFIG, the service account of the pod this runs in,
   * and ~/.kube/config, the first of them
   * that is there; "kubeconfig" leaves the pod out; "in-cluster" is the pod and nothing else. @default "anywhere"
   */
  readonly from?: "anywhere" | "kubeconfig" | "in-cluster";
  /**
   * The path of the one kubeconfig to use, or its text; paths in a text lead from the working folder. @default the
   * files of KUBECONFIG, or ~/.kube/config
   */
  readonly kubeconfig?: string | { readonly text: string };
  /**
   * Act as somebody else, in all or in nothing: what a kubeconfig says about this does not count then. @default what
   * the kubeconfig says
   */
  readonly impersonate?: Impersonation;
  /**
   * The way itself, for programs that know it; nothing is looked for, so nothing of the above can stand beside it but
   * `namespace` and `impersonate`. @default looked for
   */
  readonly access?: ClusterAccess;
}

export interface ChooseAccessDeps {
  readonly host: Host;
  readonly log: Log;
}

/** Rejects with a `TypeError` for options that contradict each other, and with a `KubeconfigError` when there is no way or a wrong one. */
export async function chooseAccess(choice: ClusterChoice, deps: ChooseAccessDeps): Promise<ClusterAccess> {
  checkChoice(choice);
  const { from = "anywhere", kubeconfig, impersonate, access, ...overrides } = choice;
  const found =
    access === undefined
      ? await lookFor(from, kubeconfig, { ...deps, overrides })
      : { ...access, namespace: overrides.namespace || access.namespace };
  return { ...found, ...(impersonate === undefined ? {} : { impersonate }) };
}

async function lookFor(
  from: ClusterChoice["from"],
  kubeconfig: ClusterChoice["kubeconfig"],
  options: ChooseAccessDeps & { readonly overrides: KubeconfigOverrides },
): Promise<ClusterAccess> {
  const { host, log } = options;
  if (from === "in-cluster") return inClusterAccess(options);
  if (typeof kubeconfig === "object") {
    // As if it stood in a file there, so that its paths lead somewhere.
    const written = parseKubeconfig(kubeconfig.text, { file: join(host.cwd, "kubeconfig"), label: "the text given as kubeconfig" });
    return accessFromKubeconfig(resolveKubeconfigPaths(host, written), options);
  }
  const path = kubeconfig === undefined ? {} : { path: kubeconfig };
  if (from === "anywhere") return findAccess({ ...options, ...path });
  return accessFromKubeconfig(await loadKubeconfig({ host, log, ...path }), options);
}

function checkChoice({ from = "anywhere", kubeconfig, impersonate: _, access, namespace: __, ...overrides }: ClusterChoice): void {
  const { context, cluster, user } = overrides;
  if (access !== undefined) refuse({ ...(from === "anywhere" ? {} : { from }), kubeconfig, ...overrides }, "access is the way itself");
  if (from === "in-cluster") refuse({ kubeconfig, context, cluster, user }, 'from: "in-cluster" uses no kubeconfig');
}

function refuse(options: Readonly<Record<string, unknown>>, because: string): void {
  const given = Object.entries(options).flatMap(([name, value]) => (value === undefined || value === "" ? [] : [name]));
  if (given.length > 0) throw new TypeError(`connect: ${because}, so ${given.join(", ")} would change nothing; leave out one of the two`);
}
