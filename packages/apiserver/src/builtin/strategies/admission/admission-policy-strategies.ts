/** The strategies of ValidatingAdmissionPolicy, MutatingAdmissionPolicy and their bindings. CEL expressions are not compiled here. */
import type {
  MatchResources,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  NamedRuleWithOperations,
  ParamKind,
  ParamRef,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "@drover/api/admissionregistration/v1";
import {
  checkDns1035Label,
  checkDns1123Subdomain,
  checkSubdomainName,
  fieldDuplicate,
  fieldForbidden,
  fieldInvalid,
  fieldRequired,
  validateLabelSelector,
} from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath } from "@drover/machinery";
import type { Strategy } from "../../../registry/strategy.ts";
import { problemsOf, validateChoice, validatePathSegment } from "../checked-field.ts";
import { duplicateName, unsupportedName } from "../named-text.ts";
import { validateAdmissionRule } from "./admission-rule.ts";
import { validateMatchConditions } from "./match-condition.ts";
import { repeatsIn } from "../repeats.ts";

const mutatingOperations: readonly string[] = ["*", "CONNECT", "CREATE", "UPDATE"];

/** The strategy of ValidatingAdmissionPolicy. */
export const validatingAdmissionPolicyStrategy: Strategy<ValidatingAdmissionPolicy> = {
  validate: validateValidatingPolicy,
  validateUpdate: (policy) => validateValidatingPolicy(policy),
};

/** The strategy of MutatingAdmissionPolicy. */
export const mutatingAdmissionPolicyStrategy: Strategy<MutatingAdmissionPolicy> = {
  validate: validateMutatingPolicy,
  validateUpdate: (policy) => validateMutatingPolicy(policy),
};

/** The strategy of ValidatingAdmissionPolicyBinding. */
export const validatingAdmissionPolicyBindingStrategy: Strategy<ValidatingAdmissionPolicyBinding> = {
  validate: validateValidatingBinding,
  validateUpdate: (binding) => validateValidatingBinding(binding),
};

/** The strategy of MutatingAdmissionPolicyBinding. */
export const mutatingAdmissionPolicyBindingStrategy: Strategy<MutatingAdmissionPolicyBinding> = {
  validate: ({ spec }) => validateBinding(spec ?? {}),
  validateUpdate: ({ spec }) => validateBinding(spec ?? {}),
};

interface PolicyParts {
  readonly failurePolicy?: string;
  readonly paramKind?: DeepReadonly<ParamKind>;
  readonly matchConstraints?: DeepReadonly<MatchResources>;
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
  readonly variables?: readonly { readonly name: string; readonly expression: string }[];
}

function validatePolicy(
  { failurePolicy, paramKind, matchConstraints, matchConditions = [], variables = [] }: PolicyParts,
  operations?: readonly string[],
): FieldError[] {
  const path = "spec.matchConstraints";
  return [
    ...validateChoice(failurePolicy, "spec.failurePolicy", ["Fail", "Ignore"]),
    ...(paramKind === undefined ? [] : validateParamKind(paramKind)),
    ...(matchConstraints === undefined
      ? [fieldRequired(path)]
      : [
          ...validateMatchResources(matchConstraints, path, operations),
          ...((matchConstraints.resourceRules ?? []).length === 0 ? [fieldRequired(`${path}.resourceRules`)] : []),
        ]),
    ...validateMatchConditions(matchConditions, "spec.matchConditions"),
    ...variables.flatMap(({ name, expression }, index) => [
      ...(name.trim() === "" ? [fieldRequired(`spec.variables[${index}].name`, "name is not specified")] : []),
      ...(name.trim() !== "" && !/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name)
        ? [fieldInvalid(`spec.variables[${index}].name`, name, "must be a valid CEL identifier")]
        : []),
      ...(expression.trim() === "" ? [fieldRequired(`spec.variables[${index}].expression`, "expression is not specified")] : []),
    ]),
  ];
}

