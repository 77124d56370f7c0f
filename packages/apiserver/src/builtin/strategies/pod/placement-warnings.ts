/** Warnings about deprecated node labels in scheduling constraints. */
import { checkLabelValue, fieldChild, fieldIndex, fieldKey } from "@drover/machinery";
import type { FieldPath } from "@drover/machinery";
import type { NodeSelectorTerm, PodSpec } from "@drover/api/core/v1";

/** kube-apiserver's warning by label. */
export const deprecatedNodeLabels: ReadonlyMap<string, string> = new Map([
  ["beta.kubernetes.io/arch", 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ["beta.kubernetes.io/os", 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ["failure-domain.beta.kubernetes.io/region", 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ["failure-domain.beta.kubernetes.io/zone", 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ["beta.kubernetes.io/instance-type", 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ["app.kubernetes.io/created-by", "deprecated since v1.9"],
  ["scheduler.alpha.kubernetes.io/preferAvoidPods", "deprecated since v1.22; use Taints and Tolerations instead"],
  ["node-role.kubernetes.io/master", 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** Checks node selector, node affinity and topology spread. */
export function placementWarnings({ nodeSelector, affinity, topologySpreadConstraints }: PodSpec, path: FieldPath): string[] {
  const { requiredDuringSchedulingIgnoredDuringExecution: required, preferredDuringSchedulingIgnoredDuringExecution: preferred } =
    affinity?.nodeAffinity ?? {};
  const affinityPath = fieldChild(path, "affinity.nodeAffinity");
  const requiredPath = fieldChild(affinityPath, "requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms");
  const preferredPath = fieldChild(affinityPath, "preferredDuringSchedulingIgnoredDuringExecution");
  return [
    ...Object.keys(nodeSelector ?? {}).flatMap((key) => {
      const message = deprecatedNodeLabels.get(key);
      return message === undefined ? [] : [`${fieldKey(fieldChild(path, "nodeSelector"), key)}: ${message}`];
    }),
    ...(required?.nodeSelectorTerms ?? []).flatMap((term, index) => termWarnings(term, fieldIndex(requiredPath, index), false)),
    ...(preferred ?? []).flatMap(({ preference }, index) =>
      termWarnings(preference, fieldChild(fieldIndex(preferredPath, index), "preference"), true),
    ),
    ...(topologySpreadConstraints ?? []).flatMap(({ topologyKey, labelSelector }, index) => {
      const at = fieldIndex(fieldChild(path, "topologySpreadConstraints"), index);
      return [
        ...labelWarnings(topologyKey, fieldChild(at, "topologyKey")),
        ...(labelSelector === undefined ? [`${fieldChild(at, "labelSelector")}: a null labelSelector results in matching no pod`] : []),
      ];
    }),
  ];
}

function termWarnings({ matchExpressions }: NodeSelectorTerm, path: FieldPath, checkValues: boolean): string[] {
  return (matchExpressions ?? []).flatMap(({ key, values }, index) => {
    const at = fieldIndex(fieldChild(path, "matchExpressions"), index);
    const wrong = checkValues
      ? (values ?? []).flatMap((value, place) =>
          checkLabelValue(value).map((problem) => `${fieldIndex(fieldChild(at, "values"), place)}: ${value} is invalid, ${problem}`),
        )
      : [];
    return [...labelWarnings(key, fieldChild(at, "key")), ...wrong];
  });
}

function labelWarnings(key: string, path: FieldPath): string[] {
  const message = deprecatedNodeLabels.get(key);
  return message === undefined ? [] : [`${path}: ${key} is ${message}`];
}
