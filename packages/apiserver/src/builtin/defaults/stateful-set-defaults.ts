/** Defaults of StatefulSet. */
import type { StatefulSet, StatefulSetUpdateStrategy } from "@drover/api/apps/v1";
import { elements } from "./elements.ts";
import { setPersistentVolumeClaimDefaults } from "./persistent-volume-claim-defaults.ts";
import { setPodTemplateSpecDefaults } from "./pod-spec-defaults.ts";

export function setStatefulSetDefaults(statefulSet: StatefulSet): void {
  const { spec } = statefulSet;
  if (spec === undefined) return;
  spec.podManagementPolicy ||= "OrderedReady";
  setUpdateStrategyDefaults((spec.updateStrategy ??= {}));
  const retention = (spec.persistentVolumeClaimRetentionPolicy ??= {});
  retention.whenDeleted ||= "Retain";
  retention.whenScaled ||= "Retain";
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  setPodTemplateSpecDefaults(spec.template);
  for (const claim of elements(spec.volumeClaimTemplates)) {
    Object.assign(claim, { apiVersion: "v1", kind: "PersistentVolumeClaim" });
    setPersistentVolumeClaimDefaults(claim);
  }
}

function setUpdateStrategyDefaults(strategy: StatefulSetUpdateStrategy): void {
  if (!strategy.type) {
    strategy.type = "RollingUpdate";
    strategy.rollingUpdate ??= {};
  }
  if (strategy.rollingUpdate !== undefined) strategy.rollingUpdate.partition ??= 0;
}
