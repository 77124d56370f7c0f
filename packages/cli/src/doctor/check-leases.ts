/** Leases of leader election whose holder is gone. */
import { Lease } from "@drover/api/coordination/v1";
import { humanDuration, parseTime } from "@drover/machinery";
import type { ExaminedCluster } from "./examined-cluster.ts";
import { summed, unchecked } from "./finding.ts";
import type { Finding, Findings } from "./finding.ts";
import { firstObjects } from "./first-objects.ts";

const check = "leases";
/** Heartbeats of kubelets and API servers are not leader election. */
const others: ReadonlySet<string> = new Set(["kube-node-lease"]);
/** A holder that is late renews within its duration; this long it is gone. */
const graceMs = 60_000;

/** Looks at all namespaces, or at that of the connection if only that is permitted. */
export async function checkLeases(cluster: ExaminedCluster, signal: AbortSignal): Promise<Findings> {
  const { client, access } = cluster;
  try {
    const leases = await firstObjects(client, Lease, signal).catch(() => firstObjects(client, Lease, signal, access.namespace));
    const nowMs = Date.now() + (cluster.skewMs() ?? 0);
    const held = leases.filter(({ metadata, spec }) => !others.has(metadata.namespace ?? "") && (spec?.holderIdentity ?? "") !== "");
    return summed(
      check,
      held.flatMap((lease) => leaseProblems(lease, nowMs)),
      held.length === 0 ? "no lease is held" : `${held.length} held, and all renewed in time`,
    );
  } catch (error) {
    signal.throwIfAborted();
    return [unchecked(check, "list leases", error)];
  }
}

/** Returns a finding if the holder has not renewed the lease for longer than it may. */
export function leaseProblems({ metadata, spec }: Lease, nowMs: number): readonly Finding[] {
  const { holderIdentity = "", renewTime, leaseDurationSeconds = 15 } = spec ?? {};
  const lateMs = renewTime === undefined ? Infinity : nowMs - parseTime(renewTime) - leaseDurationSeconds * 1000;
  if (holderIdentity === "" || lateMs < graceMs) return [];
  const since = lateMs === Infinity ? "never" : `not for ${humanDuration(lateMs + leaseDurationSeconds * 1000)}`;
  return [
    {
      check,
      verdict: "warn",
      says: `${metadata.namespace ?? ""}/${metadata.name ?? ""}: ${holderIdentity} holds it and has renewed it ${since}: the holder is gone`,
      fix: "look at its Deployment; a new replica takes the lease over by itself, so do not delete it",
    },
  ];
}
