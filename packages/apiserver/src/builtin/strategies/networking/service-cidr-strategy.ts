/** The strategies of ServiceCIDR and IPAddress. */
import type { IPAddress, ParentReference, ServiceCIDR } from "@drover/api/networking/v1";
import { fieldInvalid, fieldRequired, parseCidr, semanticEqual, validateCidr } from "@drover/machinery";
import type { DeepReadonly, FieldError } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { immutableText, validatePathSegment, validateSubdomain } from "../checked-field.ts";
import { invalidStruct } from "../named-text.ts";

const path = "spec.cidrs";

/** The strategy of ServiceCIDR. A second range of the other family may be added later. */
export const serviceCidrStrategy: Strategy<ServiceCIDR> = { validate: validateServiceCidr, validateUpdate: validateServiceCidrUpdate };

/** The strategy of IPAddress. */
export const ipAddressStrategy: Strategy<IPAddress> = {
  validate: validateParent,
  validateUpdate: (address, old) =>
    semanticEqual(address.spec?.parentRef, old.spec?.parentRef)
      ? []
      : [invalidStruct("spec.parentRef", shownParent(address), immutableText)],
};

function validateServiceCidr({ spec }: DeepReadonly<ServiceCIDR>): FieldError[] {
  const cidrs = spec?.cidrs ?? [];
  if (cidrs.length === 0) return [fieldRequired(path, "at least one CIDR required")];
  if (cidrs.length > 2) return [invalidStruct(path, { CIDRs: cidrs }, "may only hold up to 2 values")];
  const errors = cidrs.flatMap((cidr, index) => validateCidr(cidr, `${path}[${index}]`));
  const [first, second] = cidrs.map((cidr) => parseCidr(cidr)?.bits);
  if (first === undefined || first !== second) return errors;
  return [...errors, fieldInvalid(path, cidrs, "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64")];
}

function validateServiceCidrUpdate(object: DeepReadonly<ServiceCIDR>, old: DeepReadonly<ServiceCIDR>): FieldError[] {
  const [now, before] = [object.spec?.cidrs ?? [], old.spec?.cidrs ?? []];
  const changed = before.flatMap((cidr, index) =>
    cidr === now[index] ? [] : [fieldInvalid(`${path}[${index}]`, now[index], immutableText)],
  );
  if (now.length === before.length) return changed;
  if (before.length === 1 && now.length === 2) return [...changed, ...validateServiceCidr(object)];
  return [fieldInvalid(path, object.spec?.cidrs ?? null, immutableText)];
}

/** Prints the parent with empty fields omitted, even required ones. */
function parentOf({
  group = "",
  resource = "",
  namespace = "",
  name = "",
}: Partial<DeepReadonly<ParentReference>>): Required<ParentReference> {
  return { group, resource, namespace, name };
}

function validateParent({ spec }: DeepReadonly<IPAddress>): FieldError[] {
  if (spec?.parentRef === undefined) return [fieldRequired("spec.parentRef")];
  const { group, resource, name, namespace } = parentOf(spec.parentRef);
  return [
    ...(group === "" ? [] : validateSubdomain(group, "spec.parentRef.group")),
    ...(resource === "" ? [fieldRequired("spec.parentRef.resource")] : validatePathSegment(resource, "spec.parentRef.resource")),
    ...(name === "" ? [fieldRequired("spec.parentRef.name")] : validatePathSegment(name, "spec.parentRef.name")),
    ...(namespace === "" ? [] : validatePathSegment(namespace, "spec.parentRef.namespace")),
  ];
}

function shownParent({ spec }: DeepReadonly<IPAddress>): object | null {
  if (spec?.parentRef === undefined) return null;
  const { group, resource, namespace, name } = parentOf(spec.parentRef);
  return { Group: group, Resource: resource, Namespace: namespace, Name: name };
}