function validateValidatingPolicy({ spec = {} }: DeepReadonly<ValidatingAdmissionPolicy>): FieldError[] {
  const { validations = [], auditAnnotations = [] } = spec;
  const errors = validatePolicy(spec);
  if (validations.length + auditAnnotations.length === 0) {
    const needed = "validations or auditAnnotations must contain at least one item";
    return [...errors, fieldRequired("spec.validations", needed), fieldRequired("spec.auditAnnotations", needed)];
  }
  return [
    ...errors,
    ...validations.flatMap(({ expression, message = "", reason }, index) => {
      const path = `spec.validations[${index}]`;
      const reasons = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
      return [
        ...(expression.trim() === "" ? [fieldRequired(`${path}.expression`, "expression is not specified")] : []),
        ...(message !== "" && message.trim() === ""
          ? [fieldInvalid(`${path}.message`, message, "message must be non-empty if specified")]
          : []),
        ...(message.trim().includes("\n") ? [fieldInvalid(`${path}.message`, message, "message must not contain line breaks")] : []),
        ...(reason === undefined || reasons.includes(reason) ? [] : [unsupportedName(`${path}.reason`, reason, reasons)]),
      ];
    }),
    ...[...repeatsIn(auditAnnotations.map(({ key }) => key))].map((index) =>
      fieldDuplicate(`spec.auditAnnotations[${index}].key`, auditAnnotations[index]?.key),
    ),
  ];
}

function validateMutatingPolicy({ spec = {} }: DeepReadonly<MutatingAdmissionPolicy>): FieldError[] {
  const { mutations = [], reinvocationPolicy } = spec;
  return [
    ...validatePolicy(spec, mutatingOperations),
    ...(mutations.length === 0 ? [fieldRequired("spec.mutations", "mutations must contain at least one item")] : []),
    ...mutations.flatMap(({ patchType, applyConfiguration, jsonPatch }, index) => {
      const path = `spec.mutations[${index}]`;
      const types = ["ApplyConfiguration", "JSONPatch"];
      if ((patchType as string) === "") return [fieldRequired(`${path}.patchType`)];
      if (!types.includes(patchType)) return [unsupportedName(`${path}.patchType`, patchType, types)];
      const [field, own, other, otherField] =
        patchType === "JSONPatch"
          ? (["jsonPatch", jsonPatch, applyConfiguration, "applyConfiguration"] as const)
          : (["applyConfiguration", applyConfiguration, jsonPatch, "jsonPatch"] as const);
      return [
        ...(own === undefined ? [fieldRequired(`${path}.${field}`, `must be specified when patchType is ${patchType}`)] : []),
        ...(other === undefined ? [] : [fieldForbidden(`${path}.${otherField}`, `must not be specified when patchType is ${patchType}`)]),
      ];
    }),
    ...validateChoice(reinvocationPolicy, "spec.reinvocationPolicy", ["IfNeeded", "Never"]),
  ];
}

function validateParamKind({ apiVersion = "", kind = "" }: DeepReadonly<ParamKind>): FieldError[] {
  const [first = "", second, ...more] = apiVersion.split("/");
  const [group, version] = second === undefined ? ["", first] : [first, second];
  const path = "spec.paramKind.apiVersion";
  const joined = (fieldPath: FieldPath, value: string, problems: readonly string[], intro = ""): FieldError[] =>
    problems.length === 0 ? [] : [fieldInvalid(fieldPath, value, `${intro}${problems.join(",")}`)];
  const versionErrors =
    apiVersion === ""
      ? [fieldRequired(path)]
      : more.length > 0
        ? [fieldInvalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)]
        : [
            ...(group === "" ? [] : joined(path, group, checkDns1123Subdomain(group))),
            ...(version === ""
              ? [fieldInvalid(path, apiVersion, "version must be specified")]
              : joined(path, version, checkDns1035Label(version))),
          ];
  const kindErrors =
    kind === ""
      ? [fieldRequired("spec.paramKind.kind")]
      : joined("spec.paramKind.kind", kind, checkDns1035Label(kind.toLowerCase()), "may have mixed case, but should otherwise match: ");
  return [...versionErrors, ...kindErrors];
}

