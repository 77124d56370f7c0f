/** Defaults of every pod spec, in pods and templates. pod-defaults.ts has those of pods only. */
import type { PodSpec, PodTemplate, PodTemplateSpec } from "@drover/api/core/v1";
import { setContainerDefaults } from "./container-defaults.ts";
import { dropAnnotations, initContainerAnnotations } from "./dropped-annotations.ts";
import { elements } from "./elements.ts";
import { setRequirementDefaults, setResourceListDefaults } from "./resource-list-defaults.ts";
import { setVolumeDefaults } from "./volume-defaults.ts";

export function setPodSpecDefaults(spec: PodSpec): void {
  spec.dnsPolicy ||= "ClusterFirst";
  spec.restartPolicy ||= "Always";
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ||= "default-scheduler";
  nameServiceAccountTwice(spec);
  for (const volume of elements(spec.volumes)) setVolumeDefaults(volume);
  for (const containers of [spec.initContainers, spec.containers, spec.ephemeralContainers]) {
    for (const container of elements(containers)) setContainerDefaults(container);
  }
  setResourceListDefaults(spec.overhead);
  setRequirementDefaults(spec.resources);
}

export function setPodTemplateSpecDefaults(template: PodTemplateSpec | undefined): void {
  if (template === undefined) return;
  dropAnnotations(template.metadata, initContainerAnnotations);
  setPodSpecDefaults((template.spec ??= { containers: [] }));
}

/** The kind PodTemplate. */
export const setPodTemplateDefaults = (object: PodTemplate): void => setPodTemplateSpecDefaults((object.template ??= {}));

/** Synchronizes `serviceAccount`, the older name, with `serviceAccountName`, which wins. */
function nameServiceAccountTwice(spec: PodSpec): void {
  const name = spec.serviceAccountName || spec.serviceAccount;
  if (name) Object.assign(spec, { serviceAccount: name, serviceAccountName: name });
}
