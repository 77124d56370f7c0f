/**
 * Builds a missing pod: its revision, identity and storage.
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

/** The current and the update revision of a set; equal when no update is under way. */
export interface SetRevisions {
  readonly current: RevisionView;
  readonly update: RevisionView;
}

/** Data of a revision: the whole template, which replaces the current one. */
export function revisionData({ spec }: StatefulSetView): Readonly<Record<string, unknown>> {
  return { spec: { template: { ...spec?.template, $patch: "replace" } } };
}

/** Returns the template at a revision; the current one when the revision has none. */
export function templateAt({ spec }: StatefulSetView, { data }: RevisionView): DeepReadonly<PodTemplateSpec> {
  const template = nestedMap(data ?? {}, "spec", "template");
  if (template === undefined) return spec?.template ?? {};
  const { $patch: _, ...fields } = template;
  return fields;
}

/**
 * Builds the pod with this ordinal. Pods below the partition use the current revision; in an update without a partition, so do as
 * many as still have it.
 */
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
