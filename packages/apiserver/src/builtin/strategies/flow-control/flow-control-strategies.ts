/** The strategies of FlowSchema and PriorityLevelConfiguration. Mandatory objects are not compared with their fixed specs. */
import type {
  FlowSchema,
  LimitResponse,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
  ResourcePolicyRule,
  Subject,
} from "@drover/api/flowcontrol/v1";
import {
  checkLabelName,
  checkSubdomainName,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
} from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { problemsOf } from "../checked-field.ts";
import { invalidName, unsupportedName } from "../named-text.ts";
import { repeatsIn } from "../repeats.ts";

const verbs: readonly string[] = ["create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"];

/** The strategy of FlowSchema. */
export const flowSchemaStrategy: Strategy<FlowSchema> = {
  validate: validateFlowSchema,
  validateUpdate: (schema) => validateFlowSchema(schema),
  subresources: { status: { validateUpdate: ({ status }) => validateConditions(status?.conditions ?? []) } },
};

/** The strategy of PriorityLevelConfiguration. */
export const priorityLevelConfigurationStrategy: Strategy<PriorityLevelConfiguration> = {
  validate: validateLevel,
  validateUpdate: (level) => validateLevel(level),
  subresources: { status: { validateUpdate: ({ status }) => validateConditions(status?.conditions ?? []) } },
};

function validateFlowSchema({ metadata, spec, status }: DeepReadonly<FlowSchema>): FieldError[] {
  const precedence = spec?.matchingPrecedence ?? 0;
  const path = "spec.matchingPrecedence";
  const level = spec?.priorityLevelConfiguration.name ?? "";
  const method = spec?.distinguisherMethod;
  return [
    ...(precedence <= 0 ? [fieldInvalid(path, precedence, "must be a positive value")] : []),
    ...(precedence > 10000 ? [fieldInvalid(path, precedence, "must not be greater than 10000")] : []),
    ...(precedence === 1 && metadata.name !== "exempt"
      ? [fieldInvalid(path, precedence, "only the schema named 'exempt' may have matchingPrecedence 1")]
      : []),
    ...(method === undefined || ["ByNamespace", "ByUser"].includes(method.type)
      ? []
      : [fieldNotSupported("spec.distinguisherMethod.type", { Type: method.type }, ["ByNamespace", "ByUser"])]),
    ...(level === ""
      ? [fieldRequired("spec.priorityLevelConfiguration.name", "must reference a priority level")]
      : problemsOf("spec.priorityLevelConfiguration.name", level, checkSubdomainName(level))),
    ...(spec?.rules ?? []).flatMap((rule, index) => validateRule(rule, `spec.rules[${index}]`)),
    ...validateConditions(status?.conditions ?? []),
  ];
}

function validateRule(
  { subjects, resourceRules = [], nonResourceRules = [] }: DeepReadonly<PolicyRulesWithSubjects>,
  path: FieldPath,
): FieldError[] {
  const all = subjects ?? [];
  return [
    ...(all.length === 0
      ? [fieldRequired(`${path}.subjects`, "subjects must contain at least one value")]
      : all.flatMap((subject, index) => validateSubject(subject, `${path}.subjects[${index}]`))),
    ...(resourceRules.length + nonResourceRules.length === 0
      ? [fieldRequired(path, "at least one of resourceRules and nonResourceRules has to be non-empty")]
      : []),
    ...resourceRules.flatMap((rule, index) => validateResourceRule(rule, `${path}.resourceRules[${index}]`)),
    ...nonResourceRules.flatMap((rule, index) => validateNonResourceRule(rule, `${path}.nonResourceRules[${index}]`)),
  ];
}

const subjectFields: ReadonlyMap<string, "serviceAccount" | "user" | "group"> = new Map([
  ["ServiceAccount", "serviceAccount"],
  ["User", "user"],
  ["Group", "group"],
]);

