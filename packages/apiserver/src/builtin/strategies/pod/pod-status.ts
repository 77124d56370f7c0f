/** The `status` subresource of pods. */
import {
  checkSubdomainName,
  fieldChild,
  fieldForbidden,
  fieldIndex,
  fieldInternal,
  fieldInvalid,
  ipWarnings,
  validateLabelName,
  validateLegacyIp,
} from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { Container, ContainerStatus, Pod, PodSpec, PodStatus } from "@drover/api/core/v1";
import { immutableText, problemsOf } from "../checked-field.ts";
import { invalidInternal } from "../internal/internal-field.ts";
import { validatePodAnnotationsUpdate } from "./pod-annotations.ts";
import { podSpecOf } from "./pod-spec.ts";

const systemConditions: ReadonlySet<string> = new Set(["PodScheduled", "Ready", "Initialized"]);

/** Restores fields outside the status, and status fields that an older client would clear. */
export function keepPodStatusFields(pod: Pod, old: Pod): void {
  const { ownerReferences } = old.metadata;
  if (ownerReferences === undefined) delete pod.metadata.ownerReferences;
  else pod.metadata.ownerReferences = ownerReferences;
  const [status, oldStatus] = [(pod.status ??= {}), old.status ?? {}];
  if (status.qosClass === undefined && oldStatus.qosClass !== undefined) status.qosClass = oldStatus.qosClass;
  if (status.observedGeneration === undefined && oldStatus.observedGeneration !== undefined)
    status.observedGeneration = oldStatus.observedGeneration;
  keepConditionGenerations(status, oldStatus);
}

/** Validates the new status. */
export function validatePodStatusUpdate(pod: Pod, old: Pod): FieldError[] {
  const [status, oldStatus, spec] = [pod.status ?? {}, old.status ?? {}, podSpecOf(old)];
  return [
    ...validatePodAnnotationsUpdate(pod.metadata.annotations, old.metadata.annotations, podSpecOf(pod), "metadata.annotations"),
    ...validateConditions(status),
    ...validateNomination(status.nominatedNodeName ?? "", oldStatus.nominatedNodeName ?? "", spec),
    ...((status.observedGeneration ?? 0) < 0
      ? [fieldInvalid("status.observedGeneration", status.observedGeneration, "must be a non-negative integer")]
      : []),
    ...(status.qosClass === oldStatus.qosClass ? [] : [fieldInvalid("status.qosClass", status.qosClass ?? "", immutableText)]),
    ...validateTransitions(status.containerStatuses, oldStatus.containerStatuses, spec.containers, spec, "status.containerStatuses"),
    ...validateTransitions(
      status.initContainerStatuses,
      oldStatus.initContainerStatuses,
      spec.initContainers ?? [],
      spec,
      "status.initContainerStatuses",
    ),
    ...validateTransitions(
      status.ephemeralContainerStatuses,
      oldStatus.ephemeralContainerStatuses,
      [],
      spec,
      "status.ephemeralContainerStatuses",
    ),
    ...validateAddresses(status.podIPs, oldStatus.podIPs, "PodIP", "status.podIPs"),
    ...((status.hostIPs ?? []).length > 0 && status.hostIPs?.[0]?.ip !== (status.hostIP ?? "")
      ? [fieldInvalid("status.hostIPs[0].ip", status.hostIPs?.[0]?.ip ?? "", "must be equal to `hostIP`")]
      : []),
    ...validateAddresses(status.hostIPs, oldStatus.hostIPs, "HostIP", "status.hostIPs"),
  ];
}

/** Returns warnings about deprecated address formats. */
export function podStatusWarnings({ status }: Pod): string[] {
  return [
    ...(status?.podIPs ?? []).flatMap(({ ip }, index) => ipWarnings(ip, fieldChild(fieldIndex("status.podIPs", index), "ip"))),
    ...(status?.hostIPs ?? []).flatMap(({ ip }, index) => ipWarnings(ip, fieldChild(fieldIndex("status.hostIPs", index), "ip"))),
  ];
}

