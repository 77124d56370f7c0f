/**
 * Validates pod specs as Kubernetes 1.36 with default feature gates does.
 *
 *     volumes → containers → everything else, in kube-apiserver's order
 */
import {
  checkSubdomainName,
  fieldChild,
  fieldDuplicate,
  fieldForbidden,
  fieldIndex,
  fieldInvalid,
  fieldRequired,
  getOwn,
  validateLabelName,
  validateLabels,
} from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { Pod, PodResourceClaim, PodSchedulingGate, PodSpec } from "@drover/api/core/v1";
import { problemsOf, validateChoice, validateLabelText, validateSubdomain } from "../checked-field.ts";
import { invalidInternal } from "../internal/internal-field.ts";
import { unsupportedName } from "../named-text.ts";
import { validateAffinity } from "./affinity.ts";
import { validateHostNetworkPorts } from "./container-ports.ts";
import { validateContainers, validateImageTrimmed } from "./containers.ts";
import { validateDnsConfig, validateHostAliases, validateHostnameOverride } from "./dns-config.ts";
import { validateEnvFiles } from "./env.ts";
import { validateEphemeralContainers } from "./ephemeral-containers.ts";
import { validateInitContainers } from "./init-containers.ts";
import { mirrorAnnotation, validatePodAnnotations } from "./pod-annotations.ts";
import type { PodValidation } from "./pod-validation.ts";
import { validateContainerResources, validatePodResources } from "./resources.ts";
import { validateHostUsers, validatePodSecurityContext } from "./security-context.ts";
import { validateTolerations } from "./tolerations.ts";
import { validateTopologySpread } from "./topology-spread.ts";
import { validateVolumes } from "./volumes.ts";
import { validateForSystem, validateHostProcesses } from "./windows-options.ts";

const secondsMax = 2 ** 31 - 1;

