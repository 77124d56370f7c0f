/** Defaults of Pod only; pod-spec-defaults.ts has those that templates get too. */
import type { Container, Pod, PodSpec, PodStatus } from "@drover/api/core/v1";
import { dropAnnotations, initContainerAnnotations } from "./dropped-annotations.ts";
import { elements } from "./elements.ts";
import { setPodResourcesDefaults } from "./pod-resources-defaults.ts";
import { setPodSpecDefaults } from "./pod-spec-defaults.ts";
import { fillGaps, setRequirementDefaults, setResourceListDefaults } from "./resource-list-defaults.ts";

export function setPodDefaults(pod: Pod): void {
  dropAnnotations(pod.metadata, initContainerAnnotations);
  const spec = (pod.spec ??= { containers: [] });
  for (const containers of [spec.containers, spec.initContainers]) elements(containers).forEach(requestWhatIsLimited);
  setPodResourcesDefaults(spec);
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork === true) openHostPorts(spec);
  setPodSpecDefaults(spec);
  // A negative grace period becomes one second; 0 means immediate.
  if (spec.terminationGracePeriodSeconds !== undefined && spec.terminationGracePeriodSeconds < 0) spec.terminationGracePeriodSeconds = 1;
  if (pod.status !== undefined) setPodStatusDefaults(pod.status);
}

function requestWhatIsLimited({ resources }: Container): void {
  if (resources?.limits === undefined) return;
  const requests = fillGaps(resources.requests, resources.limits);
  if (requests !== undefined) resources.requests = requests;
}

/** With host networking, host ports equal container ports. */
function openHostPorts(spec: PodSpec): void {
  for (const containers of [spec.containers, spec.initContainers]) {
    for (const { ports } of elements(containers)) {
      // Skips port 0, which is invalid.
      for (const port of elements(ports)) if (port.containerPort !== 0) port.hostPort ||= port.containerPort;
    }
  }
}

function setPodStatusDefaults(status: PodStatus): void {
  for (const statuses of [status.initContainerStatuses, status.containerStatuses, status.ephemeralContainerStatuses]) {
    for (const { allocatedResources, resources } of elements(statuses)) {
      setResourceListDefaults(allocatedResources);
      setRequirementDefaults(resources);
    }
  }
  setResourceListDefaults(status.allocatedResources);
  setRequirementDefaults(status.resources);
  setPodIpDefaults(status);
}

/** `podIP` is the first of `podIPs`; if they differ, the writer knows only the single field, which wins. */
function setPodIpDefaults(status: PodStatus): void {
  const first = elements(status.podIPs)[0];
  if (status.podIP && status.podIP !== first?.ip) status.podIPs = [{ ip: status.podIP }];
  else if (first?.ip) status.podIP = first.ip;
}
