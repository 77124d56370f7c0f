/**
 * Checks before the start whether a program has the permissions that its runnables and leases need, cluster by cluster.
 *
 *     runnables, leases → checkNeeds → checkPermissions
 */
import type { Cluster } from "@drover/cache";
import { definedOnly } from "@drover/machinery";
import { checkPermissions } from "../permissions/check-permissions.ts";
import { leaseCandidateNeed, leaseNeed, shardsNeed } from "../permissions/permission-need.ts";
import type { ManagerOptions } from "./manager-options.ts";
import type { Runnable } from "./runnable.ts";

export interface CheckNeedsOptions {
  readonly options: ManagerOptions;
  readonly clusters: Iterable<Cluster>;
  readonly runnables: Iterable<{ readonly member: { readonly runnable: Runnable }; readonly cluster: Cluster }>;
  readonly signal: AbortSignal;
}

/** Rejects with a `MissingPermissionsError`, unless the manager's `permissions` is "off" or it is a thread, whose main thread checks. */
export async function checkNeeds({ options, clusters, runnables, signal }: CheckNeedsOptions): Promise<void> {
  const { permissions = "check", leaderElection, shards, thread, runtime } = options;
  if (permissions === "off" || thread !== undefined) return;
  const own = [
    ...(leaderElection === undefined ? [] : [leaseNeed(leaderElection.namespace)]),
    ...(leaderElection?.coordinated === undefined ? [] : [leaseCandidateNeed(leaderElection.namespace)]),
    ...(shards === undefined ? [] : [shardsNeed(shards.namespace)]),
  ];
  // Also those of runnables of another cluster that watch this one.
  const all = [...runnables].flatMap(({ member, cluster }) =>
    (member.runnable.needs ?? []).map((need) => ({ ...need, cluster: need.cluster ?? cluster.name })),
  );
  for (const cluster of clusters) {
    const needs = [...(cluster === options.cluster ? own : []), ...all.filter((need) => need.cluster === cluster.name)];
    if (needs.length > 0)
      await checkPermissions({
        client: cluster.client,
        needs,
        log: runtime.log,
        signal,
        ...definedOnly({ roleName: options.roleName ?? leaderElection?.name ?? shards?.name }),
      });
  }
}
