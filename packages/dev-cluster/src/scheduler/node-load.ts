/** A node and the pods on it. */
import type { Node } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";
import type { PlacedPod } from "./placed-pod.ts";
import type { ResourceAmounts } from "./resource-amounts.ts";

/** Guarantees: `requested`, `siblings` and `withTerms` are derived from `pods`. */
export class NodeLoad {
  readonly #pods = new Map<string, PlacedPod>();
  readonly #requested = new Map<string, number>();
  readonly #owners = new Map<string, number>();
  readonly #withTerms = new Map<string, PlacedPod>();

  get pods(): Iterable<PlacedPod> {
    return this.#pods.values();
  }

  /** Pods with affinity or anti-affinity terms. */
  get withTerms(): Iterable<PlacedPod> {
    return this.#withTerms.values();
  }

  get count(): number {
    return this.#pods.size;
  }

  requested(resource: string): number {
    return this.#requested.get(resource) ?? 0;
  }

  /** Returns the number of pods of this owner. */
  siblings(owner: string): number {
    return owner === "" ? 0 : (this.#owners.get(owner) ?? 0);
  }

  put(pod: PlacedPod): void {
    this.remove(pod.uid);
    this.#pods.set(pod.uid, pod);
    if (pod.terms !== undefined) this.#withTerms.set(pod.uid, pod);
    this.#count(pod, 1);
  }

  remove(uid: string): void {
    const pod = this.#pods.get(uid);
    if (pod === undefined) return;
    this.#pods.delete(uid);
    this.#withTerms.delete(uid);
    this.#count(pod, -1);
  }

  /** Returns a copy to simulate changes on. */
  copy(): NodeLoad {
    const load = new NodeLoad();
    for (const pod of this.#pods.values()) load.put(pod);
    return load;
  }

  #count({ owner, request }: PlacedPod, sign: 1 | -1): void {
    for (const [resource, amount] of request) this.#requested.set(resource, this.requested(resource) + sign * amount);
    const siblings = (this.#owners.get(owner) ?? 0) + sign;
    if (siblings === 0) this.#owners.delete(owner);
    else this.#owners.set(owner, siblings);
  }
}

/** A node as the scheduler sees it. */
export interface LoadedNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly node: DeepReadonly<Node>;
  readonly load: NodeLoad;
  readonly allocatable: ResourceAmounts;
}
