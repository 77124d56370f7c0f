/**
 * Finds the pods that may be asked: one by its name, or the ready ones of a deployment.
 *
 *     ClusterTarget → operatorPods → names of pods, or why there is none
 */
import { Deployment } from "@drover/api/apps/v1";
import { Pod } from "@drover/api/core/v1";
import { budget, errorText, isForbidden, isNotFound } from "@drover/machinery";
import type { Connection } from "drover/client";
import { CommandError } from "../command-error.ts";
import { oneLine } from "../terminal-text.ts";
import type { ClusterTarget } from "./operator-choice.ts";

const podsMax = budget({
  name: "cli/asked-pods",
  limit: 20,
  unit: "items",
  atLimit: "further ready pods of a deployment are not asked whether they hold the lease",
  uncounted: "The command names the pod that it asks.",
});

/** Pods to ask; or what is missing, as a text with the fix. */
export type FoundPods = { readonly pods: readonly string[]; readonly namespace: string } | { readonly missing: string };

/** Rejects with a `CommandError` if the server cannot be asked. */
export async function operatorPods(
  { client, namespace: own }: Pick<Connection, "client" | "namespace">,
  { type, name, namespace = own }: ClusterTarget,
  signal: AbortSignal,
): Promise<FoundPods> {
  try {
    const found = type === "pod" ? await podNamed(client, name, namespace, signal) : await podsOf(client, name, namespace, signal);
    return typeof found === "string" ? { missing: found } : { pods: found, namespace };
  } catch (error) {
    if (isNotFound(error))
      return { missing: `there is no ${type} ${name} in namespace ${namespace}\n  fix: kubectl get ${type}s -A; then add -n NAMESPACE` };
    const fix = isForbidden(error)
      ? `\n  fix: your user needs get and list on pods, and get on deployments, in namespace ${namespace}`
      : "";
    throw new CommandError(`cannot find ${type} ${name} in namespace ${namespace}: ${oneLine(errorText(error))}${fix}`, { cause: error });
  }
}

async function podNamed(
  client: Connection["client"],
  name: string,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly string[] | string> {
  const pod = await client.get(Pod, name, { namespace, signal });
  const phase = pod.status?.phase ?? "Pending";
  // A pod that is being deleted still runs.
  if (phase === "Running") return [name];
  return `pod ${name} in namespace ${namespace} does not run: it is ${oneLine(phase)}\n  fix: kubectl describe pod ${name} -n ${namespace}`;
}

async function podsOf(
  client: Connection["client"],
  name: string,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly string[] | string> {
  const { spec } = await client.get(Deployment, name, { namespace, signal });
  const all: Pod[] = [];
  for await (const pod of client.listAll(Pod, { namespace, labelSelector: spec?.selector ?? {}, signal })) all.push(pod);
  const ready = all.filter(isReady).map(({ metadata }) => metadata.name ?? "");
  if (ready.length > 0) return ready.toSorted().slice(0, podsMax.limit);
  const states = all.slice(0, 5).map(({ metadata, status }) => `${metadata.name ?? ""} is ${oneLine(status?.phase ?? "Pending")}`);
  const pods = all.length === 0 ? "it has no pods" : `${states.join(", ")}${all.length > 5 ? ", …" : ""}`;
  return `deployment ${name} in namespace ${namespace} has no ready pod: ${pods}\n  fix: kubectl describe deployment ${name} -n ${namespace}; --pod NAME asks a pod that is not ready`;
}

const isReady = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined &&
  status?.phase === "Running" &&
  (status.conditions ?? []).some(({ type, status: value }) => type === "Ready" && value === "True");
