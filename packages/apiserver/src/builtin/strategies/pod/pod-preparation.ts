/** Fills in fields when a pod is created. */
import { getOwn } from "@drover/machinery";
import type { LabelSelector } from "@drover/machinery";
import type { AppArmorProfile, Pod, PodAffinityTerm, PodSpec } from "@drover/api/core/v1";
import { podQosClass } from "@drover/api/quota";
import { internalEqual } from "../internal/internal-value.ts";
import { appArmorPrefix } from "./pod-annotations.ts";
import { setPodCondition } from "./pod-condition.ts";
import { containersOf } from "./pod-containers.ts";
import { validateAppArmor } from "./security-context.ts";

const profileType = "*AppArmorProfile";

/** Changes the pod in place. `now` is in milliseconds since 1970. */
export function preparePod(pod: Pod, spec: PodSpec, now: number): void {
  // A given QoS class is kept, although the rest of the status is reset.
  pod.status = { phase: "Pending", qosClass: pod.status?.qosClass || podQosClass(spec) };
  if ((spec.schedulingGates ?? []).length > 0) {
    setPodCondition(
      pod.status,
      {
        type: "PodScheduled",
        status: "False",
        reason: "SchedulingGated",
        message: "Scheduling is blocked due to non-empty scheduling gates",
      },
      now,
    );
  }
  const labels = pod.metadata.labels ?? {};
  for (const term of affinityTermsOf(spec)) mergeLabelKeys(term, labels);
  for (const constraint of spec.topologySpreadConstraints ?? []) mergeLabelKeys(constraint, labels);
  if (spec.os?.name !== "windows") takeOverAppArmor(pod, spec);
}

/**
 * Returns the containers of a prepared pod whose AppArmor annotation kube-apiserver warns about: it went beyond their fields, or
 * is not understood. A pod that had both from the start is indistinguishable by now and gets the warning too.
 */
export function staleAppArmorAnnotations({ metadata }: Pod, spec: PodSpec): string[] {
  if (spec.os?.name === "windows") return [];
  return containersOf(spec, "")
    .map(({ container }) => container)
    .filter(({ name, securityContext }) => {
      const annotation = getOwn(metadata.annotations ?? {}, `${appArmorPrefix}${name}`);
      if (annotation === undefined) return false;
      const profile = appArmorProfileFrom(annotation);
      if (profile === undefined) return securityContext?.appArmorProfile === undefined;
      return (
        internalEqual(profileType, profile, securityContext?.appArmorProfile) &&
        !internalEqual(profileType, profile, spec.securityContext?.appArmorProfile)
      );
    })
    .map(({ name }) => name);
}

/** Returns the profile that an annotation stands for. */
export function appArmorProfileFrom(annotation: string): AppArmorProfile | undefined {
  if (annotation === "unconfined") return { type: "Unconfined" };
  if (annotation === "runtime/default") return { type: "RuntimeDefault" };
  if (!annotation.startsWith("localhost/") || annotation === "localhost/") return undefined;
  const profile: AppArmorProfile = { type: "Localhost", localhostProfile: annotation.slice("localhost/".length) };
  return validateAppArmor(profile, "").length > 0 ? undefined : profile;
}

function affinityTermsOf({ affinity }: PodSpec): PodAffinityTerm[] {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((part) => [
    ...(part?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
    ...(part?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
  ]);
}

/** matchLabelKeys: adds the pod's own label values to the selector. */
function mergeLabelKeys(
  target: { readonly labelSelector?: LabelSelector; readonly matchLabelKeys?: string[]; readonly mismatchLabelKeys?: string[] },
  labels: Readonly<Record<string, string>>,
): void {
  const { labelSelector: selector, matchLabelKeys, mismatchLabelKeys } = target;
  if (selector === undefined) return;
  const from = (keys: readonly string[] | undefined, operator: "In" | "NotIn"): NonNullable<LabelSelector["matchExpressions"]> =>
    (keys ?? []).flatMap((key) => {
      const value = getOwn(labels, key);
      return value === undefined ? [] : [{ key, operator, values: [value] }];
    });
  const more = [...from(matchLabelKeys, "In"), ...from(mismatchLabelKeys, "NotIn")];
  if (more.length > 0) selector.matchExpressions = [...(selector.matchExpressions ?? []), ...more];
}

/** Copies annotations to fields, unless the pod-level field already says the same. */
function takeOverAppArmor({ metadata }: Pod, spec: PodSpec): void {
  for (const { container } of containersOf(spec, "")) {
    const annotation = getOwn(metadata.annotations ?? {}, `${appArmorPrefix}${container.name}`);
    const profile = annotation === undefined ? undefined : appArmorProfileFrom(annotation);
    if (
      profile === undefined ||
      container.securityContext?.appArmorProfile !== undefined ||
      internalEqual(profileType, profile, spec.securityContext?.appArmorProfile)
    )
      continue;
    container.securityContext = { ...container.securityContext, appArmorProfile: profile };
  }
}