function validateMatchResources(match: DeepReadonly<MatchResources>, path: FieldPath, operations?: readonly string[]): FieldError[] {
  const { matchPolicy, namespaceSelector, objectSelector, resourceRules = [], excludeResourceRules = [] } = match;
  return [
    ...validateChoice(matchPolicy, `${path}.matchPolicy`, ["Equivalent", "Exact"]),
    ...(namespaceSelector === undefined
      ? [fieldRequired(`${path}.namespaceSelector`)]
      : validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`)),
    ...(objectSelector === undefined
      ? [fieldRequired(`${path}.objectSelector`)]
      : validateLabelSelector(objectSelector, `${path}.objectSelector`)),
    ...resourceRules.flatMap((rule, index) => validateNamedRule(rule, `${path}.resourceRules[${index}]`, operations)),
    ...excludeResourceRules.flatMap((rule, index) => validateNamedRule(rule, `${path}.excludeResourceRules[${index}]`, operations)),
  ];
}

function validateNamedRule(
  { resourceNames = [], ...rule }: DeepReadonly<NamedRuleWithOperations>,
  path: FieldPath,
  operations?: readonly string[],
): FieldError[] {
  const repeats = repeatsIn(resourceNames);
  return [
    ...resourceNames.flatMap((name, index) => [
      ...validatePathSegment(name, `${path}.resourceNames[${index}]`),
      ...(repeats.has(index) ? [fieldDuplicate(`${path}.resourceNames[${index}]`, name)] : []),
    ]),
    ...validateAdmissionRule(rule, path, operations),
  ];
}

function validateValidatingBinding({ spec }: DeepReadonly<ValidatingAdmissionPolicyBinding>): FieldError[] {
  if (spec === undefined) return [fieldRequired("spec.policyName")];
  const path = "spec.validationActions";
  const actions = spec.validationActions ?? [];
  const repeats = repeatsIn(actions);
  const known = ["Audit", "Deny", "Warn"];
  const both =
    "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";
  return [
    ...validateBinding(spec),
    ...actions.flatMap((action, index) => [
      ...(known.includes(action) ? [] : [unsupportedName(`${path}[${index}]`, action, known)]),
      ...(repeats.has(index) ? [duplicateName(`${path}[${index}]`, action)] : []),
    ]),
    ...(actions.includes("Deny") && actions.includes("Warn") ? [fieldInvalid(path, actions, both)] : []),
    ...(actions.length === 0 ? [fieldRequired(path, "at least one validation action is required")] : []),
  ];
}

function validateBinding({
  policyName = "",
  paramRef,
  matchResources,
}: {
  readonly policyName?: string;
  readonly paramRef?: DeepReadonly<ParamRef>;
  readonly matchResources?: DeepReadonly<MatchResources>;
}): FieldError[] {
  return [
    ...(policyName === "" ? [fieldRequired("spec.policyName")] : problemsOf("spec.policyName", policyName, checkSubdomainName(policyName))),
    ...(paramRef === undefined ? [] : validateParamRef(paramRef)),
    ...(matchResources === undefined ? [] : validateMatchResources(matchResources, "spec.matchResources")),
  ];
}

function validateParamRef({ name = "", selector, parameterNotFoundAction }: DeepReadonly<ParamRef>): FieldError[] {
  const path = "spec.paramRef";
  const errors = name === "" && selector === undefined ? [fieldRequired(path, "one of name or selector must be specified")] : [];
  if (name !== "" && selector !== undefined)
    errors.push(...["name", "selector"].map((field) => fieldForbidden(`${path}.${field}`, "name and selector are mutually exclusive")));
  return [
    ...errors,
    ...(name === "" ? [] : validatePathSegment(name, `${path}.name`)),
    ...validateLabelSelector(selector, `${path}.selector`),
    ...validateChoice(parameterNotFoundAction, `${path}.parameterNotFoundAction`, ["Deny", "Allow"]),
  ];
}
