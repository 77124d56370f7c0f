/**
 * The scheduler's model of the cluster: nodes, pods on each, pods it has just bound, and nominated pods.
 *
 *     watches → setNode, setPod, …;   a pod without a node → place → assume → bind, or promise
 */
import type { Namespace, Node, PersistentVolumeClaim, Pod } from "@drover/api/core/v1";
import type { PodDisruptionBudget } from "@drover/api/policy/v1";
import type { DeepReadonly } from "@drover/machinery";
import type { ClusterView } from "./cluster-view.ts";
import { filterNodes } from "./filter-nodes.ts";
import { NodeLoad } from "./node-load.ts";
import type { LoadedNode } from "./node-load.ts";
import { placedPod } from "./placed-pod.ts";
import type { PlacedPod } from "./placed-pod.ts";
import { namedNodes } from "./plugins/node-affinity.ts";
import { claimsMissing } from "./plugins/volume-claims.ts";
import { preempt } from "./preemption.ts";
import { allocatableOf } from "./resource-amounts.ts";
import { bestNodes } from "./score-nodes.ts";
import { hopelessMessage, unschedulableMessage } from "./unschedulable-message.ts";

export type Placement =
  | { readonly node: string }
  | {
      /** Why no node fits. */
      readonly message: string;
      /** The node it is nominated for once the victims are gone; "" to clear an earlier nomination, undefined for no change. */
      readonly promised?: string;
      readonly victims: readonly PlacedPod[];
    };

/** Objects the scheduler looks up besides nodes and pods. */
interface Surroundings {
  readonly namespaces: Map<string, DeepReadonly<Namespace>>;
  readonly claims: Map<string, DeepReadonly<PersistentVolumeClaim>>;
  readonly budgets: Map<string, DeepReadonly<PodDisruptionBudget>>;
}

/** Guarantees: a pod counts on at most one node; an assumed pod counts there until it is observed there or forgotten. */
export class SchedulerState {
  readonly #nodes = new Map<string, Omit<LoadedNode, "load">>();
  /** Includes unknown nodes: their pods may be observed first. */
  readonly #loads = new Map<string, NodeLoad>();
  /** By uid of the pod. */
  readonly #places = new Map<string, string>();
  /** Nominated pods by uid. */
  readonly #promises = new Map<string, { readonly pod: PlacedPod; readonly node: string }>();
  /** Parsed pods, for as long as the cache holds them. */
  readonly #read = new WeakMap<DeepReadonly<Pod>, PlacedPod>();
  /** All nodes with their loads; undefined when it must be rebuilt. */
  #loaded: readonly LoadedNode[] | undefined;
  readonly #around: Surroundings = { namespaces: new Map(), claims: new Map(), budgets: new Map() };
  #turn = 0;

  setNode(node: DeepReadonly<Node>): void {
    const { name = "", labels = {} } = node.metadata;
    this.#nodes.set(name, { name, labels, node, allocatable: allocatableOf(node) });
    this.#loaded = undefined;
  }

  removeNode(name: string): void {
    this.#nodes.delete(name);
    this.#loaded = undefined;
  }

  /** Sets what pods refer to, by "namespace/name"; undefined removes it. */
  set<K extends keyof Surroundings>(
    what: K,
    key: string,
    object: (Surroundings[K] extends Map<string, infer V> ? V : never) | undefined,
  ): void {
    const known: Map<string, unknown> = this.#around[what];
    if (object === undefined) known.delete(key);
    else known.set(key, object);
  }

