/** Defaults of Deployment: rolling update of 25 %, progress deadline of ten minutes. */
import type { Deployment, DeploymentStrategy } from "@drover/api/apps/v1";
import { dropAnnotations } from "./dropped-annotations.ts";
import { setPodTemplateSpecDefaults } from "./pod-spec-defaults.ts";
import { setRevisionAnnotation } from "./revision-annotation.ts";

/** 10 minutes */
const progressSeconds = 10 * 60;

/** The revision to roll back to, from the removed rollback API. */
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
  // Set even if the strategy does not use it.
  strategy.rollingUpdate.maxUnavailable ??= rolls ? "25%" : 0;
  strategy.rollingUpdate.maxSurge ??= rolls ? "25%" : 0;
}
