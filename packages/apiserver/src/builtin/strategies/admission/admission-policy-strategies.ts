/** The strategies of ValidatingAdmissionPolicy, MutatingAdmissionPolicy and their bindings. */
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
import { validateConditions } from "../condition-list.ts";
import { duplicateName, unsupportedName } from "../named-text.ts";
import { validateAdmissionRule } from "./admission-rule.ts";
import { validateMatchConditions } from "./match-condition.ts";
import { PolicyExpressions } from "./policy-expression.ts";
import { repeatsIn } from "../repeats.ts";

const mutatingOperations: readonly string[] = ["*", "CONNECT", "CREATE", "UPDATE"];

/** The strategy of ValidatingAdmissionPolicy. */
export const validatingAdmissionPolicyStrategy: Strategy<ValidatingAdmissionPolicy> = {
  validate: validateValidatingPolicy,
  validateUpdate: (policy) => validateValidatingPolicy(policy),
  subresources: { status: { validateUpdate: ({ status }) => validateStatus(status ?? {}) } },
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
  validate: validateMutatingBinding,
  validateUpdate: (binding) => validateMutatingBinding(binding),
};

interface PolicyParts {
  readonly failurePolicy?: string;
  readonly paramKind?: DeepReadonly<ParamKind>;
  readonly matchConstraints?: DeepReadonly<MatchResources>;
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
}

function validatePolicy(
  { failurePolicy, paramKind, matchConstraints, matchConditions = [] }: PolicyParts,
  isMutating = false,
): FieldError[] {
  const path = "spec.matchConstraints";
  return [
    ...validateChoice(failurePolicy, "spec.failurePolicy", ["Fail", "Ignore"]),
    ...(paramKind === undefined ? [] : validateParamKind(paramKind)),
    ...(matchConstraints === undefined
      ? [fieldRequired(path)]
      : [
          ...validateMatchResources(matchConstraints, path),
          ...((matchConstraints.resourceRules ?? []).length === 0 ? [fieldRequired(`${path}.resourceRules`)] : []),
          ...(isMutating ? validateMutatingOperations(matchConstraints, path) : []),
        ]),
    ...validateMatchConditions(matchConditions, "spec.matchConditions", { hasParams: paramKind !== undefined }),
  ];
}

/** Only creations, updates and connections can be changed. */
function validateMutatingOperations({ resourceRules = [] }: DeepReadonly<MatchResources>, path: FieldPath): FieldError[] {
  return resourceRules
    .flatMap(({ operations = [] }) => operations)
    .flatMap((operation) =>
      mutatingOperations.includes(operation) ? [] : [unsupportedName(`${path}.resourceRules.operations`, operation, mutatingOperations)],
    );
}

function validateValidatingPolicy({ metadata, spec = {} }: DeepReadonly<ValidatingAdmissionPolicy>): FieldError[] {
  const { validations = [], auditAnnotations = [], variables = [], paramKind } = spec;
  const expressions = new PolicyExpressions({ hasParams: paramKind !== undefined, hasVariables: variables.length > 0 });
  const errors = [...validatePolicy(spec), ...expressions.validateVariables(variables)];
  if (validations.length + auditAnnotations.length === 0) {
    const needed = "validations or auditAnnotations must contain at least one item";
    return [...errors, fieldRequired("spec.validations", needed), fieldRequired("spec.auditAnnotations", needed)];
  }
  return [
    ...errors,
    ...expressions.validateValidations(validations),
    ...expressions.validateAuditAnnotations(auditAnnotations, metadata.name ?? ""),
  ];
}

function validateStatus({ typeChecking, conditions = [] }: DeepReadonly<NonNullable<ValidatingAdmissionPolicy["status"]>>): FieldError[] {
  const path = "status.typeChecking.expressionWarnings";
  return [
    ...(typeChecking?.expressionWarnings ?? []).flatMap(({ fieldRef, warning }, index) => [
      ...(warning === "" ? [fieldRequired(`${path}[${index}].warning`)] : []),
      ...(fieldRef.trim() === "" ? [fieldRequired(`${path}[${index}].fieldRef`)] : []),
    ]),
    ...validateConditions(conditions, "status.conditions"),
  ];
}

function validateMutatingPolicy({ spec = {} }: DeepReadonly<MutatingAdmissionPolicy>): FieldError[] {
  const { mutations = [], reinvocationPolicy, variables = [], paramKind } = spec;
  const expressions = new PolicyExpressions({ hasParams: paramKind !== undefined, hasVariables: true });
  return [
    ...validatePolicy(spec, true),
    ...expressions.validateVariables(variables),
    ...(mutations.length === 0 ? [fieldRequired("spec.mutations", "mutations must contain at least one item")] : []),
    ...expressions.validateMutations(mutations),
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

function validateMatchResources(match: DeepReadonly<MatchResources>, path: FieldPath): FieldError[] {
  const { matchPolicy, namespaceSelector, objectSelector, resourceRules = [], excludeResourceRules = [] } = match;
  return [
    ...validateChoice(matchPolicy, `${path}.matchPolicy`, ["Equivalent", "Exact"]),
    ...(namespaceSelector === undefined
      ? [fieldRequired(`${path}.namespaceSelector`)]
      : validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`)),
    ...(objectSelector === undefined
      ? [fieldRequired(`${path}.objectSelector`)]
      : validateLabelSelector(objectSelector, `${path}.objectSelector`)),
    ...resourceRules.flatMap((rule, index) => validateNamedRule(rule, `${path}.resourceRules[${index}]`)),
    ...excludeResourceRules.flatMap((rule, index) => validateNamedRule(rule, `${path}.excludeResourceRules[${index}]`)),
  ];
}

function validateNamedRule({ resourceNames = [], ...rule }: DeepReadonly<NamedRuleWithOperations>, path: FieldPath): FieldError[] {
  const repeats = repeatsIn(resourceNames);
  return [
    ...resourceNames.flatMap((name, index) => [
      ...validatePathSegment(name, `${path}.resourceNames[${index}]`),
      ...(repeats.has(index) ? [fieldDuplicate(`${path}.resourceNames[${index}]`, name)] : []),
    ]),
    ...validateAdmissionRule(rule, path),
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

function validateMutatingBinding({ spec = {} }: DeepReadonly<MutatingAdmissionPolicyBinding>): FieldError[] {
  const { matchResources } = spec;
  return [
    ...validateBinding(spec),
    ...(matchResources === undefined ? [] : validateMutatingOperations(matchResources, "spec.matchResources")),
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
