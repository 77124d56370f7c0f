/**
 * A pod that is missing, as it is to be created: at which revision, with its identity and its storage.
 *
 *     revision → templateAt → newStatefulPod → created with its claims
 */
import { StatefulSet } from "@drover/api/apps/v1";
import type { PodTemplateSpec } from "@drover/api/core/v1";
import { nestedMap, newControllerRef } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import { podRevisionLabel } from "../history/controller-revision.ts";
import type { RevisionView } from "../history/controller-revision.ts";
import { podFromTemplate } from "../shared/pod-control.ts";
import type { PodView } from "../shared/pod-state.ts";
import { withStorage } from "./pod-claims.ts";
import { podName, withIdentity } from "./pod-identity.ts";
import { isRollingUpdate, startOrdinal } from "./stateful-set-view.ts";
import type { StatefulSetView } from "./stateful-set-view.ts";

/** The revision a set comes from, and the one it goes to. They are the same when no update is under way. */
export interface SetRevisions {
  readonly current: RevisionView;
  readonly update: RevisionView;
}

/** What a revision keeps of its set: the whole template, which takes the place of the present one. */
export function revisionData({ spec }: StatefulSetView): Readonly<Record<string, unknown>> {
  return { spec: { template: { ...spec?.template, $patch: "replace" } } };
}

/** The template as it was at a revision; the present one when the revision says nothing of it. */
export function templateAt({ spec }: StatefulSetView, { data }: RevisionView): DeepReadonly<PodTemplateSpec> {
  const template = nestedMap(data ?? {}, "spec", "template");
  if (template === undefined) return spec?.template ?? {};
  const { $patch: _, ...fields } = template;
  return fields;
}

/** The pod with this number. Those below the partition are as they were; in an update without a partition, as many as still are. */
export function newStatefulPod(set: StatefulSetView, { current, update }: SetRevisions, ordinal: number): PodView {
  const revision = ordinal < startOrdinal(set) + keptBack(set) ? current : update;
  const name = podName(set, ordinal);
  const bare: PodView = podFromTemplate(templateAt(set, revision), set, newControllerRef(set, StatefulSet));
  const { subdomain: _, ...spec } = bare.spec ?? { containers: [] };
  const subdomain = set.spec?.serviceName ?? "";
  const labelled: PodView = {
    ...bare,
    metadata: { ...bare.metadata, labels: { ...bare.metadata.labels, [podRevisionLabel]: revision.metadata.name ?? "" } },
    spec: { ...spec, hostname: name, ...(subdomain === "" ? {} : { subdomain }) },
  };
  return withStorage(set, withIdentity(set, labelled, ordinal), ordinal);
}

function keptBack(set: StatefulSetView): number {
  const { rollingUpdate } = set.spec?.updateStrategy ?? {};
  if (rollingUpdate !== undefined) return rollingUpdate.partition ?? 0;
  return isRollingUpdate(set) ? (set.status?.currentReplicas ?? 0) : 0;
}
