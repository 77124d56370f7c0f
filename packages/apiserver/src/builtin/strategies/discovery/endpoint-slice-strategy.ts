/** The strategy of EndpointSlice: a limited number of endpoints of one address type, which is immutable. */
import type { Endpoint, EndpointHints, EndpointPort, EndpointSlice } from "@drover/api/discovery/v1";
import {
  checkLabelValue,
  checkSubdomainName,
  fieldDuplicate,
  fieldInvalid,
  fieldRequired,
  fieldTooMany,
  getOwn,
  ipWarnings,
  isIpv4,
  parseIpAddress,
  semanticEqual,
  validateFullyQualifiedDomainName,
  validateIp,
  validateLabels,
  validateLegacyIp,
} from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { immutableText, problemsOf, protocols, validateChoice, validateLabelText, validateQualifiedName } from "../checked-field.ts";
import { validateEndpointAddress } from "../endpoint-address.ts";
import { invalidName } from "../named-text.ts";

type Slice = DeepReadonly<EndpointSlice>;

const controllers: readonly string[] = ["endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io"];

/** The strategy of EndpointSlice. */
export const endpointSliceStrategy: Strategy<EndpointSlice> = {
  prepareForCreate: (slice) => dropTopology(slice),
  validate: (slice) => validateSlice(slice),
  warningsOnCreate: (slice) => [
    ...(slice.addressType === "FQDN" ? ["spec.addressType: FQDN endpoints are deprecated"] : []),
    ...addressWarnings(slice),
  ],
  prepareForUpdate: (slice, old) => {
    if (!semanticEqual(slice.endpoints, old.endpoints)) dropTopology(slice, old);
  },
  validateUpdate: (slice, old) => [
    ...validateSlice(slice, old),
    ...(slice.addressType === old.addressType ? [] : [invalidName("addressType", slice.addressType, immutableText)]),
  ],
  warningsOnUpdate: addressWarnings,
};

/** Drops the deprecated topology; its host name moves to nodeName. */
function dropTopology(slice: EndpointSlice, old?: Slice): void {
  const hostname = "kubernetes.io/hostname";
  const known = new Set((old?.endpoints ?? []).flatMap(({ deprecatedTopology }) => getOwn(deprecatedTopology ?? {}, hostname) ?? []));
  for (const endpoint of slice.endpoints ?? []) {
    const node = getOwn(endpoint.deprecatedTopology ?? {}, hostname);
    if (endpoint.nodeName === undefined && node !== undefined && known.has(node) && checkSubdomainName(node).length === 0)
      endpoint.nodeName = node;
    delete endpoint.deprecatedTopology;
  }
}

function validateSlice(slice: Slice, old?: Slice): FieldError[] {
  const { addressType, ports = [], endpoints } = slice;
  const isUnchanged = old !== undefined && semanticEqual(endpoints, old.endpoints);
  return [
    ...validateChoice(addressType, "addressType", ["FQDN", "IPv4", "IPv6"]),
    ...validatePorts(ports ?? []),
    ...(isUnchanged ? [] : validateEndpoints(endpoints ?? [], addressType)),
  ];
}

function validatePorts(ports: readonly DeepReadonly<EndpointPort>[]): FieldError[] {
  if (ports.length > 20000) return [fieldTooMany("ports", ports.length, 20000)];
  const names = new Set<string>();
  return ports.flatMap(({ name = "", protocol, appProtocol }, index) => {
    const path = `ports[${index}]`;
    const errors = [
      ...(name === "" ? [] : validateLabelText(name, `${path}.name`)),
      ...(names.has(name) ? [fieldDuplicate(`${path}.name`, name)] : []),
      ...validateChoice(protocol, `${path}.protocol`, protocols),
      ...(appProtocol === undefined ? [] : validateQualifiedName(appProtocol, `${path}.appProtocol`)),
    ];
    names.add(name);
    return errors;
  });
}

function validateEndpoints(endpoints: readonly DeepReadonly<Endpoint>[], addressType: string): FieldError[] {
  if (endpoints.length > 1000) return [fieldTooMany("endpoints", endpoints.length, 1000)];
  return endpoints.flatMap((endpoint, index) => validateEndpoint(endpoint, addressType, `endpoints[${index}]`));
}

function validateEndpoint(
  { addresses, nodeName, deprecatedTopology, hostname, hints }: DeepReadonly<Endpoint>,
  addressType: string,
  path: FieldPath,
): FieldError[] {
  const all = addresses ?? [];
  const topology = Object.keys(deprecatedTopology ?? {}).length;
  return [
    ...(all.length === 0 ? [fieldRequired(`${path}.addresses`, "must contain at least 1 address")] : []),
    ...(all.length > 100 ? [fieldTooMany(`${path}.addresses`, all.length, 100)] : []),
    ...all.flatMap((address, index) => validateAddress(address, addressType, `${path}.addresses`, index)),
    ...(nodeName === undefined ? [] : problemsOf(`${path}.nodeName`, nodeName, checkSubdomainName(nodeName))),
    ...(topology > 16 ? [fieldTooMany(`${path}.deprecatedTopology`, topology, 16)] : []),
    ...validateLabels(deprecatedTopology, `${path}.deprecatedTopology`),
    ...(hostname === undefined ? [] : validateLabelText(hostname, `${path}.hostname`)),
    ...(hints === undefined ? [] : validateHints(hints, `${path}.hints`)),
  ];
}

function validateAddress(address: string, addressType: string, path: FieldPath, index: number): FieldError[] {
  const addressPath = `${path}[${index}]`;
  if (addressType === "FQDN") return validateFullyQualifiedDomainName(address, addressPath);
  if (addressType !== "IPv4" && addressType !== "IPv6") return [];
  const errors = addressType === "IPv4" ? validateLegacyIp(address, addressPath) : validateIp(address, addressPath);
  if (errors.length > 0) return errors;
  const parsed = parseIpAddress(address);
  const isRight = parsed !== undefined && isIpv4(parsed) === (addressType === "IPv4");
  return [
    ...(isRight ? [] : [fieldInvalid(path, address, `must be an ${addressType} address`)]),
    ...validateEndpointAddress(address, addressPath),
  ];
}

function validateHints({ forZones = [], forNodes = [] }: DeepReadonly<EndpointHints>, path: FieldPath): FieldError[] {
  const list = (items: readonly { readonly name: string }[], listPath: FieldPath, check: (name: string) => string[]): FieldError[] =>
    items.flatMap(({ name }, index) => [
      ...(items.findIndex((item) => item.name === name) < index ? [fieldDuplicate(`${listPath}[${index}].name`, name)] : []),
      ...problemsOf(`${listPath}[${index}].name`, name, check(name)),
    ]);
  if (forZones.length > 8) return [fieldTooMany(`${path}.forZones`, forZones.length, 8)];
  const zones = list(forZones, `${path}.forZones`, checkLabelValue);
  return forNodes.length > 8
    ? [...zones, fieldTooMany(`${path}.forNodes`, forNodes.length, 8)]
    : [...zones, ...list(forNodes, `${path}.forNodes`, checkSubdomainName)];
}

function addressWarnings({ metadata, endpoints }: Slice): string[] {
  if (controllers.includes(getOwn(metadata.labels ?? {}, "endpointslice.kubernetes.io/managed-by") ?? "")) return [];
  return (endpoints ?? []).flatMap(({ addresses }, index) =>
    (addresses ?? []).flatMap((address, place) => ipWarnings(address, `endpoints[${index}].addresses[${place}]`)),
  );
}
