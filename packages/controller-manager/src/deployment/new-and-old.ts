/** Which of a Deployment's ReplicaSets is the one with its present template, and which are from before. */
import { byCreation, replicasOf } from "../shared/replica-set-order.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import type { DeploymentView } from "./deployment-view.ts";
import { sameTemplate } from "./same-template.ts";

/** The ReplicaSets of a Deployment. */
export interface NewAndOld {
  /** That of the present template; undefined when there is none yet. */
  readonly newSet: ReplicaSetView | undefined;
  /** All others, the oldest first. */
  readonly oldSets: readonly ReplicaSetView[];
}

/** The oldest with the present template is the new one, so that two that came to have the same are told apart the same way each time. */
export function newAndOld(deployment: DeploymentView, replicaSets: readonly ReplicaSetView[]): NewAndOld {
  const sorted = replicaSets.toSorted(byCreation);
  const newSet = sorted.find(({ spec }) => sameTemplate(spec?.template, deployment.spec?.template));
  return { newSet, oldSets: sorted.filter((replicaSet) => replicaSet !== newSet) };
}

/** All of them, the new one last. */
export function allSets({ newSet, oldSets }: NewAndOld): readonly ReplicaSetView[] {
  return newSet === undefined ? oldSets : [...oldSets, newSet];
}

/** Those that are to have pods. */
export function activeSets(replicaSets: readonly ReplicaSetView[]): readonly ReplicaSetView[] {
  return replicaSets.filter((replicaSet) => replicasOf(replicaSet) > 0);
}

/** The only one that is to have pods; when none is, the new one or else the youngest; undefined when there are several, or none at all. */
export function activeOrLatest({ newSet, oldSets }: NewAndOld): ReplicaSetView | undefined {
  const active = activeSets(allSets({ newSet, oldSets }));
  if (active.length > 0) return active.length === 1 ? active[0] : undefined;
  return newSet ?? oldSets.toSorted(byCreation).at(-1);
}
