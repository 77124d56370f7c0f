/**
 * One round of pod garbage collection.
 *
 *     pods, nodes → surplusTerminated → terminatingOutOfService → NodeQuarantine, a read from the server
 *         → terminatingUnscheduled → removePod
 */
import { Node } from "@drover/api/core/v1";
import type { Pod } from "@drover/api/core/v1";
import type { InformerView } from "@drover/cache";
import type { Client } from "@drover/client";
import { definedOnly, isNotFound, objectKey } from "@drover/machinery";
import type { Clock, Log } from "@drover/machinery";
import type { PodView } from "../shared/pod-state.ts";
import { missingNodes, nodeNameOf, surplusTerminated, terminatingOutOfService, terminatingUnscheduled } from "./doomed-pods.ts";
import type { NodeFinder } from "./doomed-pods.ts";
import type { NodeQuarantine } from "./node-quarantine.ts";
import { removePod } from "./remove-pod.ts";
import type { RemovalReason } from "./remove-pod.ts";

export interface CollectPodsOptions {
  readonly pods: Pick<InformerView<Pod>, "list">;
  readonly nodes: Pick<InformerView<Node>, "get">;
  readonly quarantine: NodeQuarantine;
  readonly clock: Clock;
  /** Number of finished pods to keep; 0 keeps all. */
  readonly terminatedMax: number;
}

/** What a round needs from its run. */
export interface CollectRun {
  readonly client: Client;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Pods removed in parallel; there may be thousands. */
const batch = 50;

const nodeIsGone: RemovalReason = { reason: "DeletionByPodGC", message: "PodGC: node no longer exists" };

/**
 * Runs one round. Guarantees: requests each pod at most once. A pod that cannot be removed is logged, found again in the next
 * round, and does not stop the others.
 */
export async function collectPods(run: CollectRun, { pods, nodes, quarantine, clock, terminatedMax }: CollectPodsOptions): Promise<void> {
  const all = pods.list();
  const nodeOf: NodeFinder = (name) => nodes.get(objectKey(name));
  const removed = new Set<PodView>();
  const remove = async (doomed: readonly PodView[], why?: RemovalReason): Promise<void> => {
    const fresh = doomed.filter((pod) => !removed.has(pod));
    for (const pod of fresh) removed.add(pod);
    for (let at = 0; at < fresh.length; at += batch) {
      run.signal.throwIfAborted();
      await Promise.all(fresh.slice(at, at + batch).map((pod) => removeOrLog(pod, run, clock, why)));
    }
  };
  if (terminatedMax > 0) await remove(surplusTerminated(all, terminatedMax));
  await remove(terminatingOutOfService(all, nodeOf));
  const gone = new Set<string>();
  for (const name of quarantine.look(missingNodes(all, nodeOf))) if (await isGone(name, run)) gone.add(name);
  await remove(
    all.filter((pod) => gone.has(nodeNameOf(pod))),
    nodeIsGone,
  );
  await remove(terminatingUnscheduled(all));
}

async function removeOrLog(pod: PodView, { client, log, signal }: CollectRun, clock: Clock, why: RemovalReason | undefined): Promise<void> {
  try {
    await removePod(pod, { client, now: clock.now(), ...definedOnly({ why }) });
  } catch (error) {
    signal.throwIfAborted();
    log.error("cannot remove pod, retrying in the next round", {
      pod: `${pod.metadata.namespace}/${pod.metadata.name}`,
      error,
    });
  }
}

/** Whether the server confirms that the node does not exist; an error confirms nothing. */
async function isGone(name: string, { client, log, signal }: CollectRun): Promise<boolean> {
  try {
    await client.get(Node, name);
    return false;
  } catch (error) {
    signal.throwIfAborted();
    if (isNotFound(error)) return true;
    log.error("cannot read node, keeping its pods", { node: name, error });
    return false;
  }
}
