/** Pod affinity and anti-affinity, required and preferred, with parsed selectors. */
import type { Pod, PodAffinityTerm } from "@drover/api/core/v1";
import { selectorFromLabelSelector } from "@drover/machinery";
import type { DeepReadonly, Selector } from "@drover/machinery";

/** Which pods a term selects, and its topology: nodes with the same value of a label. */
export interface PodTerm {
  readonly topologyKey: string;
  readonly selector: Selector;
  readonly namespaces: ReadonlySet<string>;
  /** Selects namespaces by label; the empty one selects all. */
  readonly namespaceSelector: Selector;
}

export interface WeightedTerm extends PodTerm {
  readonly weight: number;
}

export interface PodTerms {
  readonly affinity: readonly PodTerm[];
  readonly antiAffinity: readonly PodTerm[];
  readonly preferred: readonly WeightedTerm[];
  /** Preferred anti-affinity. */
  readonly avoided: readonly WeightedTerm[];
}

/** Labels of a namespace, by its name. */
export type NamespaceLabels = (namespace: string) => Readonly<Record<string, string>> | undefined;

/** Undefined when the pod has no such terms. */
export function podTermsOf({ metadata, spec }: DeepReadonly<Pod>): PodTerms | undefined {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  if (podAffinity === undefined && podAntiAffinity === undefined) return undefined;
  const term = (source: DeepReadonly<PodAffinityTerm>): PodTerm => podTerm(source, metadata.namespace ?? "");
  const weighted = (sources: DeepReadonly<{ weight: number; podAffinityTerm: PodAffinityTerm }[]> | undefined): readonly WeightedTerm[] =>
    (sources ?? []).map(({ weight, podAffinityTerm }) => ({ ...term(podAffinityTerm), weight }));
  return {
    affinity: (podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(term),
    antiAffinity: (podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(term),
    preferred: weighted(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
    avoided: weighted(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
  };
}

/** Whether the term selects a pod. */
export function matchesPod(
  { namespaces, namespaceSelector, selector }: PodTerm,
  pod: { readonly namespace: string; readonly labels: Readonly<Record<string, string>> },
  labelsOf: NamespaceLabels,
): boolean {
  return (namespaces.has(pod.namespace) || namespaceSelector.matches(labelsOf(pod.namespace))) && selector.matches(pod.labels);
}

/** The API server has merged `matchLabelKeys` into the selector already. */
function podTerm(
  { topologyKey, labelSelector, namespaces = [], namespaceSelector }: DeepReadonly<PodAffinityTerm>,
  ownNamespace: string,
): PodTerm {
  const isSilent = namespaces.length === 0 && namespaceSelector === undefined;
  return {
    topologyKey,
    selector: selectorFromLabelSelector(labelSelector),
    namespaces: new Set(isSilent ? [ownNamespace] : namespaces),
    namespaceSelector: selectorFromLabelSelector(namespaceSelector),
  };
}
