/** Which kubeconfig, context, cluster and user there are. Sends nothing. */
import { inClusterAccess, kubeconfigFiles, loadKubeconfig, selectContext } from "@drover/client";
import type { ClusterAccess, Host } from "@drover/client";
import { definedOnly } from "@drover/machinery";
import type { Log } from "@drover/machinery";
import { errorText } from "@drover/machinery";
import { problemCode } from "@drover/machinery/codes";
import type { ClusterPlace } from "./examined-cluster.ts";
import { ok } from "./finding.ts";
import type { Finding } from "./finding.ts";

/** Says where the access comes from. */
export async function describeAccess(
  access: ClusterAccess,
  { kubeconfig, context }: ClusterPlace,
  { host, log }: { readonly host: Host; readonly log: Log },
): Promise<Finding> {
  const { files, namedBy } = kubeconfigFiles({ host, ...definedOnly({ path: kubeconfig }) });
  const config = await loadKubeconfig({ host, log, ...definedOnly({ path: kubeconfig }) });
  const selection = selectContext(config, definedOnly({ context }));
  const where = files.map((file) => homeless(file, host.homeDir)).join(", ");
  const source = namedBy === "KUBECONFIG" ? `${where} (KUBECONFIG)` : where;
  if (selection.cluster.cluster.server === undefined && (await isPod(access, host, log)))
    return ok("kubeconfig", `service account of this pod, server ${access.server}, namespace ${access.namespace}`);
  const { name } = selection.context;
  return ok("kubeconfig", `${source}, context ${name === "" ? "(none)" : name}, server ${access.server}, namespace ${access.namespace}`);
}

/** A finding about a kubeconfig that cannot be used. */
export const brokenKubeconfig = (error: unknown): Finding => {
  const code = problemCode(error);
  return {
    check: "kubeconfig",
    verdict: "fail",
    says: errorText(error).replace(/ \[DRV\d{4}\]/, ""),
    fix: "set KUBECONFIG, or pass --kubeconfig FILE and --context NAME",
    ...(code === undefined ? {} : { code }),
  };
};

async function isPod({ server }: ClusterAccess, host: Host, log: Log): Promise<boolean> {
  try {
    return (await inClusterAccess({ host, log })).server === server;
  } catch {
    return false;
  }
}

/** "~/.kube/config" */
const homeless = (file: string, home: string | undefined): string =>
  home !== undefined && home.length > 1 && file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file;
