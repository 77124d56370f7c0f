/** Validates ephemeral containers, which support few of the container fields. */
import { fieldChild, fieldDuplicate, fieldForbidden, fieldIndex, fieldNotFound } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { EphemeralContainer } from "@drover/api/core/v1";
import { validateContainer, validateImageTrimmed } from "./containers.ts";
import type { ContainerSurroundings } from "./containers.ts";

const unsettable = [
  "ports",
  "resources",
  "resizePolicy",
  "restartPolicy",
  "restartPolicyRules",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
] as const;
const refusal = "cannot be set for an Ephemeral Container";

/** Names must differ from those of all other containers. */
export function validateEphemeralContainers(surroundings: ContainerSurroundings, path: FieldPath): FieldError[] {
  const { spec } = surroundings;
  const others = new Set([...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }) => name));
  const names = new Set(others);
  return (spec.ephemeralContainers ?? []).flatMap((container, index) => {
    const containerPath = fieldIndex(path, index);
    const { name, targetContainerName: target = "" } = container;
    const isDouble = names.has(name);
    names.add(name);
    return [
      ...validateContainer(container, surroundings, containerPath),
      ...validateImageTrimmed(container.image, containerPath),
      ...(isDouble ? [fieldDuplicate(fieldChild(containerPath, "name"), name)] : []),
      ...(target !== "" && !others.has(target) ? [fieldNotFound(fieldChild(containerPath, "targetContainerName"), target)] : []),
      ...unsettable.filter((field) => isSet(container[field])).map((field) => fieldForbidden(fieldChild(containerPath, field), refusal)),
      ...refuseSubPaths(container, fieldChild(containerPath, "volumeMounts")),
    ];
  });
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && !(typeof value === "object" && Object.keys(value).length === 0);
}

function refuseSubPaths({ volumeMounts }: EphemeralContainer, path: FieldPath): FieldError[] {
  return (volumeMounts ?? []).flatMap(({ subPath = "", subPathExpr = "" }, index) => [
    ...(subPath === "" ? [] : [fieldForbidden(fieldChild(fieldIndex(path, index), "subPath"), refusal)]),
    ...(subPathExpr === "" ? [] : [fieldForbidden(fieldChild(fieldIndex(path, index), "subPathExpr"), refusal)]),
  ]);
}
