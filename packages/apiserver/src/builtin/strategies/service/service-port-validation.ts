/** Validates the ports of a Service. */
import type { ServicePort } from "@drover/api/core/v1";
import { checkPortNumber, fieldDuplicate, fieldForbidden, fieldRequired } from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath } from "@drover/machinery";
import { problemsOf, protocols, validateChoice, validateLabelText, validatePort, validateQualifiedName } from "../checked-field.ts";
import { structText } from "../named-text.ts";
import { specOf } from "./service-shape.ts";
import type { ServiceView } from "./service-shape.ts";

const path = "spec.ports";

/** Validates each port, and that names are unique. */
export function validateServicePorts(service: ServiceView): FieldError[] {
  const { ports = [] } = specOf(service);
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const errors = [
      ...validateName(port, ports.length > 1, names, `${path}[${index}].name`),
      ...validateServicePort(port, `${path}[${index}]`),
    ];
    names.add(port.name ?? "");
    return errors;
  });
}

function validateName(
  { name = "" }: DeepReadonly<ServicePort>,
  isRequired: boolean,
  names: ReadonlySet<string>,
  namePath: FieldPath,
): FieldError[] {
  if (name === "") return isRequired ? [fieldRequired(namePath)] : [];
  return [...validateLabelText(name, namePath), ...(names.has(name) ? [fieldDuplicate(namePath, name)] : [])];
}

function validateServicePort(
  { port, protocol, targetPort = 0, appProtocol }: DeepReadonly<ServicePort>,
  portPath: FieldPath,
): FieldError[] {
  return [
    ...problemsOf(`${portPath}.port`, port, checkPortNumber(port)),
    ...validateChoice(protocol, `${portPath}.protocol`, protocols),
    ...validatePort(targetPort, `${portPath}.targetPort`),
    ...(appProtocol === undefined ? [] : validateQualifiedName(appProtocol, `${portPath}.appProtocol`)),
  ];
}

/** Validates ports together: node ports only where allowed, and no duplicates. */
export function validatePortsTogether(service: ServiceView): FieldError[] {
  const { ports = [], type } = specOf(service);
  const errors: FieldError[] = [];
  ports.forEach(({ nodePort = 0 }, index) => {
    if (type === "ClusterIP" && nodePort !== 0)
      errors.push(fieldForbidden(`${path}[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'"));
  });
  const nodePorts = new Set<string>();
  ports.forEach(({ protocol = "", nodePort = 0 }, index) => {
    if (nodePort === 0) return;
    const key = `${protocol}/${nodePort}`;
    if (nodePorts.has(key)) errors.push(fieldDuplicate(`${path}[${index}].nodePort`, nodePort));
    nodePorts.add(key);
  });
  const seen = new Set<string>();
  ports.forEach(({ protocol = "", port }, index) => {
    const key = `${protocol}/${port}`;
    const fields = { Name: "", Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
    if (seen.has(key)) errors.push({ ...fieldDuplicate(`${path}[${index}]`, fields), valueText: structText(fields) });
    seen.add(key);
  });
  return errors;
}
