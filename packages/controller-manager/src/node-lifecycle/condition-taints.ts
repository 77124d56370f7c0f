/** Taints that mirror a node's conditions. */
import type { Node, Taint } from "@drover/api/core/v1";
import { formatTime } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { conditionOf } from "./node-health.ts";

type SeenNode = DeepReadonly<Node>;
type SeenTaint = DeepReadonly<Taint>;

const notReady = "node.kubernetes.io/not-ready";
const unreachable = "node.kubernetes.io/unreachable";

/** Condition, the status that matters, and the taint. */
const mirrors: readonly (readonly [type: string, status: string, taint: string])[] = [
  ["Ready", "False", notReady],
  ["Ready", "Unknown", unreachable],
  ["MemoryPressure", "True", "node.kubernetes.io/memory-pressure"],
  ["DiskPressure", "True", "node.kubernetes.io/disk-pressure"],
  ["NetworkUnavailable", "True", "node.kubernetes.io/network-unavailable"],
  ["PIDPressure", "True", "node.kubernetes.io/pid-pressure"],
];
const cordon = "node.kubernetes.io/unschedulable";
const ours: ReadonlySet<string> = new Set([...mirrors.map(([, , taint]) => taint), cordon]);

/** Returns the NoSchedule taints. */
export function noScheduleTaints(node: SeenNode): readonly string[] {
  return [
    ...mirrors.filter(([type, status]) => conditionOf(node, type)?.status === status).map(([, , taint]) => taint),
    ...(node.spec?.unschedulable === true ? [cordon] : []),
  ];
}

/** Returns the NoExecute taint; undefined for a healthy node. */
export function noExecuteTaint(node: SeenNode): string | undefined {
  const { status } = conditionOf(node, "Ready") ?? {};
  return status === "False" ? notReady : status === "Unknown" ? unreachable : undefined;
}

export interface TaintsOptions {
  /** Whether pods may be evicted now. */
  readonly mayEvict: boolean;
  readonly now: number;
}

/**
 * Returns all taints of a node in their desired state; undefined when nothing changes. Keeps taints of others, and the time of its
 * own that stay.
 */
export function wantedTaints(node: SeenNode, { mayEvict, now }: TaintsOptions): readonly SeenTaint[] | undefined {
  const { taints = [] } = node.spec ?? {};
  const execute = noExecuteTaint(node);
  const isThere = (key: string): boolean => taints.some((taint) => taint.key === key && taint.effect === "NoExecute");
  const wanted: SeenTaint[] = [
    ...noScheduleTaints(node).map((key): SeenTaint => ({ key, effect: "NoSchedule" })),
    ...(execute !== undefined && (mayEvict || isThere(execute)) ? [{ key: execute, effect: "NoExecute" as const }] : []),
  ];
  const isOurs = ({ key, effect }: SeenTaint): boolean =>
    (effect === "NoSchedule" && ours.has(key)) || (effect === "NoExecute" && (key === notReady || key === unreachable));
  const same = (one: SeenTaint, other: SeenTaint): boolean => one.key === other.key && one.effect === other.effect;
  const kept = taints.filter((taint) => !isOurs(taint) || wanted.some((want) => same(want, taint)));
  const added = wanted
    .filter((want) => !taints.some((taint) => same(want, taint)))
    .map((want) => ({ ...want, timeAdded: formatTime(now) }));
  return added.length === 0 && kept.length === taints.length ? undefined : [...kept, ...added];
}
