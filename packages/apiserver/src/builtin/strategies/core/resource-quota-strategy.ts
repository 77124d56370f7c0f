/** The strategy of ResourceQuota: resource names, quantities, and scopes, which are immutable. */
import type { ResourceQuota, ResourceQuotaSpec, ScopedResourceSelectorRequirement } from "@drover/api/core/v1";
import { compareBytes, fieldInvalid, fieldKey, fieldRequired, getOwn, Quantity } from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath, QuantityValue } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { immutableText } from "../checked-field.ts";
import { invalidName, invalidStruct } from "../named-text.ts";
import { isHugePages, validateResourceAmount, validateResourceName } from "../pod/resource-names.ts";

type Amounts = Readonly<Record<string, QuantityValue>>;

const computed: readonly string[] = ["cpu", "memory", "ephemeral-storage"];
const quotaNames: ReadonlySet<string> = new Set([
  ...computed,
  ...computed.map((name) => `requests.${name}`),
  ...computed.map((name) => `limits.${name}`),
  "requests.storage",
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
]);
const ofPods: readonly string[] = ["pods", "cpu", "memory", "limits.cpu", "limits.memory", "requests.cpu", "requests.memory"];
const ofClaims: readonly string[] = ["persistentvolumeclaims", "requests.storage"];

/** The resources that each scope applies to. */
const scopes: ReadonlyMap<string, readonly string[]> = new Map([
  ["Terminating", ofPods],
  ["NotTerminating", ofPods],
  ["NotBestEffort", ofPods],
  ["PriorityClass", ofPods],
  ["CrossNamespacePodAffinity", ofPods],
  ["BestEffort", ["pods"]],
  ["VolumeAttributesClass", ofClaims],
]);
const valueless: readonly string[] = ["BestEffort", "NotBestEffort", "Terminating", "NotTerminating", "CrossNamespacePodAffinity"];

/** The strategy of ResourceQuota. */
export const resourceQuotaStrategy: Strategy<ResourceQuota> = {
  validate: (quota) => [...validateSpec(quota.spec ?? {}), ...validateStatus(quota)],
  warningsOnCreate: quotaWarnings,
  validateUpdate: (quota, old) => {
    const [now, before] = [quota.spec?.scopes ?? [], old.spec?.scopes ?? []];
    const isSame = new Set(now).size === new Set(before).size && now.every((scope) => before.includes(scope));
    return [...validateSpec(quota.spec ?? {}), ...(isSame ? [] : [fieldInvalid("spec.scopes", quota.spec?.scopes ?? null, immutableText)])];
  },
  subresources: { status: { validateUpdate: (quota) => validateStatus(quota) } },
};

/** Whether a quota may name the resource without a domain prefix. */
function isQuotaName(name: string): boolean {
  return quotaNames.has(name) || isHugePages(name) || name.startsWith("requests.hugepages-");
}

function validateAmounts(amounts: Amounts | undefined, path: FieldPath): FieldError[] {
  return Object.entries(amounts ?? {}).flatMap(([name, value]) => {
    const amountPath = fieldKey(path, name);
    const isKnown = name.includes("/") || isQuotaName(name);
    return [
      ...validateResourceName(name, amountPath),
      ...(isKnown ? [] : [invalidName(amountPath, name, "must be a standard resource for quota")]),
      ...validateResourceAmount(name, Quantity.fromJson(value), amountPath),
    ];
  });
}

function validateSpec(spec: DeepReadonly<ResourceQuotaSpec>): FieldError[] {
  return [
    ...validateAmounts(spec.hard, "spec.hard"),
    ...validateScopes(spec),
    ...(spec.scopeSelector === undefined ? [] : validateScopeSelector(spec)),
  ];
}

function validateStatus({ status }: DeepReadonly<ResourceQuota>): FieldError[] {
  return [...validateAmounts(status?.hard, "status.hard"), ...validateAmounts(status?.used, "status.used")];
}

