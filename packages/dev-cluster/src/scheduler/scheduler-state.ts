/**
 * What the scheduler knows: nodes, what stands on each, and what it has just put there itself.
 *
 *     watch of nodes and pods → node, pod;   a pod without a node → place → assume → bind
 */
import type { Node, Pod } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";
import { filterNode } from "./filter-node.ts";
import { NodeLoad, placedPod } from "./node-load.ts";
import type { LoadedNode } from "./node-load.ts";
import { allocatableOf } from "./resource-amounts.ts";
import { bestNodes } from "./score-node.ts";
import { unschedulableMessage } from "./unschedulable-message.ts";

export type Placement = { readonly node: string } | { readonly message: string };

/**
 * Guarantees: a pod counts on one node at most; one that was assumed to be somewhere counts there until it is seen there, or forgotten.
 */
export class SchedulerState {
  readonly #nodes = new Map<string, Omit<LoadedNode, "load">>();
  /** Of nodes that are not known as well: their pods may be seen first. */
  readonly #loads = new Map<string, NodeLoad>();
  /** By uid of the pod. */
  readonly #places = new Map<string, string>();
  #turn = 0;

  setNode(node: DeepReadonly<Node>): void {
    this.#nodes.set(node.metadata.name ?? "", { node, allocatable: allocatableOf(node) });
  }

  removeNode(name: string): void {
    this.#nodes.delete(name);
  }

  /** A pod was seen: on a node, on none, or at its end, when it takes nothing any more. */
  setPod(pod: DeepReadonly<Pod>): void {
    const { nodeName = "" } = pod.spec ?? {};
    const { phase } = pod.status ?? {};
    if (phase === "Succeeded" || phase === "Failed") this.removePod(pod.metadata.uid ?? "");
    else if (nodeName !== "") this.assume(pod, nodeName);
  }

  removePod(uid: string): void {
    const place = this.#places.get(uid);
    if (place === undefined) return;
    this.#places.delete(uid);
    const load = this.#loads.get(place);
    load?.remove(uid);
    if (load?.count === 0) this.#loads.delete(place);
  }

  /** Counts the pod on this node from now on. */
  assume(pod: DeepReadonly<Pod>, node: string): void {
    const placed = placedPod(pod);
    if (this.#places.get(placed.uid) !== node) this.removePod(placed.uid);
    const load = this.#loads.get(node) ?? new NodeLoad();
    this.#loads.set(node, load);
    load.put(placed);
    this.#places.set(placed.uid, node);
  }

  /** Where the pod should be, or why it cannot be anywhere. Nodes that are equally good take turns. */
  place(pod: DeepReadonly<Pod>): Placement {
    const placed = placedPod(pod);
    const nodes = [...this.#nodes].map(([name, known]): LoadedNode => ({ ...known, load: this.#loads.get(name) ?? new NodeLoad() }));
    const refusals = nodes.map((node) => filterNode(pod, placed, node));
    const feasible = nodes.filter((_, index) => refusals[index]?.length === 0);
    if (feasible.length === 0) return { message: unschedulableMessage(refusals) };
    const best = bestNodes(pod, placed, feasible);
    const chosen = best[this.#turn++ % best.length];
    return { node: chosen?.node.metadata.name ?? "" };
  }
}
