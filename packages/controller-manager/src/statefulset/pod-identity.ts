/**
 * Who a pod is among its siblings: the set's name and a number, which is its name, its host name and two of its labels, also after it was
 * deleted and created anew.
 */
import type { Pod } from "@drover/api/core/v1";
import { getOwn } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { podRevisionLabel } from "../history/controller-revision.ts";
import type { PodView } from "../shared/pod-state.ts";
import type { StatefulSetView } from "./stateful-set-view.ts";

/** The label with the pod's name, by which a service can mean a single one. */
export const podNameLabel = "statefulset.kubernetes.io/pod-name";
/** The label with the pod's number. */
export const podIndexLabel = "apps.kubernetes.io/pod-index";

/** What a pod's name says. */
export interface PodIdentity {
  /** The name of the set; empty when the name is none that a set gives. */
  readonly parent: string;
  /** Undefined when there is none, or none that a set could count to. */
  readonly ordinal: number | undefined;
}

/** What 32 bits can count to. */
const ordinalMax = 2_147_483_647;

/** Takes a name apart at its last dash. */
export function podIdentity({ metadata: { name = "" } }: PodView): PodIdentity {
  const [, parent, digits] = /^(.*)-([0-9]+)$/s.exec(name) ?? [];
  if (parent === undefined) return { parent: "", ordinal: undefined };
  return { parent, ordinal: Number(digits) > ordinalMax ? undefined : Number(digits) };
}

/** Its number; undefined when its name has none. */
export const ordinalOf = (pod: PodView): number | undefined => podIdentity(pod).ordinal;

/** Whether its name is one that this set gives. */
export function isMemberOf(set: StatefulSetView, pod: PodView): boolean {
  return podIdentity(pod).parent === set.metadata.name;
}

/** The name of the pod with this number. */
export function podName(set: StatefulSetView, ordinal: number): string {
  return `${set.metadata.name}-${ordinal}`;
}

/** The name of the revision a pod was made of; empty when it does not say. */
export function podRevision({ metadata: { labels = {} } }: PodView): string {
  return getOwn(labels, podRevisionLabel) ?? "";
}

/** Whether name and label are as the set gives them. `web-00` is a pod of "web" by its name, but none it would make. */
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

/** The pod with its name and the labels that go with it. Host name and subdomain are given once, when it is created: they cannot change. */
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
