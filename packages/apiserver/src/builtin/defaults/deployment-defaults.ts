/** Deployments roll over a quarter of their pods at a time, and give up after ten minutes without progress. */
import type { Deployment, DeploymentStrategy } from "@drover/api/apps/v1";
import { dropAnnotations } from "./dropped-annotations.ts";
import { setPodTemplateSpecDefaults } from "./pod-spec-defaults.ts";
import { setRevisionAnnotation } from "./revision-annotation.ts";

/** 10 minutes */
const progressSeconds = 10 * 60;

/** To which revision to go back, from the time when the server did that itself. */
const rollbackAnnotation = "deprecated.deployment.rollback.to";

export function setDeploymentDefaults(deployment: Deployment): void {
  const { spec, metadata } = deployment;
  if (metadata.annotations?.[rollbackAnnotation] === "") dropAnnotations(metadata, [rollbackAnnotation]);
  setRevisionAnnotation(
    metadata,
    rollbackAnnotation,
    (problem, text) => `failed to parse annotation[${rollbackAnnotation}]=${text} as int64: ${problem}`,
  );
  if (spec === undefined) return;
  spec.replicas ??= 1;
  setStrategyDefaults((spec.strategy ??= {}));
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= progressSeconds;
  setPodTemplateSpecDefaults(spec.template);
}

function setStrategyDefaults(strategy: DeploymentStrategy): void {
  strategy.type ||= "RollingUpdate";
  const rolls = strategy.type === "RollingUpdate";
  if (rolls) strategy.rollingUpdate ??= {};
  if (strategy.rollingUpdate === undefined) return;
  // Where it is out of place it is complete all the same.
  strategy.rollingUpdate.maxUnavailable ??= rolls ? "25%" : 0;
  strategy.rollingUpdate.maxSurge ??= rolls ? "25%" : 0;
}
