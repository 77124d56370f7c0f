/**
 * Whether a node still reports, by this process's own clock: timestamps of the node are only compared with each other.
 *
 *     Node, Lease → observe → NodeHealth → silence → which conditions become Unknown
 */
import type { Lease } from "@drover/api/coordination/v1";
import type { Node, NodeCondition } from "@drover/api/core/v1";
import { formatTime } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";

/** Last report of a node, and when it arrived. */
export interface NodeHealth {
  /** Its last heartbeat and lease renewal, as written. */
  readonly words: string;
  /** When they last changed, in milliseconds on this process's clock. */
  readonly heardAt: number;
}

export interface SilenceLimits {
  /** How long a node may be silent. */
  readonly graceMs: number;
  /** The same for a node that has never reported. */
  readonly startUpGraceMs: number;
}

type SeenNode = DeepReadonly<Node>;

export const conditionOf = ({ status }: SeenNode, type: string): DeepReadonly<NodeCondition> | undefined =>
  status?.conditions?.find((condition) => condition.type === type);

/** Returns the updated state: the time moves only when the node reported something new. */
export function observe(before: NodeHealth | undefined, node: SeenNode, lease: DeepReadonly<Lease> | undefined, now: number): NodeHealth {
  const words = JSON.stringify([conditionOf(node, "Ready")?.lastHeartbeatTime, lease?.spec?.renewTime]);
  return before?.words === words ? before : { words, heardAt: now };
}

const watched: readonly string[] = ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"];

/** Returns the conditions to write for a node that has been silent too long; undefined when there is nothing to write. */
export function silence(
  node: SeenNode,
  { heardAt }: NodeHealth,
  now: number,
  { graceMs, startUpGraceMs }: SilenceLimits,
): readonly NodeCondition[] | undefined {
  const hasReported = conditionOf(node, "Ready") !== undefined;
  if (now - heardAt <= (hasReported ? graceMs : startUpGraceMs)) return undefined;
  const time = formatTime(now);
  const changed = watched.flatMap((type): readonly NodeCondition[] => {
    const known = conditionOf(node, type);
    if (known?.status === "Unknown") return [];
    if (known === undefined)
      return [
        {
          type,
          status: "Unknown",
          reason: "NodeStatusNeverUpdated",
          message: "Kubelet never posted node status.",
          lastHeartbeatTime: node.metadata.creationTimestamp ?? time,
          lastTransitionTime: time,
        },
      ];
    return [
      {
        ...known,
        status: "Unknown",
        reason: "NodeStatusUnknown",
        message: "Kubelet stopped posting node status.",
        lastTransitionTime: time,
      },
    ];
  });
  return changed.length === 0 ? undefined : changed;
}
