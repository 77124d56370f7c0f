/** Validates init containers; those with restartPolicy Always are sidecars. */
import { fieldChild, fieldDuplicate, fieldForbidden, fieldIndex, fieldRequired } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { Container } from "@drover/api/core/v1";
import { invalidName } from "../named-text.ts";
import { validateHostPorts } from "./container-ports.ts";
import { validateContainer, validateRestartPolicy } from "./containers.ts";
import type { ContainerSurroundings } from "./containers.ts";
import { validateCare } from "./probes.ts";

/** Names must also differ from those of regular containers. */
export function validateInitContainers(surroundings: ContainerSurroundings, path: FieldPath): FieldError[] {
  const { spec } = surroundings;
  const names = new Set((spec.containers ?? []).map(({ name }) => name));
  return (spec.initContainers ?? []).flatMap((container, index) => {
    const containerPath = fieldIndex(path, index);
    const isDouble = names.has(container.name);
    if (container.name !== "") names.add(container.name);
    const isSidecar = container.restartPolicy === "Always";
    return [
      ...validateContainer(container, surroundings, containerPath),
      ...validateOwnRestartPolicy(container, containerPath),
      ...(isDouble ? [fieldDuplicate(fieldChild(containerPath, "name"), container.name)] : []),
      // Init containers run one by one, so ports can collide only within one; kube-apiserver gives that one index 0.
      ...validateHostPorts([container], path),
      ...(isSidecar ? validateCare(container, containerPath, spec.terminationGracePeriodSeconds) : refuseCare(container, containerPath)),
      ...(isSidecar ? [] : refuseRestartOnResize(container, containerPath)),
    ];
  });
}

function validateOwnRestartPolicy(container: Container, path: FieldPath): FieldError[] {
  if (container.restartPolicy !== undefined) return validateRestartPolicy(container, path);
  return (container.restartPolicyRules ?? []).length > 0
    ? [fieldRequired(fieldChild(path, "restartPolicy"), "must specify restartPolicy when restart rules are used")]
    : [];
}

function refuseCare(container: Container, path: FieldPath): FieldError[] {
  const fields = ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] as const;
  return fields
    .filter((field) => container[field] !== undefined)
    .map((field) => fieldForbidden(fieldChild(path, field), "may not be set for init containers without restartPolicy=Always"));
}

function refuseRestartOnResize({ resizePolicy }: Container, path: FieldPath): FieldError[] {
  return (resizePolicy ?? []).flatMap(({ restartPolicy }, index) =>
    restartPolicy === "RestartContainer"
      ? [
          invalidName(
            fieldChild(fieldIndex(fieldChild(path, "resizePolicy"), index), "restartPolicy"),
            restartPolicy,
            "must not be set to 'RestartContainer' for non-sidecar initContainers",
          ),
        ]
      : [],
  );
}
