/** Annotations of pods that the server interprets, and their consistency with newer fields. */
import { fieldChild, fieldForbidden, fieldInvalid, fieldKey, getOwn, quoteGo } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { AppArmorProfile, PodSpec, SeccompProfile } from "@drover/api/core/v1";
import { containersOf } from "./pod-containers.ts";
import { validateDescendingPath } from "./volume-path.ts";

type Annotations = Readonly<Record<string, string>> | undefined;

/** Marks mirror pods of static pods. */
export const mirrorAnnotation = "kubernetes.io/config.mirror";
/** Prefix of the AppArmor annotation of a container, which a field replaced. */
export const appArmorPrefix = "container.apparmor.security.beta.kubernetes.io/";
/** The seccomp annotation of a pod, which a field replaced. */
export const podSeccompAnnotation = "seccomp.security.alpha.kubernetes.io/pod";
/** Prefix of the seccomp annotation of a container, which a field replaced. */
export const containerSeccompPrefix = "container.seccomp.security.alpha.kubernetes.io/";

const deletionCostAnnotation = "controller.kubernetes.io/pod-deletion-cost";

/** Validates the values. */
export function validatePodAnnotations(annotations: Annotations, spec: PodSpec, path: FieldPath): FieldError[] {
  const own = annotations ?? {};
  const errors: FieldError[] = [];
  const mirror = getOwn(own, mirrorAnnotation);
  if (mirror !== undefined && (spec.nodeName ?? "") === "")
    errors.push(fieldInvalid(fieldKey(path, mirrorAnnotation), mirror, "must set spec.nodeName if mirror pod annotation is set"));
  const cost = getOwn(own, deletionCostAnnotation);
  if (cost !== undefined && !isInt32(cost))
    errors.push(fieldInvalid(fieldKey(path, deletionCostAnnotation), cost, "must be a 32bit integer"));
  const names = new Set(containersOf(spec, "").map(({ container }) => container.name));
  for (const [key, value] of Object.entries(own)) {
    if (key === podSeccompAnnotation || key.startsWith(containerSeccompPrefix))
      errors.push(...validateSeccompValue(value, fieldChild(path, key)));
    if (!key.startsWith(appArmorPrefix)) continue;
    const name = key.slice(appArmorPrefix.length);
    if (!names.has(name)) errors.push(fieldInvalid(fieldKey(path, key), name, "container not found"));
    if (!["", "runtime/default", "unconfined"].includes(value) && !value.startsWith("localhost/"))
      errors.push(fieldInvalid(fieldKey(path, key), value, `invalid AppArmor profile name: ${quoteGo(value)}`));
  }
  return errors;
}

/** Validates a change, including the values once more. */
export function validatePodAnnotationsUpdate(annotations: Annotations, old: Annotations, spec: PodSpec, path: FieldPath): FieldError[] {
  const [now, before] = [annotations ?? {}, old ?? {}];
  const changed = Object.keys(before)
    .filter((key) => getOwn(now, key) !== before[key])
    .flatMap((key) => [
      ...(key.startsWith(appArmorPrefix) ? [fieldForbidden(fieldKey(path, key), "may not remove or update AppArmor annotations")] : []),
      ...(key === mirrorAnnotation ? [fieldForbidden(fieldKey(path, key), "may not remove or update mirror pod annotation")] : []),
    ]);
  const added = Object.keys(now)
    .filter((key) => !Object.hasOwn(before, key))
    .flatMap((key) => [
      ...(key.startsWith(appArmorPrefix) ? [fieldForbidden(fieldKey(path, key), "may not add AppArmor annotations")] : []),
      ...(key === mirrorAnnotation ? [fieldForbidden(fieldKey(path, key), "may not add mirror pod annotation")] : []),
    ]);
  return [...changed, ...added, ...validatePodAnnotations(annotations, spec, path)];
}

/** Annotation and field must agree if both are set. */
export function validateProfilesAgree(annotations: Annotations, spec: PodSpec, path: FieldPath): FieldError[] {
  const own = annotations ?? {};
  const { seccompProfile: podSeccomp, appArmorProfile: podAppArmor } = spec.securityContext ?? {};
  const containers = containersOf(spec, path);
  return [
    ...validateSeccompAgrees(getOwn(own, podSeccompAnnotation), podSeccomp, fieldChild(path, "securityContext.seccompProfile")),
    ...containers.flatMap(({ container, path: at }) =>
      validateSeccompAgrees(
        getOwn(own, `${containerSeccompPrefix}${container.name}`),
        container.securityContext?.seccompProfile,
        fieldChild(at, "securityContext.seccompProfile"),
      ),
    ),
    ...(spec.os?.name === "windows"
      ? []
      : containers.flatMap(({ container, path: at }) =>
          validateAppArmorAgrees(
            getOwn(own, `${appArmorPrefix}${container.name}`),
            container.securityContext?.appArmorProfile ?? podAppArmor,
            fieldChild(at, "securityContext.appArmorProfile"),
          ),
        )),
  ];
}

function validateSeccompValue(value: string, path: FieldPath): FieldError[] {
  if (["runtime/default", "docker/default", "unconfined"].includes(value)) return [];
  return value.startsWith("localhost/")
    ? validateDescendingPath(value.slice("localhost/".length), path)
    : [fieldInvalid(path, value, "must be a valid seccomp profile")];
}

function validateSeccompAgrees(annotation: string | undefined, profile: SeccompProfile | undefined, path: FieldPath): FieldError[] {
  return annotation === undefined || profile === undefined
    ? []
    : compareProfiles("seccomp", annotation, profile, ["runtime/default", "docker/default"], path);
}

function validateAppArmorAgrees(annotation: string | undefined, profile: AppArmorProfile | undefined, path: FieldPath): FieldError[] {
  return annotation === undefined || profile === undefined
    ? []
    : compareProfiles("apparmor", annotation, profile, ["runtime/default"], path);
}

function compareProfiles(
  what: string,
  annotation: string,
  { type, localhostProfile }: SeccompProfile,
  defaults: readonly string[],
  path: FieldPath,
): FieldError[] {
  const typeError = [fieldForbidden(fieldChild(path, "type"), `${what} type in annotation and field must match`)];
  switch (type) {
    case "Unconfined":
      return annotation === "unconfined" ? [] : typeError;
    case "RuntimeDefault":
      return defaults.includes(annotation) ? [] : typeError;
    case "Localhost":
      if (!annotation.startsWith("localhost/")) return typeError;
      return annotation.slice("localhost/".length) === localhostProfile
        ? []
        : [fieldForbidden(fieldChild(path, "localhostProfile"), `${what} profile in annotation and field must match`)];
    default:
      return [];
  }
}

function isInt32(text: string): boolean {
  return /^(?:0|[1-9][0-9]*|-[0-9]+)$/.test(text) && Number(text) >= -(2 ** 31) && Number(text) < 2 ** 31;
}
