/** Defaults of ReplicaSet. */
import type { ReplicaSet } from "@drover/api/apps/v1";
import { setPodTemplateSpecDefaults } from "./pod-spec-defaults.ts";

export function setReplicaSetDefaults(replicaSet: ReplicaSet): void {
  const { spec } = replicaSet;
  if (spec === undefined) return;
  spec.replicas ??= 1;
  setPodTemplateSpecDefaults((spec.template ??= {}));
}
