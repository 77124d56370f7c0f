/** Defaults of containers, init containers and ephemeral containers. */
import type { Container, EphemeralContainer, ObjectFieldSelector } from "@drover/api/core/v1";
import { elements } from "./elements.ts";
import { defaultPullPolicy } from "./image-tag.ts";
import { setLifecycleDefaults, setProbeDefaults } from "./probe-defaults.ts";
import { setRequirementDefaults } from "./resource-list-defaults.ts";

export function setContainerDefaults(container: Container | EphemeralContainer): void {
  container.imagePullPolicy ||= defaultPullPolicy(container.image);
  container.terminationMessagePath ||= "/dev/termination-log";
  container.terminationMessagePolicy ||= "File";
  for (const port of elements(container.ports)) port.protocol ||= "TCP";
  for (const { valueFrom } of elements(container.env)) {
    setFieldRefDefaults(valueFrom?.fieldRef);
    if (valueFrom?.fileKeyRef !== undefined) valueFrom.fileKeyRef.optional ??= false;
  }
  setRequirementDefaults(container.resources);
  setProbeDefaults(container.livenessProbe);
  setProbeDefaults(container.readinessProbe);
  setProbeDefaults(container.startupProbe);
  setLifecycleDefaults(container.lifecycle);
}

/** The API version of a field reference. */
export function setFieldRefDefaults(fieldRef: ObjectFieldSelector | undefined): void {
  if (fieldRef !== undefined) fieldRef.apiVersion ||= "v1";
}
