/**
 * Preemption: which pods of lower priority to evict for an unschedulable pod, on the node where the least is lost.
 *
 *     refusals of all nodes → candidates: victims for each node that would fit → the best of them, or why there is no candidate
 */
import { selectorFromLabelSelector } from "@drover/machinery";
import { withLoad } from "./cluster-view.ts";
import type { ClusterView } from "./cluster-view.ts";
import { filterNode } from "./filter-nodes.ts";
import type { Promised } from "./filter-nodes.ts";
import type { LoadedNode } from "./node-load.ts";
import type { PlacedPod } from "./placed-pod.ts";
import type { Refusal } from "./refusal.ts";
import { unschedulableMessage } from "./unschedulable-message.ts";

export type Preemption =
  | { readonly type: "victims"; readonly node: string; /** Highest priority first. */ readonly victims: readonly PlacedPod[] }
  /** `forgetsNode`: whether its earlier nomination is void. */
  | { readonly type: "none"; readonly message: string; readonly forgetsNode: boolean };

export interface PreemptionOptions {
  /** Refusals of the filter plugins, for each node of the view. */
  readonly refusals: readonly (Refusal | undefined)[];
  readonly promised: Promised;
}

export function preempt(pod: PlacedPod, view: ClusterView, { refusals, promised }: PreemptionOptions): Preemption {
  const why = ineligible(pod, view, refusals);
  if (why !== undefined) return { type: "none", message: `${prefix} ${why}`, forgetsNode: false };
  const outcomes = view.nodes.map((node, index): Candidate | Refusal => {
    const refusal = refusals[index];
    return refusal === undefined || refusal.isFinal ? unhelpful : victimsOn(node, pod, view, promised);
  });
  const candidates = outcomes.flatMap((outcome) => ("victims" in outcome ? [outcome] : []));
  const [best] = orders.reduce(onlyBest, candidates);
  if (best !== undefined) return { type: "victims", node: best.node, victims: best.victims };
  const reasons = outcomes.map((outcome) => ("reasons" in outcome ? outcome.reasons : []));
  return { type: "none", message: `${prefix} ${unschedulableMessage(reasons)}`, forgetsNode: true };
}

/** kube-scheduler first tries to deallocate device claims and reports the result. */
const prefix = "no new claims to deallocate, preemption:";
const unhelpful: Refusal = { reasons: ["Preemption is not helpful for scheduling"], isFinal: true };
const noVictims: Refusal = { reasons: ["No preemption victims found for incoming pod"], isFinal: true };

/** A pod that already waits for victims to terminate does not preempt again. */
function ineligible({ pod, priority }: PlacedPod, { nodes }: ClusterView, refusals: PreemptionOptions["refusals"]): string | undefined {
  if (pod.spec?.preemptionPolicy === "Never") return "not eligible due to preemptionPolicy=Never.";
  const promisedIndex = nodes.findIndex(({ name }) => name === pod.status?.nominatedNodeName);
  const node = nodes[promisedIndex];
  if (node === undefined || refusals[promisedIndex]?.isFinal === true) return undefined;
  const isAwaited = (other: PlacedPod): boolean => other.isLeaving && other.priority < priority && isPreempted(other);
  return [...node.load.pods].some(isAwaited) ? "not eligible due to a terminating pod on the nominated node." : undefined;
}

const isPreempted = ({ pod }: PlacedPod): boolean =>
  pod.status?.conditions?.some(
    ({ type, status, reason }) => type === "DisruptionTarget" && status === "True" && reason === "PreemptionByScheduler",
  ) === true;

interface Candidate {
  readonly node: string;
  readonly victims: readonly PlacedPod[];
  /** Number of victims whose disruption budget would be violated. */
  readonly violations: number;
}

/** Removes all pods of lower priority, then adds back as many as fit: first those with disruption budgets, then by importance. */
function victimsOn(node: LoadedNode, pod: PlacedPod, view: ClusterView, promised: Promised): Candidate | Refusal {
  const lesser = [...node.load.pods].filter(({ priority }) => priority < pod.priority).toSorted(byImportance);
  if (lesser.length === 0) return noVictims;
  const load = node.load.copy();
  const supposed = withLoad(view, node, load);
  const refusal = (): Refusal | undefined => filterNode(pod, supposed.view, supposed.node, promised);
  for (const { uid } of lesser) load.remove(uid);
  const emptied = refusal();
  if (emptied !== undefined) return emptied;
  const isProtected = protectedPods(lesser, view);
  const mustGo = (other: PlacedPod): boolean => {
    load.put(other);
    if (refusal() === undefined) return false;
    load.remove(other.uid);
    return true;
  };
  const violating = lesser.filter(isProtected).filter(mustGo);
  const others = lesser.filter((other) => !isProtected(other)).filter(mustGo);
  return { node: node.name, victims: [...violating, ...others].toSorted(byImportance), violations: violating.length };
}

/** Higher priority first, then longer running. */
const byImportance = (a: PlacedPod, b: PlacedPod): number => b.priority - a.priority || compare(a.startedAt, b.startedAt);

/** Safe for two infinities. */
const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

/** Which of these pods would violate a disruption budget, if evicted one after another in this order. */
function protectedPods(pods: readonly PlacedPod[], { budgets }: ClusterView): (pod: PlacedPod) => boolean {
  const left = [...budgets()].map((budget) => ({
    budget,
    selector: selectorFromLabelSelector(budget.spec?.selector),
    allowed: budget.status?.disruptionsAllowed ?? 0,
  }));
  const found = new Set<string>();
  for (const { uid, namespace, labels, pod } of pods) {
    for (const entry of left) {
      const { budget, selector } = entry;
      const isMeant =
        budget.metadata.namespace === namespace && Object.keys(labels).length > 0 && !selector.isEverything && selector.matches(labels);
      if (!isMeant || Object.hasOwn(budget.status?.disruptedPods ?? {}, pod.metadata.name ?? "")) continue;
      entry.allowed--;
      if (entry.allowed < 0) found.add(uid);
    }
  }
  return ({ uid }) => found.has(uid);
}

/** Criteria for choosing between nodes, in order; the lowest value wins. */
const orders: readonly ((candidate: Candidate) => number)[] = [
  ({ violations }) => violations,
  ({ victims: [first] }) => first?.priority ?? 0,
  // Priorities may be negative; the offset makes fewer victims always cheaper.
  ({ victims }) => victims.reduce((sum, { priority }) => sum + priority + 2 ** 31, 0),
  ({ victims }) => victims.length,
  ({ victims }) => -Math.min(...victims.filter(({ priority }) => priority === victims[0]?.priority).map(({ startedAt }) => startedAt)),
];

function onlyBest(candidates: readonly Candidate[], order: (candidate: Candidate) => number): readonly Candidate[] {
  const least = Math.min(...candidates.map(order));
  return candidates.filter((candidate) => order(candidate) === least);
}
