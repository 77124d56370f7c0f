/** Validates container ports and host ports. */
import { checkPortName, checkPortNumber, fieldChild, fieldDuplicate, fieldIndex, fieldInvalid, fieldRequired } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { Container, ContainerPort, PodSpec } from "@drover/api/core/v1";
import { problemsOf, protocols, validateChoice } from "../checked-field.ts";

/** Validates the ports of one container. */
export function validateContainerPorts(ports: readonly ContainerPort[] | undefined, path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return (ports ?? []).flatMap((port, index) => {
    const portPath = fieldIndex(path, index);
    return [...validatePortName(port.name ?? "", fieldChild(portPath, "name"), names), ...validatePortNumbers(port, portPath)];
  });
}

/** Reports duplicate host ports. */
export function validateHostPorts(containers: readonly Container[] | undefined, path: FieldPath): FieldError[] {
  const taken = new Set<string>();
  return (containers ?? []).flatMap(({ ports }, index) =>
    (ports ?? []).flatMap(({ hostPort = 0, hostIP = "", protocol = "" }, portIndex) => {
      if (hostPort === 0) return [];
      const text = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(text))
        return [fieldDuplicate(fieldChild(fieldIndex(fieldChild(fieldIndex(path, index), "ports"), portIndex), "hostPort"), text)];
      taken.add(text);
      return [];
    }),
  );
}

/** With host networking, hostPort must equal containerPort; in a template it may be unset. */
export function validateHostNetworkPorts(spec: PodSpec, path: FieldPath, { isPod }: { readonly isPod: boolean }): FieldError[] {
  if (spec.hostNetwork !== true) return [];
  return (spec.containers ?? []).flatMap(({ ports }, index) =>
    (ports ?? []).flatMap(({ hostPort = 0, containerPort }, portIndex) => {
      if (hostPort === containerPort || (!isPod && hostPort === 0)) return [];
      const portPath = fieldIndex(fieldChild(fieldIndex(fieldChild(path, "containers"), index), "ports"), portIndex);
      return [fieldInvalid(fieldChild(portPath, "hostPort"), hostPort, "must match `containerPort` when `hostNetwork` is true")];
    }),
  );
}

function validatePortName(name: string, path: FieldPath, names: Set<string>): FieldError[] {
  if (name === "") return [];
  const problems = checkPortName(name);
  if (problems.length > 0) return problemsOf(path, name, problems);
  if (names.has(name)) return [fieldDuplicate(path, name)];
  names.add(name);
  return [];
}

function validatePortNumbers({ containerPort, hostPort = 0, protocol }: ContainerPort, path: FieldPath): FieldError[] {
  const containerPath = fieldChild(path, "containerPort");
  return [
    ...(containerPort === 0 ? [fieldRequired(containerPath)] : problemsOf(containerPath, containerPort, checkPortNumber(containerPort))),
    ...(hostPort === 0 ? [] : problemsOf(fieldChild(path, "hostPort"), hostPort, checkPortNumber(hostPort))),
    ...validateChoice(protocol, fieldChild(path, "protocol"), protocols),
  ];
}
