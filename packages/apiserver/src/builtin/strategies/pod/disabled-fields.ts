/** Fields behind feature gates that are off by default in Kubernetes 1.36; it drops them before validation. */
import type { PodSpec } from "@drover/api/core/v1";
import { containersOf } from "./pod-containers.ts";

/** Drops them from the spec, in place. */
export function dropDisabledFields(spec: PodSpec | undefined): void {
  if (spec === undefined) return;
  delete spec.schedulingGroup;
  for (const { projected } of spec.volumes ?? []) {
    for (const source of projected?.sources ?? []) {
      delete source.clusterTrustBundle;
      delete source.podCertificate;
    }
  }
  for (const { container } of containersOf(spec, "")) {
    const { lifecycle } = container;
    if (lifecycle?.stopSignal === undefined) continue;
    delete lifecycle.stopSignal;
    if (lifecycle.preStop === undefined && lifecycle.postStart === undefined) delete container.lifecycle;
  }
}
