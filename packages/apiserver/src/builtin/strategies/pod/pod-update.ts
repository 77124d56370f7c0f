/**
 * Validates updates of pods: images, a shorter deadline, more tolerations, fewer scheduling gates, and, while gated, stricter
 * scheduling constraints. Ephemeral containers change at an endpoint of their own, which changes nothing else.
 */
import { fieldChild, fieldForbidden, fieldIndex, fieldInvalid, fieldRequired, getOwn, quoteGo } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { Affinity, Container, NodeAffinity, NodeSelectorTerm, Pod, PodSchedulingGate, PodSpec } from "@drover/api/core/v1";
import { invalidInternal } from "../internal/internal-field.ts";
import { diffInternal, internalEqual } from "../internal/internal-value.ts";
import { validateImageTrimmed } from "./containers.ts";
import { mirrorAnnotation, validatePodAnnotationsUpdate } from "./pod-annotations.ts";
import { podSpecOf, validatePod } from "./pod-spec.ts";
import { validateMetadataAgain } from "../metadata-again.ts";
import { validateTolerationsUpdate } from "./tolerations.ts";

const secondsMax = 2 ** 31 - 1;
const changeable: readonly string[] = [
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
];

/** Validates an update of the pod itself. */
export function validatePodUpdate(pod: Pod, old: Pod): FieldError[] {
  const [spec, oldSpec] = [podSpecOf(pod), podSpecOf(old)];
  const errors = [
    ...validateMetadataAgain(pod.metadata),
    ...validatePod(pod),
    ...validatePodAnnotationsUpdate(pod.metadata.annotations, old.metadata.annotations, spec, "metadata.annotations"),
  ];
  for (const field of ["containers", "initContainers"] as const) {
    const [containers, oldContainers] = [spec[field] ?? [], oldSpec[field] ?? []];
    if (containers.length !== oldContainers.length)
      return [...errors, fieldForbidden(`spec.${field}`, "pod updates may not add or remove containers")];
    errors.push(...containers.flatMap(({ image }, index) => validateImage(image, fieldIndex(`spec.${field}`, index))));
  }
  const deadline = validateDeadline(spec.activeDeadlineSeconds, oldSpec.activeDeadlineSeconds, "spec.activeDeadlineSeconds");
  if (deadline.length > 0 && spec.activeDeadlineSeconds !== undefined) return [...errors, ...deadline];
  errors.push(...deadline, ...validateTolerationsUpdate(spec.tolerations, oldSpec.tolerations, "spec.tolerations"));
  errors.push(...validateGatesUpdate(spec.schedulingGates, oldSpec.schedulingGates, "spec.schedulingGates"));
  const rest = withoutChangeable(spec, oldSpec);
  if ((oldSpec.schedulingGates ?? []).length > 0) {
    errors.push(...validatePlacementUpdate(spec, oldSpec));
    keepPlacement(rest, oldSpec);
  }
  if (internalEqual("PodSpec", rest, oldSpec)) return errors;
  return [
    ...errors,
    fieldForbidden(
      "spec",
      `pod updates may not change fields other than ${changeable.join(",")}\n${diffInternal("PodSpec", oldSpec, rest)}`,
    ),
  ];
}

/** Validates an update of `ephemeralcontainers`: existing ones must not change. */
export function validateEphemeralContainersUpdate(pod: Pod, old: Pod): FieldError[] {
  const [spec, oldSpec] = [podSpecOf(pod), podSpecOf(old)];
  if (getOwn(old.metadata.annotations ?? {}, mirrorAnnotation) !== undefined)
    return [fieldForbidden("", "static pods do not support ephemeral containers")];
  const errors = [
    ...validatePod(pod),
    ...validatePodAnnotationsUpdate(pod.metadata.annotations, old.metadata.annotations, spec, "metadata.annotations"),
  ];
  for (const before of oldSpec.ephemeralContainers ?? []) {
    const after = spec.ephemeralContainers?.findLast(({ name }) => name === before.name);
    if (after === undefined)
      errors.push(fieldForbidden("spec.ephemeralContainers", `existing ephemeral containers ${quoteGo(before.name)} may not be removed\n`));
    else if (!internalEqual("EphemeralContainer", after, before)) {
      errors.push(
        fieldForbidden(
          "spec.ephemeralContainers",
          `existing ephemeral containers ${quoteGo(before.name)} may not be changed\n${diffInternal("EphemeralContainer", before, after)}`,
        ),
      );
    }
  }
  return errors;
}

function validateImage(image: string | undefined, path: FieldPath): FieldError[] {
  return [...((image ?? "") === "" ? [fieldRequired(fieldChild(path, "image"))] : []), ...validateImageTrimmed(image, path)];
}