function validateSubject(subject: DeepReadonly<Subject>, path: FieldPath): FieldError[] {
  const field = subjectFields.get(subject.kind);
  if (field === undefined) return [unsupportedName(`${path}.kind`, subject.kind, ["Group", "ServiceAccount", "User"])];
  const others = [...subjectFields].filter(([, other]) => other !== field && subject[other] !== undefined);
  const named = subject[field];
  const errors =
    named === undefined ? [fieldRequired(`${path}.${field}`, `${field} is required when subject kind is '${subject.kind}'`)] : [];
  if (named !== undefined && named.name === "") errors.push(fieldRequired(`${path}.${field}.name`));
  if (subject.kind === "ServiceAccount" && subject.serviceAccount !== undefined)
    errors.push(...validateAccount(subject.serviceAccount, `${path}.serviceAccount`));
  return [
    ...errors,
    ...others.map(([kind, other]) => fieldForbidden(`${path}.${other}`, `${other} is forbidden when subject kind is not '${kind}'`)),
  ];
}

function validateAccount({ name, namespace }: { readonly name: string; readonly namespace: string }, path: FieldPath): FieldError[] {
  return [
    ...(name === "" || name === "*" ? [] : problemsOf(`${path}.name`, name, checkSubdomainName(name))),
    ...(namespace === ""
      ? [fieldRequired(`${path}.namespace`, "must specify namespace for service account")]
      : problemsOf(`${path}.namespace`, namespace, checkLabelName(namespace))),
  ];
}

function validateVerbs(values: readonly string[], path: FieldPath): FieldError[] {
  if (values.length === 0) return [fieldRequired(path, "verbs must contain at least one value")];
  if (values.includes("*")) return values.length > 1 ? [fieldInvalid(path, values, "if '*' is present, must not specify other verbs")] : [];
  return values.every((verb) => verbs.includes(verb)) ? [] : [fieldNotSupported(path, values, verbs)];
}

function validateList(values: readonly string[], path: FieldPath, missing: string, noun: string): FieldError[] {
  if (values.length === 0) return [fieldRequired(path, missing)];
  return values.length > 1 && values.includes("*") ? [fieldInvalid(path, values, `if '*' is present, must not specify other ${noun}`)] : [];
}

function validateResourceRule(rule: DeepReadonly<ResourcePolicyRule>, path: FieldPath): FieldError[] {
  const namespaces = rule.namespaces ?? [];
  const isAnywhere = namespaces.includes("*");
  const needed = "resource rules that are not cluster scoped must supply at least one namespace";
  const namespaceErrors =
    namespaces.length === 0 && rule.clusterScope === true ? [] : validateList(namespaces, `${path}.namespaces`, needed, "namespaces");
  return [
    ...validateVerbs(rule.verbs ?? [], `${path}.verbs`),
    ...validateList(rule.apiGroups ?? [], `${path}.apiGroups`, "resource rules must supply at least one api group", "api groups"),
    ...validateList(rule.resources ?? [], `${path}.resources`, "resource rules must supply at least one resource", "resources"),
    ...namespaceErrors,
    ...(isAnywhere
      ? []
      : namespaces.flatMap((namespace, index) =>
          problemsOf(
            `${path}.namespaces[${index}]`,
            namespace,
            checkLabelName(namespace).map((problem) => `each member of this list must be '*' or a DNS-1123 label; ${problem}`),
          ),
        )),
  ];
}

function validateNonResourceRule(rule: DeepReadonly<NonResourcePolicyRule>, path: FieldPath): FieldError[] {
  const urls = rule.nonResourceURLs ?? [];
  const listErrors = validateList(urls, `${path}.nonResourceURLs`, "nonResourceURLs must contain at least one value", "non-resource URLs");
  return [
    ...validateVerbs(rule.verbs ?? [], `${path}.verbs`),
    ...listErrors,
    ...(urls.includes("*") ? [] : urls.flatMap((url, index) => problemsOf(`${path}.nonResourceURLs[${index}]`, url, checkUrl(url)))),
  ];
}

/** Returns the first problem of a path. */
function checkUrl(url: string): string[] {
  if (url === "") return ["must not be empty"];
  if (url === "/") return [];
  if (!url.startsWith("/")) return ["must start with slash"];
  if (url.includes(" ")) return ["must not contain white-space"];
  if (url.includes("//")) return ["must not contain double slash"];
  return url.slice(0, -1).includes("*") || (url.endsWith("*") && !url.endsWith("/*")) ? ["wildcard can only do suffix matching"] : [];
}

function validateConditions(conditions: readonly { readonly type?: string }[]): FieldError[] {
  const repeats = repeatsIn(conditions.map(({ type = "" }) => type));
  return conditions.flatMap(({ type = "" }, index) => [
    ...(repeats.has(index) ? [fieldDuplicate(`status.conditions[${index}].type`, type)] : []),
    ...(type === "" ? [fieldRequired(`status.conditions[${index}].type`)] : []),
  ]);
}

