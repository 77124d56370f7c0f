/**
 * Rollback to an earlier template through an annotation, as old clients request it; kubectl writes the template itself.
 *
 *     annotation → rollbackRevision → rollbackPlan → what to write, and the event
 */
import { getOwn } from "@drover/machinery";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import { rollbackAnnotation, rolledBackAnnotations } from "./deployment-annotations.ts";
import { lastRevision, parseRevision, revisionOf } from "./deployment-revision.ts";
import type { DeploymentView } from "./deployment-view.ts";
import { sameTemplate, withoutHash } from "./same-template.ts";

/** The Deployment to write, always without the annotation, and the event to record. */
export interface RollbackPlan {
  readonly deployment: DeploymentView;
  readonly type: "Normal" | "Warning";
  readonly reason: "DeploymentRollback" | "DeploymentRollbackRevisionNotFound" | "DeploymentRollbackTemplateUnchanged";
  readonly note: string;
}

/** Returns the requested revision, 0 for the previous one; undefined when none is requested or it is not a number. */
export function rollbackRevision({ metadata: { annotations = {} } }: DeploymentView): bigint | undefined {
  const text = getOwn(annotations, rollbackAnnotation);
  return text === undefined ? undefined : parseRevision(text);
}

/** Plans a rollback to the revision `asked`. */
export function rollbackPlan(deployment: DeploymentView, replicaSets: readonly ReplicaSetView[], asked: bigint): RollbackPlan {
  const revision = asked === 0n ? lastRevision(replicaSets) : asked;
  const cleared = withoutRollback(deployment);
  const notFound = (note: string): RollbackPlan => ({
    deployment: cleared,
    type: "Warning",
    reason: "DeploymentRollbackRevisionNotFound",
    note,
  });
  if (revision === 0n) return notFound("Unable to find last revision.");
  const target = replicaSets.find((replicaSet) => revisionOf(replicaSet) === revision);
  if (target === undefined) return notFound("Unable to find the revision to rollback to.");
  const { name } = deployment.metadata;
  if (sameTemplate(deployment.spec?.template, target.spec?.template)) {
    return {
      deployment: cleared,
      type: "Warning",
      reason: "DeploymentRollbackTemplateUnchanged",
      note: `The rollback revision contains the same template as current deployment "${name}"`,
    };
  }
  const { spec = { selector: {}, template: {} } } = deployment;
  const rolledBack = {
    ...deployment,
    metadata: { ...deployment.metadata, annotations: rolledBackAnnotations(deployment, target) },
    spec: { ...spec, template: withoutHash(target.spec?.template ?? {}) },
  };
  return {
    deployment: withoutRollback(rolledBack),
    type: "Normal",
    reason: "DeploymentRollback",
    note: `Rolled back deployment "${name}" to revision ${revision}`,
  };
}

function withoutRollback(deployment: DeploymentView): DeploymentView {
  const { [rollbackAnnotation]: _asked, ...annotations } = deployment.metadata.annotations ?? {};
  return { ...deployment, metadata: { ...deployment.metadata, annotations } };
}
