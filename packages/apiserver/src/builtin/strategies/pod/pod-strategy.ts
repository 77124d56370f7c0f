/** The strategy of Pod at each endpoint. */
import { checkDns1123Label, fieldForbidden, fieldKey } from "@drover/machinery";
import type { FieldError, ObjectMeta } from "@drover/machinery";
import type { Pod } from "@drover/api/core/v1";
import type { Strategy } from "../../../registry/strategy.ts";
import { dropDisabledFields } from "./disabled-fields.ts";
import { appArmorPrefix, validateProfilesAgree } from "./pod-annotations.ts";
import { preparePod, staleAppArmorAnnotations } from "./pod-preparation.ts";
import { keepAllButResources, validatePodResize } from "./pod-resize.ts";
import { podSpecOf, validatePod } from "./pod-spec.ts";
import { keepPodStatusFields, podStatusWarnings, validatePodStatusUpdate } from "./pod-status.ts";
import { validateEphemeralContainersUpdate, validatePodUpdate } from "./pod-update.ts";
import { appArmorWarning, podSpecWarnings } from "./pod-warnings.ts";

/** The verbs set the generation, also at `resize` and `ephemeralcontainers`: it counts changes of the spec. */
export const podStrategy: Strategy<Pod> = {
  prepareForCreate: (pod, { now }) => {
    dropDisabledFields(pod.spec);
    preparePod(pod, podSpecOf(pod), now);
  },
  validate: validateNewPod,
  warningsOnCreate: (pod) => {
    const spec = podSpecOf(pod);
    const problems = checkDns1123Label(pod.metadata.name ?? "");
    return [
      ...staleAppArmorAnnotations(pod, spec).map((name) => appArmorWarning(fieldKey("metadata.annotations", `${appArmorPrefix}${name}`))),
      ...(problems.length === 0
        ? []
        : [
            `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${problems.join(" ")}]`,
          ]),
      ...podSpecWarnings(spec, pod.metadata, ""),
    ];
  },
  prepareForUpdate: (pod) => dropDisabledFields(pod.spec),
  validateUpdate: validatePodUpdate,
  subresources: {
    status: { prepareForUpdate: keepPodStatusFields, validateUpdate: validatePodStatusUpdate, warningsOnUpdate: podStatusWarnings },
    ephemeralcontainers: {
      prepareForUpdate: (pod, old) => {
        const { ephemeralContainers } = podSpecOf(pod);
        const { ephemeralContainers: _, ...others } = podSpecOf(old);
        pod.spec = { ...others, ...(ephemeralContainers === undefined ? {} : { ephemeralContainers }) };
        keepMetadata(pod, old);
      },
      validateUpdate: validateEphemeralContainersUpdate,
    },
    resize: {
      prepareForUpdate: (pod, old) => {
        keepAllButResources(pod, old);
        keepMetadata(pod, old);
      },
      validateUpdate: validatePodResize,
    },
  },
  gracePeriodSeconds: ({ spec, status }, asked) => {
    const isIdle = (spec?.nodeName ?? "") === "" || status?.phase === "Failed" || status?.phase === "Succeeded";
    const seconds = isIdle ? 0 : (asked ?? spec?.terminationGracePeriodSeconds ?? 0);
    return seconds < 0 ? 1 : seconds;
  },
};

function validateNewPod(pod: Pod): FieldError[] {
  const spec = podSpecOf(pod);
  return [
    ...validatePod(pod),
    ...((spec.ephemeralContainers ?? []).length > 0 ? [fieldForbidden("spec.ephemeralContainers", "cannot be set on create")] : []),
    ...((spec.nodeName ?? "") !== "" && (spec.schedulingGates ?? []).length > 0
      ? [fieldForbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared")]
      : []),
    ...validateProfilesAgree(pod.metadata.annotations, spec, "spec"),
  ];
}

/** These endpoints keep labels, annotations, finalizers, owner references and status. */
function keepMetadata(pod: Pod, old: Pod): void {
  const kept = ["labels", "annotations", "finalizers", "ownerReferences"] as const satisfies readonly (keyof ObjectMeta)[];
  for (const field of kept) delete pod.metadata[field];
  Object.assign(
    pod.metadata,
    Object.fromEntries(kept.filter((field) => old.metadata[field] !== undefined).map((field) => [field, old.metadata[field]])),
  );
  if (old.status !== undefined) pod.status = old.status;
}