function validateLevel({ metadata, spec, status }: DeepReadonly<PriorityLevelConfiguration>): FieldError[] {
  const type = spec?.type ?? "";
  const isExempt = metadata.name === "exempt";
  return [
    ...(isExempt === (type === "Exempt") ? [] : [invalidName("spec.type", type, "must be 'Exempt' if and only if `name` is 'exempt'")]),
    ...(spec === undefined ? [] : validateLevelSpec(spec)),
    ...validateConditions(status?.conditions ?? []),
  ];
}

function validateLevelSpec(spec: DeepReadonly<PriorityLevelConfigurationSpec>): FieldError[] {
  const { limited, exempt } = spec;
  const type: string = spec.type;
  if (type === "Exempt")
    return [
      ...(limited === undefined ? [] : [fieldForbidden("spec.limited", "must be nil if the type is not Limited")]),
      ...validateShares(exempt, "spec.exempt"),
    ];
  if (type !== "Limited") return [type === "" ? fieldRequired("spec.type") : unsupportedName("spec.type", type, ["Exempt", "Limited"])];
  const errors = exempt === undefined ? [] : [fieldForbidden("spec.exempt", "must be nil if the type is Limited")];
  if (limited === undefined) return [...errors, fieldRequired("spec.limited", "must not be empty when type is Limited")];
  const [shares, lendable] = [
    validateShares({ nominalConcurrencyShares: limited.nominalConcurrencyShares ?? 0 }, "spec.limited"),
    validateShares({ lendablePercent: limited.lendablePercent ?? 0 }, "spec.limited"),
  ];
  const borrowing =
    (limited.borrowingLimitPercent ?? 0) < 0
      ? [fieldInvalid("spec.limited.borrowingLimitPercent", limited.borrowingLimitPercent, "if specified, must be a non-negative integer")]
      : [];
  return [
    ...errors,
    ...shares,
    ...(limited.limitResponse === undefined ? [] : validateLimitResponse(limited.limitResponse, "spec.limited.limitResponse")),
    ...lendable,
    ...borrowing,
  ];
}

function validateShares(
  config: { readonly nominalConcurrencyShares?: number; readonly lendablePercent?: number } | undefined,
  path: FieldPath,
): FieldError[] {
  const { nominalConcurrencyShares: shares = 0, lendablePercent: percent = 0 } = config ?? {};
  return [
    ...(shares < 0 ? [fieldInvalid(`${path}.nominalConcurrencyShares`, shares, "must be a non-negative integer")] : []),
    ...(percent < 0 || percent > 100 ? [fieldInvalid(`${path}.lendablePercent`, percent, "must be between 0 and 100, inclusive")] : []),
  ];
}

function validateLimitResponse({ type: name, queuing }: DeepReadonly<LimitResponse>, path: FieldPath): FieldError[] {
  const type: string = name;
  if (type === "Reject")
    return queuing === undefined ? [] : [fieldForbidden(`${path}.queuing`, "must be nil if limited.limitResponse.type is not Limited")];
  if (type !== "Queue") return [type === "" ? fieldRequired(`${path}.type`) : unsupportedName(`${path}.type`, type, ["Queue", "Reject"])];
  return queuing === undefined
    ? [fieldRequired(`${path}.queuing`, "must not be empty if limited.limitResponse.type is Limited")]
    : validateQueuing(queuing, `${path}.queuing`);
}

function validateQueuing(
  { queueLengthLimit = 0, queues = 0, handSize = 0 }: DeepReadonly<QueuingConfiguration>,
  path: FieldPath,
): FieldError[] {
  const errors = queueLengthLimit <= 0 ? [fieldInvalid(`${path}.queueLengthLimit`, queueLengthLimit, "must be positive")] : [];
  if (queues <= 0) errors.push(fieldInvalid(`${path}.queues`, queues, "must be positive"));
  else if (queues > 10_000_000) errors.push(fieldInvalid(`${path}.queues`, queues, "must not be greater than 10000000"));
  if (handSize <= 0) errors.push(fieldInvalid(`${path}.handSize`, handSize, "must be positive"));
  else if (handSize > queues) errors.push(fieldInvalid(`${path}.handSize`, handSize, `should not be greater than queues (${queues})`));
  return errors;
}
