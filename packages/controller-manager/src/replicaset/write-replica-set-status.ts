/** Writes the status of a ReplicaSet. */
import { ReplicaSet } from "@drover/api/apps/v1";
import type { ReplicaSetStatus } from "@drover/api/apps/v1";
import type { Client } from "@drover/client";
import type { DeepReadonly } from "@drover/machinery";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import { sameReplicaSetStatus } from "./replica-set-status.ts";

/**
 * Writes the status if it differs. Retries a failed write once, on the current object of the server, with the original
 * `observedGeneration`. Returns the updated ReplicaSet.
 */
export async function writeReplicaSetStatus(
  client: Client,
  replicaSet: ReplicaSetView,
  status: DeepReadonly<ReplicaSetStatus>,
): Promise<ReplicaSetView> {
  if (sameReplicaSetStatus(replicaSet.status, status)) return replicaSet;
  const { name = "", namespace = "" } = replicaSet.metadata;
  const sets = client.resource(ReplicaSet);
  const write = (over: ReplicaSetView): Promise<ReplicaSetView> => sets.status.update({ ...over, status }, { namespace });
  try {
    return await write(replicaSet);
  } catch {
    return await write(await sets.get(name, { namespace }));
  }
}
