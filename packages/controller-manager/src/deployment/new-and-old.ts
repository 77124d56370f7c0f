/** Splits a Deployment's ReplicaSets: the one with its current template, and the others. */
import { byCreation, replicasOf } from "../shared/replica-set-order.ts";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import type { DeploymentView } from "./deployment-view.ts";
import { sameTemplate } from "./same-template.ts";

/** The ReplicaSets of a Deployment. */
export interface NewAndOld {
  /** The ReplicaSet of the current template; undefined when it does not exist yet. */
  readonly newSet: ReplicaSetView | undefined;
  /** All others, oldest first. */
  readonly oldSets: readonly ReplicaSetView[];
}

/** Takes the oldest with the current template as the new one, so that the choice between duplicates is stable. */
export function newAndOld(deployment: DeploymentView, replicaSets: readonly ReplicaSetView[]): NewAndOld {
  const sorted = replicaSets.toSorted(byCreation);
  const newSet = sorted.find(({ spec }) => sameTemplate(spec?.template, deployment.spec?.template));
  return { newSet, oldSets: sorted.filter((replicaSet) => replicaSet !== newSet) };
}

/** Returns all of them, the new one last. */
export function allSets({ newSet, oldSets }: NewAndOld): readonly ReplicaSetView[] {
  return newSet === undefined ? oldSets : [...oldSets, newSet];
}

/** Returns those with desired replicas above zero. */
export function activeSets(replicaSets: readonly ReplicaSetView[]): readonly ReplicaSetView[] {
  return replicaSets.filter((replicaSet) => replicasOf(replicaSet) > 0);
}

/**
 * Returns the only active ReplicaSet; with none active, the new one or the youngest; undefined when several are active or there are
 * none.
 */
export function activeOrLatest({ newSet, oldSets }: NewAndOld): ReplicaSetView | undefined {
  const active = activeSets(allSets({ newSet, oldSets }));
  if (active.length > 0) return active.length === 1 ? active[0] : undefined;
  return newSet ?? oldSets.toSorted(byCreation).at(-1);
}
