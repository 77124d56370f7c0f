/** Daemon sets replace one pod after the other. */
import type { DaemonSet } from "@drover/api/apps/v1";
import { getOwn } from "@drover/machinery";
import { setPodTemplateSpecDefaults } from "./pod-spec-defaults.ts";
import { setRevisionAnnotation } from "./revision-annotation.ts";

const generationAnnotation = "deprecated.daemonset.template.generation";

export function setDaemonSetDefaults(daemonSet: DaemonSet): void {
  const { spec } = daemonSet;
  // An old API had a field for it, and the server still keeps the number where that API would find it.
  if (getOwn(daemonSet.metadata.annotations ?? {}, generationAnnotation) === undefined)
    daemonSet.metadata.annotations = { ...daemonSet.metadata.annotations, [generationAnnotation]: "0" };
  setRevisionAnnotation(daemonSet.metadata, generationAnnotation, (problem) => problem);
  if (spec === undefined) return;
  const strategy = (spec.updateStrategy ??= {});
  strategy.type ||= "RollingUpdate";
  const rolls = strategy.type === "RollingUpdate";
  if (rolls) strategy.rollingUpdate ??= {};
  if (strategy.rollingUpdate !== undefined) {
    // Where it is out of place it is complete all the same.
    strategy.rollingUpdate.maxUnavailable ??= rolls ? 1 : 0;
    strategy.rollingUpdate.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= 10;
  setPodTemplateSpecDefaults(spec.template);
}
