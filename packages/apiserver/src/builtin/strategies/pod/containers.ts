/**
 * Validates containers: rules for all of them, and for regular ones.
 *
 *     containers.ts ← init-containers.ts, ephemeral-containers.ts
 */
import { fieldChild, fieldDuplicate, fieldIndex, fieldInvalid, fieldRequired, fieldTooMany } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { Container, ContainerResizePolicy, ContainerRestartRule, PodSpec } from "@drover/api/core/v1";
import { validateChoice, validateLabelText, validateOptionalChoice } from "../checked-field.ts";
import { duplicateName, invalidName } from "../named-text.ts";
import { validateContainerPorts, validateHostPorts } from "./container-ports.ts";
import { validateEnv, validateEnvFrom } from "./env.ts";
import { validateCare } from "./probes.ts";
import { validateContainerResources } from "./resources.ts";
import { validateSecurityContext } from "./security-context.ts";
import { validateVolumeDevices, validateVolumeMounts } from "./volume-mounts.ts";
import type { MountableVolumes } from "./volumes.ts";

/** What the validation of containers needs from the pod. */
export interface ContainerSurroundings {
  readonly spec: PodSpec;
  readonly volumes: MountableVolumes;
  readonly claimNames: ReadonlySet<string>;
}

const restartRulesMax = 20;
const exitCodesMax = 255;

/** Validates the regular containers, of which at least one is required. */
export function validateContainers(surroundings: ContainerSurroundings, path: FieldPath): FieldError[] {
  const { spec } = surroundings;
  const containers = spec.containers ?? [];
  if (containers.length === 0) return [fieldRequired(path)];
  const names = new Set<string>();
  const errors = containers.flatMap((container, index) => {
    const containerPath = fieldIndex(path, index);
    const isDouble = names.has(container.name);
    names.add(container.name);
    return [
      ...validateContainer(container, surroundings, containerPath),
      ...(isDouble ? [fieldDuplicate(fieldChild(containerPath, "name"), container.name)] : []),
      ...validateCare(container, containerPath, spec.terminationGracePeriodSeconds),
      ...validateRestartPolicy(container, containerPath),
    ];
  });
  return [...errors, ...validateHostPorts(containers, path)];
}

/** Validates what applies to every container. */
export function validateContainer(
  container: Container,
  { spec, volumes, claimNames }: ContainerSurroundings,
  path: FieldPath,
): FieldError[] {
  const namePath = fieldChild(path, "name");
  return [
    ...(container.name === "" ? [fieldRequired(namePath)] : validateLabelText(container.name, namePath)),
    ...((container.image ?? "") === "" ? [fieldRequired(fieldChild(path, "image"))] : []),
    ...validateChoice(container.terminationMessagePolicy, fieldChild(path, "terminationMessagePolicy"), ["File", "FallbackToLogsOnError"]),
    ...validateContainerPorts(container.ports, fieldChild(path, "ports")),
    ...validateEnv(container.env, fieldChild(path, "env")),
    ...validateEnvFrom(container.envFrom, fieldChild(path, "envFrom")),
    ...validateVolumeMounts(container, volumes, fieldChild(path, "volumeMounts")),
    ...validateVolumeDevices(container, volumes, fieldChild(path, "volumeDevices")),
    ...validateChoice(container.imagePullPolicy, fieldChild(path, "imagePullPolicy"), ["Always", "IfNotPresent", "Never"]),
    ...validateContainerResources(container.resources, claimNames, fieldChild(path, "resources")),
    ...validateResizePolicies(container.resizePolicy, fieldChild(path, "resizePolicy"), spec.restartPolicy),
    ...validateSecurityContext(container.securityContext, fieldChild(path, "securityContext"), { hostUsers: spec.hostUsers !== false }),
  ];
}

/** Validates the container's own restart policy. */
export function validateRestartPolicy({ restartPolicy, restartPolicyRules }: Container, path: FieldPath): FieldError[] {
  const rules = restartPolicyRules ?? [];
  const [policyPath, rulesPath] = [fieldChild(path, "restartPolicy"), fieldChild(path, "restartPolicyRules")];
  if (restartPolicy === undefined && rules.length === 0) return [];
  return [
    ...(restartPolicy === undefined ? [fieldRequired(policyPath, "must specify restartPolicy when restart rules are used")] : []),
    ...validateOptionalChoice(restartPolicy, policyPath, ["Always", "Never", "OnFailure"]),
    ...(rules.length > restartRulesMax ? [fieldTooMany(rulesPath, rules.length, restartRulesMax)] : []),
    ...rules.flatMap((rule, index) => validateRestartRule(rule, fieldIndex(rulesPath, index))),
  ];
}

/** Only in pods; in a template the image may be a placeholder. */
export function validateImageTrimmed(image: string | undefined, path: FieldPath): FieldError[] {
  return image === undefined || image.trim() === image
    ? []
    : [fieldInvalid(fieldChild(path, "image"), image, "must not have leading or trailing whitespace")];
}

function validateRestartRule({ action, exitCodes }: ContainerRestartRule, path: FieldPath): FieldError[] {
  const errors = validateOptionalChoice(action, fieldChild(path, "action"), ["Restart", "RestartAllContainers"]);
  const codesPath = fieldChild(path, "exitCodes");
  if (exitCodes === undefined) return [...errors, fieldRequired(codesPath, "must be specified")];
  const count = (exitCodes.values ?? []).length;
  return [
    ...errors,
    ...validateOptionalChoice(exitCodes.operator, fieldChild(codesPath, "operator"), ["In", "NotIn"]),
    ...(count > exitCodesMax ? [fieldTooMany(fieldChild(codesPath, "values"), count, exitCodesMax)] : []),
  ];
}

function validateResizePolicies(
  policies: readonly ContainerResizePolicy[] | undefined,
  path: FieldPath,
  podRestartPolicy: string | undefined,
): FieldError[] {
  const resources = new Set<string>();
  return (policies ?? []).flatMap(({ resourceName, restartPolicy }, index) => {
    const isDouble = resources.has(resourceName);
    resources.add(resourceName);
    return [
      ...(isDouble ? [duplicateName(fieldIndex(path, index), resourceName)] : []),
      ...validateChoice(resourceName, path, ["cpu", "memory"]),
      ...validateChoice(restartPolicy, path, ["NotRequired", "RestartContainer"]),
      ...(podRestartPolicy === "Never" && restartPolicy !== "NotRequired"
        ? [invalidName(path, restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'")]
        : []),
    ];
  });
}