/** Returns the resources of a quota that a scope does not apply to. */
function misfits(spec: DeepReadonly<ResourceQuotaSpec>, scope: string): string[] {
  const fitting = scopes.get(scope);
  return Object.keys(spec.hard ?? {})
    .toSorted(compareBytes)
    .filter((name) => isQuotaName(name) && fitting?.includes(name) === false);
}

const hasConflict = (names: readonly string[], prefix: string): boolean => names.includes(prefix) && names.includes(`Not${prefix}`);

function validateScopes(spec: DeepReadonly<ResourceQuotaSpec>): FieldError[] {
  const names = spec.scopes ?? [];
  const invalid = (detail: string): FieldError => fieldInvalid("spec.scopes", names, detail);
  return [
    ...names.flatMap((scope) => [
      ...(scopes.has(scope) ? [] : [invalid("unsupported scope")]),
      ...misfits(spec, scope).map(() => invalid("unsupported scope applied to resource")),
    ]),
    ...["BestEffort", "Terminating"].filter((prefix) => hasConflict(names, prefix)).map(() => invalid("conflicting scopes")),
  ];
}

function validateScopeSelector(spec: DeepReadonly<ResourceQuotaSpec>): FieldError[] {
  const path = "spec.scopeSelector.matchExpressions";
  const requirements = spec.scopeSelector?.matchExpressions ?? [];
  const shown = {
    MatchExpressions: requirements.map(({ scopeName, operator, values }) => ({
      ScopeName: scopeName,
      Operator: operator,
      Values: values ?? null,
    })),
  };
  const names = requirements.map(({ scopeName }) => scopeName);
  return [
    ...requirements.flatMap((requirement) => [
      ...(scopes.has(requirement.scopeName) ? [] : [invalidName(`${path}.scopeName`, requirement.scopeName, "unsupported scope")]),
      ...misfits(spec, requirement.scopeName).map(() => invalidStruct(path, shown, "unsupported scope applied to resource")),
      ...validateOperator(requirement, path),
    ]),
    ...["BestEffort", "Terminating"]
      .filter((prefix) => hasConflict(names, prefix))
      .map(() => fieldInvalid(path, spec.scopes ?? null, "conflicting scopes")),
  ];
}

function validateOperator(
  { scopeName, operator, values = [] }: DeepReadonly<ScopedResourceSelectorRequirement>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (valueless.includes(scopeName) && operator !== "Exists") {
    const all =
      "ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
    errors.push(invalidName(`${path}.operator`, operator, `must be 'Exists' when scope is any of ${all}`));
  }
  switch (operator) {
    case "In":
    case "NotIn":
      if (values.length === 0)
        errors.push(fieldRequired(`${path}.values`, "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"));
      return errors;
    case "Exists":
    case "DoesNotExist":
      if (values.length > 0)
        errors.push(
          fieldInvalid(`${path}.values`, values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"),
        );
      return errors;
    default:
      return [...errors, invalidName(`${path}.operator`, operator, "not a valid selector operator")];
  }
}

function quotaWarnings({ spec }: DeepReadonly<ResourceQuota>): string[] {
  const hard: Amounts = spec?.hard ?? {};
  return ["cpu", "memory", "storage", "ephemeral-storage"].flatMap((name) => {
    const hasShortName = name === "cpu" || name === "memory";
    const requestName = Object.hasOwn(hard, `requests.${name}`) || !hasShortName ? `requests.${name}` : name;
    const [request, limit] = [getOwn(hard, requestName), getOwn(hard, `limits.${name}`)];
    if (request === undefined || limit === undefined || Quantity.fromJson(request).compare(Quantity.fromJson(limit)) <= 0) return [];
    return [
      `ResourceQuota ${requestName} (${Quantity.fromJson(request).toString()}) should be less than limits.${name} (${Quantity.fromJson(limit).toString()})`,
    ];
  });
}
