/** The strategy of IngressClass: immutable controller, and parameters. */
import type { IngressClass, IngressClassParametersReference } from "@drover/api/networking/v1";
import {
  byteLength,
  checkLabelName,
  fieldForbidden,
  fieldNotSupported,
  fieldRequired,
  fieldTooLong,
  validateDomainPrefixedPath,
} from "@drover/machinery";
import type { DeepReadonly, FieldError } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { problemsOf, validateImmutable, validatePathSegment, validateSubdomain } from "../checked-field.ts";

/** The strategy of IngressClass. */
export const ingressClassStrategy: Strategy<IngressClass> = {
  validate: validateIngressClass,
  validateUpdate: (object, old) => [
    ...validateImmutable(object.spec?.controller ?? "", old.spec?.controller ?? "", "spec.controller"),
    ...validateIngressClass(object),
  ],
};

function validateIngressClass({ spec }: DeepReadonly<IngressClass>): FieldError[] {
  const { controller = "", parameters } = spec ?? {};
  return [
    ...(byteLength(controller) > 250 ? [fieldTooLong("spec.controller", 250)] : []),
    ...validateDomainPrefixedPath(controller, "spec.controller"),
    ...(parameters === undefined ? [] : validateParameters(parameters)),
  ];
}

function validateParameters({ apiGroup, kind, name, namespace, scope }: DeepReadonly<IngressClassParametersReference>): FieldError[] {
  const path = "spec.parameters";
  const errors = [
    ...(apiGroup === undefined ? [] : validateSubdomain(apiGroup, `${path}.apiGroup`)),
    ...(kind === "" ? [fieldRequired(`${path}.kind`)] : validatePathSegment(kind, `${path}.kind`)),
    ...(name === "" ? [fieldRequired(`${path}.name`)] : validatePathSegment(name, `${path}.name`)),
  ];
  if (scope === undefined) return [...errors, fieldRequired(`${path}.scope`)];
  if (scope !== "Cluster" && scope !== "Namespace") return [...errors, fieldNotSupported(`${path}.scope`, scope, ["Cluster", "Namespace"])];
  if (scope === "Cluster")
    return namespace === undefined ? errors : [...errors, fieldForbidden(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'")];
  if (namespace === undefined) return [...errors, fieldRequired(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'")];
  return [...errors, ...problemsOf(`${path}.namespace`, namespace, checkLabelName(namespace))];
}
