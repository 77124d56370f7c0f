/**
 * Storage of a pod by its ordinal: one claim per claim template, and one volume per claim.
 *
 *     set, ordinal → claimsOf → created before the pod;   pod → withStorage → its volumes
 */
import type { DeepReadonly } from "@drover/machinery";
import type { PodView } from "../shared/pod-state.ts";
import { ordinalOf } from "./pod-identity.ts";
import type { ClaimView, StatefulSetView } from "./stateful-set-view.ts";

type VolumeView = NonNullable<NonNullable<PodView["spec"]>["volumes"]>[number];

/** Returns the set's claim templates, each with its name. */
export function claimTemplates({ spec }: StatefulSetView): readonly ClaimView[] {
  return spec?.volumeClaimTemplates ?? [];
}

/** Returns the name of a claim by template and ordinal. */
export function claimName(set: StatefulSetView, template: ClaimView, ordinal: number): string {
  return `${template.metadata.name}-${set.metadata.name}-${ordinal}`;
}

/** Returns the claims of the pod with this ordinal, in template order, with the labels of the set's selector. */
export function claimsOf(set: StatefulSetView, ordinal: number): readonly ClaimView[] {
  const { namespace = "" } = set.metadata;
  return claimTemplates(set).map(({ metadata, status: _, ...template }) => ({
    ...template,
    metadata: {
      ...metadata,
      name: claimName(set, { metadata }, ordinal),
      namespace,
      labels: { ...metadata.labels, ...set.spec?.selector.matchLabels },
    },
  }));
}

/** Whether the name is that of a claim of the set, for any ordinal. */
export function isClaimNameOf(set: StatefulSetView, name: string): boolean {
  return claimTemplates(set).some(({ metadata }) => {
    const prefix = `${metadata.name}-${set.metadata.name}-`;
    return name.startsWith(prefix) && /^[0-9]+$/.test(name.slice(prefix.length));
  });
}

/** Whether every template has its claim among the pod's volumes. */
export function hasStorage(set: StatefulSetView, pod: PodView): boolean {
  const ordinal = ordinalOf(pod);
  if (ordinal === undefined) return false;
  const claimed = new Map((pod.spec?.volumes ?? []).map(({ name, persistentVolumeClaim }) => [name, persistentVolumeClaim?.claimName]));
  return claimTemplates(set).every((template) => claimed.get(template.metadata.name ?? "") === claimName(set, template, ordinal));
}

/** Returns the pod with a volume for each claim, replacing template volumes of the same name. */
export function withStorage<T extends PodView>(set: StatefulSetView, pod: T, ordinal: number): T {
  const templates = claimTemplates(set);
  if (templates.length === 0) return pod;
  const names = new Set(templates.map(({ metadata }) => metadata.name));
  const claimed = templates.map((template): DeepReadonly<VolumeView> => ({
    name: template.metadata.name ?? "",
    persistentVolumeClaim: { claimName: claimName(set, template, ordinal) },
  }));
  const { spec = { containers: [] } } = pod;
  return { ...pod, spec: { ...spec, volumes: [...claimed, ...(spec.volumes ?? []).filter(({ name }) => !names.has(name))] } };
}