  /** Records a pod from the watch: on a node, on none, or finished, when it uses nothing. */
  setPod(pod: DeepReadonly<Pod>): void {
    const { nodeName = "" } = pod.spec ?? {};
    const { uid = "" } = pod.metadata;
    if (isOver(pod)) this.removePod(uid);
    else if (nodeName !== "") this.assume(pod, nodeName);
    else if (!this.#places.has(uid)) this.promise(pod, pod.status?.nominatedNodeName ?? "");
  }

  removePod(uid: string): void {
    this.#promises.delete(uid);
    const place = this.#places.get(uid);
    if (place === undefined) return;
    this.#places.delete(uid);
    const load = this.#loads.get(place);
    load?.remove(uid);
    if (load?.count !== 0) return;
    this.#loads.delete(place);
    this.#loaded = undefined;
  }

  /** Counts the pod on this node from now on. */
  assume(pod: DeepReadonly<Pod>, node: string): void {
    const placed = this.#placed(pod);
    this.#promises.delete(placed.uid);
    if (this.#places.get(placed.uid) !== node) this.removePod(placed.uid);
    const load = this.#loads.get(node) ?? this.#newLoad(node);
    load.put(placed);
    this.#places.set(placed.uid, node);
  }

  /** Nominates the pod for this node; "" clears the nomination. */
  promise(pod: DeepReadonly<Pod>, node: string): void {
    const { uid = "" } = pod.metadata;
    if (node === "" || pod.metadata.deletionTimestamp !== undefined) this.#promises.delete(uid);
    else this.#promises.set(uid, { pod: this.#placed(pod), node });
  }

  /** Returns the pods nominated for this node. */
  promised(node: string): readonly PlacedPod[] {
    return this.#promises.size === 0 ? [] : [...this.#promises.values()].flatMap((promise) => (promise.node === node ? [promise.pod] : []));
  }

  /** Returns the best node for the pod, or why none fits. Takes turns between equally good nodes. */
  place(pod: DeepReadonly<Pod>): Placement {
    const placed = this.#placed(pod);
    const view = this.#view();
    const promised = (node: string): readonly PlacedPod[] => this.promised(node);
    if (view.nodes.length === 0) return { message: "no nodes available to schedule pods", victims: [] };
    const hopeless = namedNodes(pod)?.size === 0 ? "pod affinity terms conflict" : claimsMissing(placed, view);
    if (hopeless !== undefined) return { message: hopelessMessage(view.nodes.length, hopeless), victims: [] };
    const refusals = filterNodes(placed, view, promised);
    const feasible = view.nodes.filter((_, index) => refusals[index] === undefined);
    const [best] = feasible.filter(({ name }) => name === pod.status?.nominatedNodeName);
    if (best !== undefined) return { node: best.name };
    if (feasible.length > 0) return { node: this.#nextOf(bestNodes(placed, view, feasible)) };
    const message = unschedulableMessage(refusals.map((refusal) => refusal?.reasons ?? []));
    const preemption = preempt(placed, view, { refusals, promised });
    if (preemption.type === "victims") return { message, promised: preemption.node, victims: preemption.victims };
    return { message: `${message} ${preemption.message}`, victims: [], ...(preemption.forgetsNode ? { promised: "" } : {}) };
  }

  #nextOf(nodes: readonly LoadedNode[]): string {
    return nodes[this.#turn++ % nodes.length]?.name ?? "";
  }

  #placed(pod: DeepReadonly<Pod>): PlacedPod {
    const known = this.#read.get(pod);
    if (known !== undefined) return known;
    const placed = placedPod(pod);
    this.#read.set(pod, placed);
    return placed;
  }

  #newLoad(node: string): NodeLoad {
    const load = new NodeLoad();
    this.#loads.set(node, load);
    this.#loaded = undefined;
    return load;
  }

  #view(): ClusterView {
    const { namespaces, claims, budgets } = this.#around;
    return {
      nodes: (this.#loaded ??= [...this.#nodes.values()].map((known): LoadedNode => ({
        ...known,
        load: this.#loads.get(known.name) ?? new NodeLoad(),
      }))),
      namespaceLabels: (name) => namespaces.get(name)?.metadata.labels,
      claim: (namespace, name) => claims.get(`${namespace}/${name}`),
      budgets: () => budgets.values(),
    };
  }
}

/** Whether no container of the pod runs any more. */
export const isOver = ({ status }: DeepReadonly<Pod>): boolean => status?.phase === "Succeeded" || status?.phase === "Failed";
