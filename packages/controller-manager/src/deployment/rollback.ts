/**
 * Going back to an earlier template because an annotation asks for it, as old clients do; kubectl writes the template itself.
 *
 *     annotation → rollbackRevision → rollbackPlan → what to write and what to tell
 */
import { getOwn } from "@drover/machinery";
import type { ReplicaSetView } from "../shared/replica-set-order.ts";
import { rollbackAnnotation, rolledBackAnnotations } from "./deployment-annotations.ts";
import { lastRevision, revisionOf } from "./deployment-revision.ts";
import type { DeploymentView } from "./deployment-view.ts";
import { sameTemplate, withoutHash } from "./same-template.ts";

/** The Deployment as it is to be written, in any case without the annotation, and the event that says what was done. */
export interface RollbackPlan {
  readonly deployment: DeploymentView;
  readonly type: "Normal" | "Warning";
  readonly reason: "DeploymentRollback" | "DeploymentRollbackRevisionNotFound" | "DeploymentRollbackTemplateUnchanged";
  readonly note: string;
}

/** The revision that is asked for, 0 for the one before the present one; undefined when none is, or it is no number. */
export function rollbackRevision({ metadata: { annotations = {} } }: DeploymentView): number | undefined {
  const text = getOwn(annotations, rollbackAnnotation);
  return text === undefined || !/^[+-]?[0-9]{1,18}$/.test(text) ? undefined : Number(text);
}

/** What a rollback to `asked` comes to. */
export function rollbackPlan(deployment: DeploymentView, replicaSets: readonly ReplicaSetView[], asked: number): RollbackPlan {
  const revision = asked === 0 ? lastRevision(replicaSets) : asked;
  const cleared = withoutRollback(deployment);
  const notFound = (note: string): RollbackPlan => ({
    deployment: cleared,
    type: "Warning",
    reason: "DeploymentRollbackRevisionNotFound",
    note,
  });
  if (revision === 0) return notFound("Unable to find last revision.");
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