/** Conditions of the same type are matched in order. */
function keepConditionGenerations(status: PodStatus, old: PodStatus): void {
  const left = [...(old.conditions ?? [])];
  for (const condition of status.conditions ?? []) {
    const index = left.findIndex(({ type }) => type === condition.type);
    const [before] = index < 0 ? [] : left.splice(index, 1);
    if (condition.observedGeneration === undefined && before?.observedGeneration !== undefined)
      condition.observedGeneration = before.observedGeneration;
  }
}

function validateConditions({ conditions }: PodStatus): FieldError[] {
  return (conditions ?? []).flatMap(({ type, observedGeneration = 0 }, index) => {
    const path = fieldIndex("status.conditions", index);
    return [
      ...(observedGeneration < 0
        ? [fieldInvalid(fieldChild(path, "observedGeneration"), observedGeneration, "must be a non-negative integer")]
        : []),
      ...(systemConditions.has(type) ? [] : validateLabelName(type, fieldChild(path, "Type"))),
    ];
  });
}

function validateNomination(name: string, old: string, { nodeName = "" }: PodSpec): FieldError[] {
  const path = "status.nominatedNodeName";
  if (name === old || name === "") return [];
  return [
    ...problemsOf(path, name, checkSubdomainName(name)),
    ...(nodeName === "" ? [] : [fieldForbidden(path, "may not be set on pods that are already bound to a node")]),
  ];
}

/** A terminated container stays terminated unless its restart policy allows a restart. */
function validateTransitions(
  statuses: readonly ContainerStatus[] | undefined,
  old: readonly ContainerStatus[] | undefined,
  containers: readonly Container[],
  spec: PodSpec,
  path: FieldPath,
): FieldError[] {
  const ephemeral = path === "status.ephemeralContainerStatuses";
  if (!ephemeral && anyRestartsAll(spec)) return [];
  return (old ?? []).flatMap(({ name, state }, index) => {
    const ended = state?.terminated;
    const now = (statuses ?? []).find((status) => status.name === name && status.state?.terminated === undefined);
    if (ended === undefined || now === undefined) return [];
    const container = containers.find((candidate) => candidate.name === name);
    if (container !== undefined && isStartedAgain(container, spec, ended.exitCode)) return [];
    return [fieldForbidden(fieldChild(fieldIndex(path, index), "state"), "may not be transitioned to non-terminated state")];
  });
}

function anyRestartsAll({ containers, initContainers }: PodSpec): boolean {
  return [...containers, ...(initContainers ?? [])].some(({ restartPolicyRules }) =>
    (restartPolicyRules ?? []).some(({ action }) => action === "RestartAllContainers"),
  );
}

function isStartedAgain({ restartPolicy, restartPolicyRules }: Container, spec: PodSpec, exitCode: number): boolean {
  if (restartPolicy !== undefined) {
    const rule = (restartPolicyRules ?? []).find(
      ({ exitCodes }) => exitCodes !== undefined && (exitCodes.values ?? []).includes(exitCode) === (exitCodes.operator === "In"),
    );
    if (rule?.action === "Restart") return true;
  }
  const policy = restartPolicy ?? spec.restartPolicy;
  return policy === "Always" || (policy === "OnFailure" && exitCode !== 0);
}

/** At most one address per family. */
function validateAddresses(
  addresses: readonly { readonly ip: string }[] | undefined,
  old: readonly { readonly ip: string }[] | undefined,
  type: string,
  path: FieldPath,
): FieldError[] {
  const given = addresses ?? [];
  const oldValues = (old ?? []).map(({ ip }) => ip);
  const errors = given.flatMap(({ ip }, index) => validateLegacyIp(ip, fieldIndex(path, index), { oldValues }));
  if (given.length < 2) return errors;
  const broken = given.findIndex(({ ip }) => validateLegacyIp(ip, path).length > 0);
  if (broken >= 0)
    errors.push(fieldInternal(path, `failed to check for dual stack with error:invalid IP[${broken}]: ${given[broken]?.ip ?? ""}`));
  const isDual = broken < 0 && new Set(given.map(({ ip }) => ip.includes(":"))).size === 2;
  return given.length > 2 || !isDual
    ? [...errors, invalidInternal(path, `[]${type}`, given, "may specify no more than one IP for each IP family")]
    : errors;
}
