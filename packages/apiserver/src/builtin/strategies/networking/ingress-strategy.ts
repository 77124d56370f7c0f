/** The strategy of Ingress: rules with hosts, paths and backends. */
import type { HTTPIngressPath, Ingress, IngressBackend, IngressRule, IngressSpec, IngressTLS } from "@drover/api/networking/v1";
import {
  checkDns1123Subdomain,
  checkLabelName,
  checkPortName,
  checkPortNumber,
  checkSubdomainName,
  checkWildcardDns1123Subdomain,
  fieldInvalid,
  fieldRequired,
  getOwn,
  ipWarnings,
  parseIpAddress,
} from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { problemsOf, validatePathSegment, validateRequiredText, validateSubdomain } from "../checked-field.ts";
import { validateLoadBalancerIngress } from "../load-balancer-status.ts";
import { unsupportedName } from "../named-text.ts";

const classAnnotation = "kubernetes.io/ingress.class";

/** Invalid values that an update may keep. */
interface Allowances {
  readonly badSecretName: boolean;
  readonly badWildcardRule: boolean;
}

const strict: Allowances = { badSecretName: false, badWildcardRule: false };

/** The strategy of Ingress. */
export const ingressStrategy: Strategy<Ingress> = {
  validate: (ingress) => [...validateSpec(ingress.spec ?? {}, strict), ...validateClassAnnotation(ingress)],
  warningsOnCreate: ({ metadata, spec }) => {
    const isOld = Object.hasOwn(metadata.annotations ?? {}, classAnnotation) && spec?.ingressClassName === undefined;
    return isOld ? [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`] : [];
  },
  validateUpdate: (ingress, old) => validateSpec(ingress.spec ?? {}, allowancesOf(old)),
  subresources: {
    status: {
      validateUpdate: ({ status }, old) =>
        validateLoadBalancerIngress(
          status?.loadBalancer?.ingress ?? [],
          old.status?.loadBalancer?.ingress ?? [],
          "status.loadBalancer.ingress",
        ),
      warningsOnUpdate: ({ status }) =>
        (status?.loadBalancer?.ingress ?? []).flatMap(({ ip = "" }, index) =>
          ip === "" ? [] : ipWarnings(ip, `status.loadBalancer.ingress[${index}]`),
        ),
    },
  },
};

function allowancesOf({ spec }: DeepReadonly<Ingress>): Allowances {
  return {
    badSecretName: (spec?.tls ?? []).some(({ secretName = "" }) => secretName !== "" && checkSubdomainName(secretName).length > 0),
    badWildcardRule: (spec?.rules ?? []).some((rule) => rule.host?.includes("*") === true && validatePaths(rule, "").length > 0),
  };
}

function validateClassAnnotation({ metadata, spec }: DeepReadonly<Ingress>): FieldError[] {
  const value = getOwn(metadata.annotations ?? {}, classAnnotation);
  if (value === undefined || spec?.ingressClassName === undefined || value === spec.ingressClassName) return [];
  return [fieldInvalid(`annotations.${classAnnotation}`, value, "must match `ingressClassName` when both are specified")];
}

function validateSpec(spec: DeepReadonly<IngressSpec>, allowed: Allowances): FieldError[] {
  const { rules = [], tls = [], defaultBackend, ingressClassName } = spec;
  return [
    ...(rules.length === 0 && defaultBackend === undefined
      ? [fieldInvalid("spec", spec.rules ?? null, "either `defaultBackend` or `rules` must be specified")]
      : []),
    ...(defaultBackend === undefined ? [] : validateBackend(defaultBackend, "spec.defaultBackend")),
    ...rules.flatMap((rule, index) => validateRule(rule, `spec.rules[${index}]`, allowed)),
    ...tls.flatMap((item, index) => validateTls(item, `spec.tls[${index}]`, allowed)),
    ...(ingressClassName === undefined ? [] : validateSubdomain(ingressClassName, "spec.ingressClassName")),
  ];
}

function validateRule(rule: DeepReadonly<IngressRule>, path: FieldPath, allowed: Allowances): FieldError[] {
  const { host = "" } = rule;
  const isWildcard = host.includes("*");
  const hostErrors =
    host === ""
      ? []
      : [
          ...(parseIpAddress(host) === undefined ? [] : [fieldInvalid(`${path}.host`, host, "must be a DNS name, not an IP address")]),
          ...problemsOf(`${path}.host`, host, checkHost(host)),
        ];
  return isWildcard && allowed.badWildcardRule ? hostErrors : [...hostErrors, ...validatePaths(rule, path)];
}

function checkHost(host: string): string[] {
  return host.includes("*") ? checkWildcardDns1123Subdomain(host) : checkDns1123Subdomain(host);
}

function validatePaths({ http }: DeepReadonly<IngressRule>, path: FieldPath): FieldError[] {
  if (http === undefined) return [];
  const paths = http.paths ?? [];
  const errors = paths.length === 0 ? [fieldRequired(`${path}.http.paths`)] : [];
  return [...errors, ...paths.flatMap((item, index) => validatePath(item, `${path}.http.paths[${index}]`))];
}

function validatePath({ path: text = "", pathType, backend }: DeepReadonly<HTTPIngressPath>, path: FieldPath): FieldError[] {
  if (pathType === undefined || pathType === null) return [fieldRequired(`${path}.pathType`, "pathType must be specified")];
  const types = ["Exact", "ImplementationSpecific", "Prefix"];
  const errors = types.includes(pathType)
    ? problemsOf(`${path}.path`, text, checkPath(text, pathType))
    : [unsupportedName(`${path}.pathType`, pathType, types)];
  return [...errors, ...validateBackend(backend, `${path}.backend`)];
}

function checkPath(text: string, pathType: string): string[] {
  const isFree = pathType === "ImplementationSpecific";
  if (isFree && text === "") return [];
  const problems = text.startsWith("/") ? [] : ["must be an absolute path"];
  if (isFree) return problems;
  return [
    ...problems,
    ...["//", "/./", "/../", "%2f", "%2F"].filter((part) => text.includes(part)).map((part) => `must not contain '${part}'`),
    ...["/..", "/."].filter((end) => text.endsWith(end)).map((end) => `cannot end with '${end}'`),
  ];
}

function validateBackend({ resource, service }: DeepReadonly<IngressBackend>, path: FieldPath): FieldError[] {
  if (resource !== undefined && service !== undefined) return [fieldInvalid(path, "", "cannot set both resource and service backends")];
  if (resource !== undefined) {
    // The codec writes null for none.
    const apiGroup = resource.apiGroup ?? undefined;
    return [
      ...(apiGroup === undefined ? [] : validateSubdomain(apiGroup, `${path}.resource.apiGroup`)),
      ...validateSegment(resource.kind, `${path}.resource.kind`),
      ...validateSegment(resource.name, `${path}.resource.name`),
    ];
  }
  if (service === undefined) return [fieldInvalid(path, "", "resource or service backend is required")];
  const { name = "", number = 0 } = service.port ?? {};
  const errors = validateRequiredText(service.name, `${path}.service.name`, checkLabelName);
  if (name !== "" && number !== 0) return [...errors, fieldInvalid(path, "", "cannot set both port name & port number")];
  if (name !== "") return [...errors, ...problemsOf(`${path}.service.port.name`, name, checkPortName(name))];
  return number === 0
    ? [...errors, fieldRequired(path, "port name or number is required")]
    : [...errors, ...problemsOf(`${path}.service.port.number`, number, checkPortNumber(number))];
}

/** A required name that must be a valid path segment. */
function validateSegment(value: string, path: FieldPath): FieldError[] {
  return value === "" ? [fieldRequired(path)] : validatePathSegment(value, path);
}

function validateTls({ hosts = [], secretName = "" }: DeepReadonly<IngressTLS>, path: FieldPath, allowed: Allowances): FieldError[] {
  return [
    ...hosts.flatMap((host, index) => problemsOf(`${path}.hosts[${index}]`, host, checkHost(host))),
    ...(secretName === "" || allowed.badSecretName ? [] : validateSubdomain(secretName, `${path}.secretName`)),
  ];
}
