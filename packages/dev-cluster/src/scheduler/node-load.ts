/** One node and what stands on it. */
import type { Node, Pod } from "@drover/api/core/v1";
import type { DeepReadonly } from "@drover/machinery";
import { hostPortsOf } from "./host-ports.ts";
import type { HostPort } from "./host-ports.ts";
import { requestOf } from "./resource-amounts.ts";
import type { ResourceAmounts } from "./resource-amounts.ts";

/** What a pod is to the node it is on. */
export interface PlacedPod {
  readonly uid: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The uid of whoever manages it; empty when nobody does. */
  readonly owner: string;
  readonly request: ResourceAmounts;
  readonly ports: readonly HostPort[];
}

export function placedPod(pod: DeepReadonly<Pod>): PlacedPod {
  const { uid = "", namespace = "", labels = {}, ownerReferences = [] } = pod.metadata;
  const owner = ownerReferences.find(({ controller }) => controller === true)?.uid ?? "";
  return { uid, namespace, labels, owner, request: requestOf(pod), ports: hostPortsOf(pod) };
}

/** Guarantees: `requested` is the sum over `pods`. */
export class NodeLoad {
  readonly #pods = new Map<string, PlacedPod>();
  readonly #requested = new Map<string, number>();
  readonly #owners = new Map<string, number>();

  get pods(): Iterable<PlacedPod> {
    return this.#pods.values();
  }

  get count(): number {
    return this.#pods.size;
  }

  requested(resource: string): number {
    return this.#requested.get(resource) ?? 0;
  }

  /** How many pods of this owner are here. */
  siblings(owner: string): number {
    return owner === "" ? 0 : (this.#owners.get(owner) ?? 0);
  }

  put(pod: PlacedPod): void {
    this.remove(pod.uid);
    this.#pods.set(pod.uid, pod);
    this.#count(pod, 1);
  }

  remove(uid: string): void {
    const pod = this.#pods.get(uid);
    if (pod === undefined) return;
    this.#pods.delete(uid);
    this.#count(pod, -1);
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
  readonly node: DeepReadonly<Node>;
  readonly load: NodeLoad;
  readonly allocatable: ResourceAmounts;
}