/** Validates the spec of a pod or a template. */
export function validatePodSpec(spec: PodSpec, path: FieldPath, rules: PodValidation): FieldError[] {
  const volumes = validateVolumes(spec.volumes, fieldChild(path, "volumes"), rules);
  const claimNames = new Set((spec.resourceClaims ?? []).map(({ name }) => name).filter((name) => name !== ""));
  const surroundings = { spec, volumes: volumes.mountable, claimNames };
  return [
    ...(spec.terminationGracePeriodSeconds === undefined ? [fieldRequired(fieldChild(path, "terminationGracePeriodSeconds"))] : []),
    ...volumes.errors,
    ...validateResourceClaims(spec.resourceClaims, fieldChild(path, "resourceClaims")),
    ...validateContainers(surroundings, fieldChild(path, "containers")),
    ...validateInitContainers(surroundings, fieldChild(path, "initContainers")),
    ...validateEphemeralContainers(surroundings, fieldChild(path, "ephemeralContainers")),
    ...validatePodResources(spec, claimNames, fieldChild(path, "resources")),
    ...validateHostNetworkPorts(spec, path, rules),
    ...validateChoice(spec.restartPolicy, fieldChild(path, "restartPolicy"), ["Always", "OnFailure", "Never"]),
    ...validateChoice(spec.dnsPolicy, fieldChild(path, "dnsPolicy"), ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"]),
    ...validateScheduling(spec, path),
    ...validateNames(spec, path),
    ...validateSystem(spec, path),
    ...validateEnvFiles(spec, path),
  ];
}

/** Validates a whole pod, except its metadata. */
export function validatePod(pod: Pod): FieldError[] {
  const spec = podSpecOf(pod);
  const { name, annotations } = pod.metadata;
  const isMirror = getOwn(annotations ?? {}, mirrorAnnotation) !== undefined;
  return [
    ...validatePodAnnotations(annotations, spec, "metadata.annotations"),
    ...(isMirror ? (spec.resourceClaims ?? []).map(() => fieldForbidden("", "static pods do not support resource claims")) : []),
    ...validatePodSpec(spec, "spec", { isPod: true, ...(name === undefined ? {} : { podName: name }) }),
    ...((spec.serviceAccountName ?? "") === "" ? refuseTokens(spec) : []),
    ...spec.containers.flatMap(({ image }, index) => validateImageTrimmed(image, fieldIndex("spec.containers", index))),
    ...(spec.initContainers ?? []).flatMap(({ image }, index) => validateImageTrimmed(image, fieldIndex("spec.initContainers", index))),
  ];
}

/** Returns the spec, which is always set after decoding, as are its containers. */
export function podSpecOf({ spec }: { readonly spec?: PodSpec }): PodSpec {
  const containers = spec?.containers ?? [];
  return spec?.containers === containers ? spec : { ...spec, containers };
}

/** Validates scheduling constraints. */
function validateScheduling(spec: PodSpec, path: FieldPath): FieldError[] {
  return [
    ...validateLabels(spec.nodeSelector, fieldChild(path, "nodeSelector")),
    ...validatePodSecurityContext(spec, fieldChild(path, "securityContext")),
    ...(spec.affinity === undefined ? [] : validateAffinity(spec.affinity, fieldChild(path, "affinity"))),
    ...validateDnsConfig(spec, fieldChild(path, "dnsConfig")),
    ...(spec.readinessGates ?? []).flatMap(({ conditionType }, index) =>
      validateLabelName(conditionType, fieldChild(fieldIndex(fieldChild(path, "readinessGates"), index), "conditionType")),
    ),
    ...validateSchedulingGates(spec.schedulingGates, fieldChild(path, "schedulingGates")),
    ...validateTopologySpread(spec.topologySpreadConstraints, fieldChild(path, "topologySpreadConstraints")),
    ...validateHostProcesses(spec, path),
    ...validateHostUsers(spec, path),
    ...validateHostnameOverride(spec, fieldChild(path, "hostnameOverride")),
  ];
}

function validateNames(spec: PodSpec, path: FieldPath): FieldError[] {
  const { activeDeadlineSeconds: deadline, runtimeClassName } = spec;
  const names = (field: "serviceAccountName" | "nodeName" | "priorityClassName"): FieldError[] =>
    (spec[field] ?? "") === "" ? [] : validateSubdomain(spec[field] ?? "", fieldChild(path, field));
  const labels = (field: "hostname" | "subdomain"): FieldError[] =>
    (spec[field] ?? "") === "" ? [] : validateLabelText(spec[field] ?? "", fieldChild(path, field));
  return [
    ...names("serviceAccountName"),
    ...names("nodeName"),
    ...(deadline !== undefined && (deadline < 1 || deadline > secondsMax)
      ? [fieldInvalid(fieldChild(path, "activeDeadlineSeconds"), deadline, `must be between 1 and ${secondsMax}, inclusive`)]
      : []),
    ...labels("hostname"),
    ...labels("subdomain"),
    ...validateTolerations(spec.tolerations, fieldChild(path, "tolerations")),
    ...validateHostAliases(spec.hostAliases, fieldChild(path, "hostAliases")),
    ...names("priorityClassName"),
    ...(runtimeClassName === undefined ? [] : validateSubdomain(runtimeClassName, fieldChild(path, "runtimeClassName"))),
  ];
}

function validateSystem(spec: PodSpec, path: FieldPath): FieldError[] {
  const { preemptionPolicy, overhead, os } = spec;
  const osName: string | undefined = os?.name;
  return [
    ...(preemptionPolicy === undefined
      ? []
      : validateChoice(preemptionPolicy, fieldChild(path, "preemptionPolicy"), ["PreemptLowerPriority", "Never"])),
    ...(overhead === undefined ? [] : validateContainerResources({ limits: overhead }, new Set(), fieldChild(path, "overhead"))),
    ...(osName === "" ? [fieldRequired(fieldChild(path, "os.name"))] : []),
    ...(osName !== undefined && !["", "linux", "windows"].includes(osName)
      ? [unsupportedName(fieldChild(path, "os"), osName, ["linux", "windows"])]
      : []),
    ...validateForSystem(spec, path),
  ];
}

function validateSchedulingGates(gates: readonly PodSchedulingGate[] | undefined, path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return (gates ?? []).flatMap(({ name }, index) => {
    const isDouble = seen.has(name);
    seen.add(name);
    return [...validateLabelName(name, fieldIndex(path, index)), ...(isDouble ? [fieldDuplicate(fieldIndex(path, index), name)] : [])];
  });
}

function validateResourceClaims(claims: readonly PodResourceClaim[] | undefined, path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return (claims ?? []).flatMap((claim, index) => {
    const at = fieldIndex(path, index);
    const { name, resourceClaimName, resourceClaimTemplateName } = claim;
    const errors: FieldError[] = [];
    if (name === "") errors.push(fieldRequired(fieldChild(at, "name")));
    else if (names.has(name)) errors.push(fieldDuplicate(fieldChild(at, "name"), name));
    else errors.push(...validateLabelText(name, fieldChild(at, "name")));
    names.add(name);
    const invalid = (detail: string): FieldError => invalidInternal(at, "PodResourceClaim", claim, detail);
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined)
      errors.push(invalid("at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"));
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined)
      errors.push(invalid("must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"));
    for (const [field, value] of Object.entries({ resourceClaimName, resourceClaimTemplateName })) {
      if (value !== undefined) errors.push(...problemsOf(fieldChild(at, field), value, checkSubdomainName(value)));
    }
    return errors;
  });
}

function refuseTokens({ volumes }: PodSpec): FieldError[] {
  return (volumes ?? []).flatMap(({ projected }, index) =>
    (projected?.sources ?? []).flatMap(({ serviceAccountToken }, at) =>
      serviceAccountToken === undefined
        ? []
        : [
            fieldForbidden(
              fieldChild(fieldIndex(fieldChild(fieldIndex("spec.volumes", index), "projected.sources"), at), "serviceAccountToken"),
              "must not be specified when serviceAccountName is not set",
            ),
          ],
    ),
  );
}
