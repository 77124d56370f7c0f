/**
 * Chooses which pod of a deployment to ask.
 *
 *     status of each ready pod → chooseReplica → pod, and one line that says which
 */
import type { DebugStatus } from "@drover/controller";
import { oneLine } from "../terminal-text.ts";

/** A ready pod, and what it says about itself. */
export interface Replica {
  readonly pod: string;
  readonly status: Pick<DebugStatus, "election" | "shards">;
}

/** Which replicas can answer: only the one that reconciles, or any. */
export type Suitable = "leader" | "any";

/** @param replicas - at least one */
export function chooseReplica(
  replicas: readonly Replica[],
  suitable: Suitable,
): { readonly pod: string; readonly told: string } | { readonly problem: string } {
  const [first] = replicas;
  if (first === undefined) return { problem: "no pod answers" };
  const leader = replicas.find(({ status: { election } }) => election?.isLeader === true);
  if (leader !== undefined) return { pod: leader.pod, told: `asking pod ${leader.pod}, which holds the lease ${leaseOf(leader)}` };
  // Without an election every replica reconciles: all keys, or those of its shards.
  const active = replicas.find(({ status: { election } }) => election === undefined);
  if (active !== undefined) return { pod: active.pod, told: `asking pod ${active.pod}${roleOf(active, replicas.length)}` };
  const holder = first.status.election?.leader ?? "";
  const missing = `no ready pod holds the lease ${leaseOf(first)}${holder === "" ? "" : `, which ${oneLine(holder)} holds`}`;
  if (suitable === "any") return { pod: first.pod, told: `asking pod ${first.pod}: ${missing}` };
  return { problem: `${missing}, so none of them reconciles\n  fix: wait until one has the lease; --pod ${first.pod} asks one without it` };
}

function roleOf({ status: { shards } }: Replica, count: number): string {
  if (shards !== undefined) return `, which holds ${shards.held.length} shards of ${oneLine(shards.layout)}; --pod asks another one`;
  return count === 1 ? ", the only one that is ready" : `, one of ${count} that reconcile without a lease; --pod asks another one`;
}

const leaseOf = ({ status: { election } }: Replica): string => oneLine(election?.lease ?? "");