function validateDeadline(deadline: number | undefined, old: number | undefined, path: FieldPath): FieldError[] {
  if (deadline === undefined)
    return old === undefined ? [] : [fieldInvalid(path, null, "must not update from a positive integer to nil value")];
  if (deadline < 0 || deadline > secondsMax) return [fieldInvalid(path, deadline, `must be between 0 and ${secondsMax}, inclusive`)];
  return old !== undefined && old < deadline ? [fieldInvalid(path, deadline, "must be less than or equal to previous value")] : [];
}

function validateGatesUpdate(
  gates: readonly PodSchedulingGate[] | undefined,
  old: readonly PodSchedulingGate[] | undefined,
  path: FieldPath,
): FieldError[] {
  const known = new Set((old ?? []).map(({ name }) => name));
  // A duplicate gate is reported once, at its last position.
  const places = new Map((gates ?? []).map(({ name }, index) => [name, index]));
  return [...places].flatMap(([name, index]) =>
    known.has(name)
      ? []
      : [fieldForbidden(fieldChild(fieldIndex(path, index), "name"), `only deletion is allowed, but found new scheduling gate '${name}'`)],
  );
}

/** Returns the new spec with all changeable fields restored. */
function withoutChangeable(spec: PodSpec, old: PodSpec): PodSpec {
  const putBack = (
    containers: readonly Container[] | undefined,
    oldContainers: readonly Container[] | undefined,
  ): Container[] | undefined => containers?.map((container, index) => copyFields(container, oldContainers?.[index], ["image"]));
  const { initContainers } = spec;
  const rest: PodSpec = copyFields({ ...spec, containers: putBack(spec.containers, old.containers) ?? [] }, old, [
    "activeDeadlineSeconds",
    "schedulingGates",
    "tolerations",
  ]);
  if (initContainers !== undefined) rest.initContainers = putBack(initContainers, old.initContainers) ?? [];
  if ((old.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1)
    return copyFields(rest, old, ["terminationGracePeriodSeconds"]);
  return rest;
}

/** Returns a copy with some fields set or unset as in `old`. */
function copyFields<T extends object>(object: T, old: T | undefined, fields: readonly (keyof T)[]): T {
  const copy = { ...object };
  for (const field of fields) {
    if (old?.[field] === undefined) delete copy[field];
    else copy[field] = old[field];
  }
  return copy;
}

/** A gated pod may get stricter scheduling constraints. */
function validatePlacementUpdate(spec: PodSpec, old: PodSpec): FieldError[] {
  const [selector, oldSelector] = [spec.nodeSelector ?? {}, old.nodeSelector ?? {}];
  const isNarrower = Object.entries(oldSelector).every(([key, value]) => getOwn(selector, key) === value);
  return [
    ...(isNarrower
      ? []
      : [
          fieldInvalid(
            "spec.nodeSelector",
            spec.nodeSelector ?? null,
            "only additions to spec.nodeSelector are allowed (no mutations or deletions)",
          ),
        ]),
    ...validateNodeAffinityUpdate(spec.affinity?.nodeAffinity, old.affinity?.nodeAffinity),
  ];
}

function validateNodeAffinityUpdate(affinity: NodeAffinity | undefined, old: NodeAffinity | undefined): FieldError[] {
  const path = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";
  const oldTerms = old?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const terms = affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  if (oldTerms.length === 0) return [];
  if (terms.length !== oldTerms.length)
    return [invalidInternal(path, "[]NodeSelectorTerm", terms, "no additions/deletions to non-empty NodeSelectorTerms list are allowed")];
  return terms.flatMap((term, index) =>
    isNarrowerTerm(term, oldTerms[index] ?? {})
      ? []
      : [invalidInternal(fieldIndex(path, index), "NodeSelectorTerm", term, "only additions are allowed (no mutations or deletions)")],
  );
}

function isNarrowerTerm(term: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const sizes = [old.matchExpressions, old.matchFields].map((list) => (list ?? []).length);
  if (sizes.every((size) => size === 0)) return (term.matchExpressions ?? []).length === 0 && (term.matchFields ?? []).length === 0;
  return (["matchExpressions", "matchFields"] as const).every((field) =>
    internalEqual("[]NodeSelectorRequirement", (term[field] ?? []).slice(0, (old[field] ?? []).length), old[field]),
  );
}

/** Restores what was validated above, so that it does not count again. */
function keepPlacement(rest: PodSpec, old: PodSpec): void {
  if (old.nodeSelector === undefined) delete rest.nodeSelector;
  else rest.nodeSelector = old.nodeSelector;
  const oldAffinity = old.affinity?.nodeAffinity;
  if (internalEqual("*NodeAffinity", rest.affinity?.nodeAffinity, oldAffinity)) return;
  const { nodeAffinity: _, ...others }: Affinity = rest.affinity ?? {};
  const affinity: Affinity = oldAffinity === undefined ? others : { ...others, nodeAffinity: oldAffinity };
  if (old.affinity !== undefined || Object.keys(affinity).length > 0) rest.affinity = affinity;
  else delete rest.affinity;
}
