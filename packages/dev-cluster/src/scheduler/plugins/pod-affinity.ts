/** Required pod affinity and anti-affinity, of the pod and of the pods on the nodes. */
import { getOwn } from "@drover/machinery";
import type { ClusterView } from "../cluster-view.ts";
import type { LoadedNode } from "../node-load.ts";
import type { PlacedPod } from "../placed-pod.ts";
import { matchesPod } from "../pod-terms.ts";
import type { PodTerm } from "../pod-terms.ts";
import { final, forNow } from "../refusal.ts";
import type { FilterPlugin } from "../refusal.ts";

const alone = final("node(s) didn't match pod affinity rules");
const unwanted = forNow("node(s) didn't match pod anti-affinity rules");
const unwelcome = forNow("node(s) didn't satisfy existing pods anti-affinity rules");

export const podAffinity: FilterPlugin = (pod, view) => {
  const { affinity = [], antiAffinity = [] } = pod.terms ?? {};
  const refusing = domainsThatRefuse(pod, view);
  if (affinity.length === 0 && antiAffinity.length === 0 && refusing.isEmpty) return undefined;
  const [near, apart] = [domainsWith(affinity, view, "all"), domainsWith(antiAffinity, view, "any")];
  const isFirst = near.isEmpty && affinity.every((term) => matchesPod(term, pod, view.namespaceLabels));
  return (node) => {
    if (!affinity.every(({ topologyKey }) => Object.hasOwn(node.labels, topologyKey))) return alone;
    // The first of pods that require each other may run anywhere.
    if (!affinity.every((term) => near.has(term, node)) && !isFirst) return alone;
    if (antiAffinity.some((term) => apart.has(term, node))) return unwanted;
    return refusing.hasAny(node) ? unwelcome : undefined;
  };
};

/** Topology domains: pairs of a node label and a value. */
class Domains {
  readonly #values = new Map<string, Set<string>>();

  get isEmpty(): boolean {
    return this.#values.size === 0;
  }

  add({ topologyKey }: PodTerm, { labels }: LoadedNode): void {
    const value = getOwn(labels, topologyKey);
    if (value === undefined) return;
    const values = this.#values.get(topologyKey) ?? new Set();
    this.#values.set(topologyKey, values.add(value));
  }

  has({ topologyKey }: PodTerm, { labels }: LoadedNode): boolean {
    const value = getOwn(labels, topologyKey);
    return value !== undefined && this.#values.get(topologyKey)?.has(value) === true;
  }

  hasAny({ labels }: LoadedNode): boolean {
    return [...this.#values].some(([key, values]) => values.has(getOwn(labels, key) ?? "") && Object.hasOwn(labels, key));
  }
}

/** Domains with pods that match every term, or any of them. */
function domainsWith(terms: readonly PodTerm[], { nodes, namespaceLabels }: ClusterView, how: "all" | "any"): Domains {
  const domains = new Domains();
  if (terms.length === 0) return domains;
  for (const node of nodes) {
    for (const pod of node.load.pods) {
      const met = terms.filter((term) => matchesPod(term, pod, namespaceLabels));
      if (how === "any" || met.length === terms.length) for (const term of met) domains.add(term, node);
    }
  }
  return domains;
}

/** Domains with pods whose anti-affinity rejects this pod. */
function domainsThatRefuse(pod: PlacedPod, { nodes, namespaceLabels }: ClusterView): Domains {
  const domains = new Domains();
  for (const node of nodes) {
    for (const { terms } of node.load.withTerms)
      for (const term of terms?.antiAffinity ?? []) if (matchesPod(term, pod, namespaceLabels)) domains.add(term, node);
  }
  return domains;
}
