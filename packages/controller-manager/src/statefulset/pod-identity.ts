/** Identity of a pod: the set's name and an ordinal, which make its name, hostname and two labels, and survive deletion and re-creation. */
import type { Pod } from "@drover/api/core/v1";
import { getOwn } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { podRevisionLabel } from "../history/controller-revision.ts";
import type { PodView } from "../shared/pod-state.ts";
import type { StatefulSetView } from "./stateful-set-view.ts";

/** Label with the pod's name, by which a service can select a single pod. */
export const podNameLabel = "statefulset.kubernetes.io/pod-name";
/** Label with the ordinal. */
export const podIndexLabel = "apps.kubernetes.io/pod-index";

/** A parsed pod name. */
export interface PodIdentity {
  /** Name of the set; empty when the name is not of that form. */
  readonly parent: string;
  /** Undefined when missing or out of range. */
  readonly ordinal: number | undefined;
}

/** Maximum int32. */
const ordinalMax = 2_147_483_647;

/** Splits a name at its last dash. */
export function podIdentity({ metadata: { name = "" } }: PodView): PodIdentity {
  const [, parent, digits] = /^(.*)-([0-9]+)$/s.exec(name) ?? [];
  if (parent === undefined) return { parent: "", ordinal: undefined };
  return { parent, ordinal: Number(digits) > ordinalMax ? undefined : Number(digits) };
}

/** Returns the ordinal; undefined when the name has none. */
export const ordinalOf = (pod: PodView): number | undefined => podIdentity(pod).ordinal;

/** Whether its name is one of this set. */
export function isMemberOf(set: StatefulSetView, pod: PodView): boolean {
  return podIdentity(pod).parent === set.metadata.name;
}

/** Returns the name of the pod with this ordinal. */
export function podName(set: StatefulSetView, ordinal: number): string {
  return `${set.metadata.name}-${ordinal}`;
}

/** Returns the name of the pod's revision; empty when it is not labelled. */
export function podRevision({ metadata: { labels = {} } }: PodView): string {
  return getOwn(labels, podRevisionLabel) ?? "";
}

/** Whether name and label are exactly those of the set. `web-00` parses as a pod of "web", but the set would not create it. */
export function hasIdentity(set: StatefulSetView, pod: PodView): boolean {
  const { name = "", namespace, labels = {} } = pod.metadata;
  const { parent, ordinal } = podIdentity(pod);
  return (
    ordinal !== undefined &&
    parent === set.metadata.name &&
    name === podName(set, ordinal) &&
    namespace === set.metadata.namespace &&
    getOwn(labels, podNameLabel) === name
  );
}

/** Returns the pod with its name and labels. Hostname and subdomain are set only at creation: they are immutable. */
export function withIdentity<T extends DeepReadonly<Pod>>(set: StatefulSetView, pod: T, ordinal: number): T {
  const name = podName(set, ordinal);
  const { namespace = "" } = set.metadata;
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      name,
      namespace,
      labels: { ...pod.metadata.labels, [podNameLabel]: name, [podIndexLabel]: String(ordinal) },
    },
  };
}
