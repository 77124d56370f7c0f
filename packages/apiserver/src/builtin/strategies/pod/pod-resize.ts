/** The `resize` subresource: changes cpu and memory of the containers and the pod, nothing else. */
import { fieldChild, fieldForbidden, fieldIndex, fieldInvalid, getOwn, semanticEqual } from "@drover/machinery";
import type { FieldError, QuantityValue } from "@drover/machinery";
import type { Container, Pod, PodSpec, ResourceRequirements } from "@drover/api/core/v1";
import { podQosClass } from "@drover/api/quota";
import { internalEqual } from "../internal/internal-value.ts";
import { mirrorAnnotation } from "./pod-annotations.ts";
import { podSpecOf, validatePod } from "./pod-spec.ts";

type Amounts = Record<string, QuantityValue>;

/** Restores everything else; added and removed containers are left for validation to refuse. */
export function keepAllButResources(pod: Pod, old: Pod): void {
  const [spec, oldSpec] = [podSpecOf(pod), podSpecOf(old)];
  if (spec.containers.length !== oldSpec.containers.length || (spec.initContainers ?? []).length !== (oldSpec.initContainers ?? []).length)
    return;
  const { resources: _, ...others } = oldSpec;
  pod.spec = { ...others, containers: takeResources(spec.containers, oldSpec.containers) };
  if (spec.resources !== undefined) pod.spec.resources = spec.resources;
  if (spec.initContainers !== undefined) pod.spec.initContainers = takeResources(spec.initContainers, oldSpec.initContainers ?? []);
  if (old.status !== undefined) pod.status = old.status;
}

/** Validates the new resources. */
export function validatePodResize(pod: Pod, old: Pod): FieldError[] {
  const [spec, oldSpec] = [podSpecOf(pod), podSpecOf(old)];
  if (getOwn(old.metadata.annotations ?? {}, mirrorAnnotation) !== undefined) return [fieldForbidden("", "static pods cannot be resized")];
  if (oldSpec.os?.name === "windows") return [fieldForbidden("", "windows pods cannot be resized")];
  const errors = validatePod(pod);
  if ((old.status?.qosClass ?? podQosClass(oldSpec)) !== podQosClass(spec)) {
    errors.push(fieldInvalid("spec", pod.status?.qosClass ?? "", "Pod QOS Class may not change as a result of resizing"));
  }
  const running = old.status?.containerStatuses?.find(({ state }) => state?.running !== undefined);
  if (running !== undefined && running.resources === undefined)
    errors.push(fieldForbidden("spec", "Pod running on node without support for resize"));
  errors.push(...validatePodLevel(spec, oldSpec));
  const order = validateOrder(spec, oldSpec);
  if (order.length > 0) return [...errors, ...order];
  errors.push(...validateKept(spec, oldSpec, "initContainers"), ...validateKept(spec, oldSpec, "containers"));
  errors.push(...validateOnlyComputeChanged(spec, oldSpec));
  if (errors.length > 0) return errors;
  return internalEqual("PodSpec", onlyOthers(spec, oldSpec), oldSpec)
    ? []
    : [fieldForbidden("spec", "only cpu and memory resources are mutable")];
}

/** Keeps the new list if a container was renamed or moved, for validation to refuse. */
function takeResources(containers: readonly Container[], old: readonly Container[]): Container[] {
  if (containers.some(({ name }, index) => old[index]?.name !== name)) return [...containers];
  return containers.map(({ resources, resizePolicy }, index) => {
    const { resources: _, resizePolicy: __, ...others } = old[index] ?? { name: "" };
    return { ...others, ...(resources === undefined ? {} : { resources }), ...(resizePolicy === undefined ? {} : { resizePolicy }) };
  });
}

