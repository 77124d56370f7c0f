/** Defaults of DaemonSet. */
import type { DaemonSet } from "@drover/api/apps/v1";
import { getOwn } from "@drover/machinery";
import { setPodTemplateSpecDefaults } from "./pod-spec-defaults.ts";
import { setRevisionAnnotation } from "./revision-annotation.ts";

const generationAnnotation = "deprecated.daemonset.template.generation";

export function setDaemonSetDefaults(daemonSet: DaemonSet): void {
  const { spec } = daemonSet;
  // A former API had a field for the generation; the annotation still carries it.
  if (getOwn(daemonSet.metadata.annotations ?? {}, generationAnnotation) === undefined)
    daemonSet.metadata.annotations = { ...daemonSet.metadata.annotations, [generationAnnotation]: "0" };
  setRevisionAnnotation(daemonSet.metadata, generationAnnotation, (problem) => problem);
  if (spec === undefined) return;
  const strategy = (spec.updateStrategy ??= {});
  strategy.type ||= "RollingUpdate";
  const rolls = strategy.type === "RollingUpdate";
  if (rolls) strategy.rollingUpdate ??= {};
  if (strategy.rollingUpdate !== undefined) {
    // Set even if the strategy does not use it.
    strategy.rollingUpdate.maxUnavailable ??= rolls ? 1 : 0;
    strategy.rollingUpdate.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= 10;
  setPodTemplateSpecDefaults(spec.template);
}
