/** Defaults of ReplicationController: selector and labels from the template. */
import type { ReplicationController } from "@drover/api/core/v1";
import { setPodTemplateSpecDefaults } from "./pod-spec-defaults.ts";

export function setReplicationControllerDefaults(controller: ReplicationController): void {
  const spec = (controller.spec ??= {});
  const labels = spec.template?.metadata?.labels;
  if (labels !== undefined) {
    if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels };
    if (Object.keys(controller.metadata.labels ?? {}).length === 0) controller.metadata.labels = { ...labels };
  }
  spec.replicas ??= 1;
  setPodTemplateSpecDefaults(spec.template);
}