function validatePodLevel({ resources }: PodSpec, { resources: old }: PodSpec): FieldError[] {
  const isSet = (requirements: ResourceRequirements | undefined): boolean =>
    Object.keys({ ...requirements?.requests, ...requirements?.limits }).length > 0;
  if (!isSet(resources) && !isSet(old)) return [];
  if (old !== undefined && resources === undefined) return [fieldForbidden("spec.resources", "pod-level resources cannot be removed")];
  const errors: FieldError[] = [];
  if (isRemoved(resources?.requests, old?.requests))
    errors.push(fieldForbidden("spec.resources.requests", "pod-level resource requests cannot be removed"));
  if (isRemoved(resources?.limits, old?.limits))
    errors.push(fieldForbidden("spec.resources.limits", "pod-level resource limits cannot be removed"));
  return semanticEqual(withOldCompute(resources, old), old)
    ? errors
    : [...errors, fieldForbidden("spec", "only cpu and memory resources are mutable at pod-level")];
}

function validateOrder(spec: PodSpec, old: PodSpec): FieldError[] {
  return (["containers", "initContainers"] as const).flatMap((field) => {
    const [containers, before] = [spec[field] ?? [], old[field] ?? []];
    if (containers.length !== before.length) return [fieldForbidden(`spec.${field}`, `${field} may not be added or removed on resize`)];
    return containers.flatMap(({ name }, index) =>
      name === before[index]?.name
        ? []
        : [fieldForbidden(fieldChild(fieldIndex(`spec.${field}`, index), "name"), `${field} may not be renamed or reordered on resize`)],
    );
  });
}

function validateKept(spec: PodSpec, old: PodSpec, field: "containers" | "initContainers"): FieldError[] {
  return (spec[field] ?? []).flatMap(({ resources }, index) =>
    (["requests", "limits"] as const)
      .filter((part) => isRemoved(resources?.[part], old[field]?.[index]?.resources?.[part]))
      .map((part) =>
        fieldForbidden(fieldChild(fieldIndex(`spec.${field}`, index), `resources.${part}`), `resource ${part} cannot be removed`),
      ),
  );
}

function validateOnlyComputeChanged(spec: PodSpec, old: PodSpec): FieldError[] {
  const isKept = (container: Container, before: Container | undefined): boolean =>
    internalEqual("Container", restCompute(container, before), before);
  return [
    ...spec.containers.flatMap((container, index) =>
      isKept(container, old.containers[index]) ? [] : [fieldForbidden("spec", "only cpu and memory resources are mutable")],
    ),
    ...(spec.initContainers ?? []).flatMap((container, index) =>
      isKept(container, old.initContainers?.[index])
        ? []
        : [
            fieldForbidden(
              fieldIndex("spec.initContainers", index),
              "only cpu and memory resources for init or sidecar containers are mutable",
            ),
          ],
    ),
  ];
}

/** Returns the new spec with cpu and memory restored; any difference left is a forbidden change. */
function onlyOthers(spec: PodSpec, old: PodSpec): PodSpec {
  const rest: PodSpec = { ...spec, containers: spec.containers.map((container, index) => restCompute(container, old.containers[index])) };
  if (spec.initContainers !== undefined)
    rest.initContainers = spec.initContainers.map((container, index) => restCompute(container, old.initContainers?.[index]));
  if (old.resources === undefined) delete rest.resources;
  else rest.resources = withOldCompute(spec.resources, old.resources);
  return rest;
}

function restCompute(container: Container, old: Container | undefined): Container {
  return { ...container, resources: withOldCompute(container.resources, old?.resources) };
}

function withOldCompute(resources: ResourceRequirements | undefined, old: ResourceRequirements | undefined): ResourceRequirements {
  const mix = (amounts: Amounts | undefined, before: Amounts | undefined): Amounts => {
    const { cpu: _, memory: __, ...others } = amounts ?? {};
    const { cpu, memory } = before ?? {};
    return { ...others, ...(cpu === undefined ? {} : { cpu }), ...(memory === undefined ? {} : { memory }) };
  };
  return { ...resources, limits: mix(resources?.limits, old?.limits), requests: mix(resources?.requests, old?.requests) };
}

function isRemoved(amounts: Amounts | undefined, old: Amounts | undefined): boolean {
  return Object.keys(old ?? {}).some((name) => !Object.hasOwn(amounts ?? {}, name));
}
