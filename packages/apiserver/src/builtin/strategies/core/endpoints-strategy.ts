/** The strategy of Endpoints. */
import type { EndpointAddress, EndpointPort, Endpoints } from "@drover/api/core/v1";
import { checkPortNumber, checkSubdomainName, fieldRequired, getOwn, ipWarnings, semanticEqual, validateLegacyIp } from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { problemsOf, protocols, validateChoice, validateLabelText, validateQualifiedName } from "../checked-field.ts";
import { validateEndpointAddress } from "../endpoint-address.ts";

/** The strategy of Endpoints. */
export const endpointsStrategy: Strategy<Endpoints> = {
  validate: validateEndpoints,
  warningsOnCreate: endpointsWarnings,
  // Stored subsets may violate newer rules.
  validateUpdate: (endpoints, old) => (semanticEqual(endpoints.subsets, old.subsets) ? [] : validateEndpoints(endpoints)),
  warningsOnUpdate: endpointsWarnings,
};

function validateEndpoints({ subsets }: DeepReadonly<Endpoints>): FieldError[] {
  return (subsets ?? []).flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }, index) => {
    const path = `subsets[${index}]`;
    return [
      ...(addresses.length + notReadyAddresses.length === 0
        ? [fieldRequired(path, "must specify `addresses` or `notReadyAddresses`")]
        : []),
      ...addresses.flatMap((address, place) => validateAddress(address, `${path}.addresses[${place}]`)),
      ...notReadyAddresses.flatMap((address, place) => validateAddress(address, `${path}.notReadyAddresses[${place}]`)),
      ...ports.flatMap((port, place) => validatePort(port, ports.length > 1, `${path}.ports[${place}]`)),
    ];
  });
}

function validateAddress({ ip, hostname = "", nodeName }: DeepReadonly<EndpointAddress>, path: FieldPath): FieldError[] {
  return [
    ...validateLegacyIp(ip, `${path}.ip`),
    ...(hostname === "" ? [] : validateLabelText(hostname, `${path}.hostname`)),
    ...(nodeName === undefined ? [] : problemsOf(`${path}.nodeName`, nodeName, checkSubdomainName(nodeName))),
    ...validateEndpointAddress(ip, `${path}.ip`),
  ];
}

function validatePort(
  { name = "", port, protocol, appProtocol }: DeepReadonly<EndpointPort>,
  needsName: boolean,
  path: FieldPath,
): FieldError[] {
  return [
    ...(name === "" ? (needsName ? [fieldRequired(`${path}.name`)] : []) : validateLabelText(name, `${path}.name`)),
    ...problemsOf(`${path}.port`, port, checkPortNumber(port)),
    ...validateChoice(protocol, `${path}.protocol`, protocols),
    ...(appProtocol === undefined ? [] : validateQualifiedName(appProtocol, `${path}.appProtocol`)),
  ];
}

/** Endpoints of the endpoints controller get no deprecation warning. */
function endpointsWarnings({ metadata, subsets }: DeepReadonly<Endpoints>): string[] {
  if (getOwn(metadata.labels ?? {}, "endpoints.kubernetes.io/managed-by") === "endpoint-controller") return [];
  return (subsets ?? []).flatMap((subset, index) =>
    (["addresses", "notReadyAddresses"] as const).flatMap((list) =>
      (subset[list] ?? []).flatMap(({ ip }, place) => ipWarnings(ip, `subsets[${index}].${list}[${place}].ip`)),
    ),
  );
}
