/** Validates the CEL expressions of policies: they must compile. */
import type { AuditAnnotation, Mutation, Validation, Variable } from "@drover/api/admissionregistration/v1";
import { byteLength, checkQualifiedName, fieldDuplicate, fieldInvalid, fieldRequired, printGoJson } from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath } from "@drover/machinery";
import { admissionEnvironment, variableType } from "../../../cel/admission/admission-environment.ts";
import type { EnvironmentOptions } from "../../../cel/admission/admission-environment.ts";
import { compileAdmissionExpression } from "../../../cel/admission/admission-expression.ts";
import { applyConfigurationType, jsonPatchType } from "../../../cel/admission/admission-types.ts";
import { boolType, dynType, listType, nullType, stringType } from "../../../cel/check/cel-type.ts";
import type { CelType } from "../../../cel/check/cel-type.ts";
import type { Environment } from "../../../cel/check/environment.ts";
import { problemsOf } from "../checked-field.ts";
import { expressionError } from "./match-condition.ts";
import { unsupportedName } from "../named-text.ts";
import { repeatsIn } from "../repeats.ts";

const annotationCountMax = 20;
const annotationBytesMax = 5 * 1024;
const reasons: readonly string[] = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
const patchTypes: readonly string[] = ["ApplyConfiguration", "JSONPatch"];
const reservedWords: ReadonlySet<string> = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(" "),
);

/** The expressions of one policy, validated in order, because variables see those before them. */
export class PolicyExpressions {
  readonly #hasParams: boolean;
  /** Undefined if `variables` is not declared. */
  readonly #variables: Map<string, CelType> | undefined;

  constructor({ hasParams, hasVariables }: { readonly hasParams: boolean; readonly hasVariables: boolean }) {
    this.#hasParams = hasParams;
    this.#variables = hasVariables ? new Map() : undefined;
  }

  #environment(options: Pick<EnvironmentOptions, "hasAuthorizer" | "hasPatchTypes">): Environment {
    const variables = this.#variables;
    return admissionEnvironment({ ...options, hasParams: this.#hasParams, ...(variables === undefined ? {} : { variables }) });
  }

  validateVariables(variables: readonly DeepReadonly<Variable>[]): FieldError[] {
    return variables.flatMap(({ name, expression }, index) => {
      const path = `spec.variables[${index}]`;
      const isBlank = expression.trim() === "";
      const compiled = isBlank ? undefined : compileAdmissionExpression(expression, this.#environment({ hasAuthorizer: true }));
      if (compiled !== undefined) this.#variables?.set(name, "type" in compiled ? variableType(compiled.type) : dynType);
      return [
        ...validateVariableName(name, `${path}.name`),
        ...(isBlank ? [fieldRequired(`${path}.expression`, "expression is not specified")] : []),
        ...(compiled !== undefined && "problem" in compiled ? [expressionError(`${path}.expression`, expression, compiled)] : []),
      ];
    });
  }

  validateValidations(validations: readonly DeepReadonly<Validation>[]): FieldError[] {
    return validations.flatMap(({ expression, message = "", messageExpression = "", reason }, index) => {
      const path = `spec.validations[${index}]`;
      return [
        ...(expression.trim() === ""
          ? [fieldRequired(`${path}.expression`, "expression is not specified")]
          : this.#check(expression, `${path}.expression`, { hasAuthorizer: true }, [boolType])),
        ...(messageExpression.trim() === ""
          ? validateNotBlank(messageExpression, `${path}.messageExpression`)
          : this.#check(messageExpression, `${path}.messageExpression`, { hasAuthorizer: false }, [stringType])),
        ...validateNotBlank(message, `${path}.message`),
        ...(/[\n\r]/.test(message.trim()) ? [fieldInvalid(`${path}.message`, message, "must not contain line breaks")] : []),
        ...(reason === undefined || reasons.includes(reason) ? [] : [unsupportedName(`${path}.reason`, reason, reasons)]),
      ];
    });
  }

  validateAuditAnnotations(annotations: readonly DeepReadonly<AuditAnnotation>[], policyName: string): FieldError[] {
    const path = "spec.auditAnnotations";
    const repeats = repeatsIn(annotations.map(({ key }) => key));
    return [
      ...(annotations.length > annotationCountMax ? [tooManyAnnotations(annotations, path)] : []),
      ...annotations.flatMap(({ key, valueExpression }, index) => [
        ...validateAnnotationKey(key, policyName, `${path}[${index}].key`),
        ...this.#checkAnnotation(valueExpression, `${path}[${index}].valueExpression`),
        ...(repeats.has(index) ? [fieldDuplicate(`${path}[${index}].key`, key)] : []),
      ]),
    ];
  }

  #checkAnnotation(expression: string, path: FieldPath): FieldError[] {
    const text = expression.trim();
    if (text === "") return [fieldRequired(path, "valueExpression is not specified")];
    if (byteLength(text) > annotationBytesMax) return [fieldRequired(path, `must not exceed ${annotationBytesMax} bytes in length`)];
    return this.#check(text, path, { hasAuthorizer: true }, [stringType, nullType], expression);
  }

  validateMutations(mutations: readonly DeepReadonly<Mutation>[]): FieldError[] {
    return mutations.flatMap(({ patchType, applyConfiguration, jsonPatch }, index) => {
      const path = `spec.mutations[${index}]`;
      if ((patchType as string) === "") return [fieldRequired(`${path}.patchType`)];
      if (!patchTypes.includes(patchType)) return [unsupportedName(`${path}.patchType`, patchType, patchTypes)];
      return patchType === "JSONPatch"
        ? [
            ...this.#checkPatch(patchType, jsonPatch, `${path}.jsonPatch`, listType(jsonPatchType)),
            ...forbidden(applyConfiguration, `${path}.applyConfiguration`, "{applyConfiguration}", patchType),
          ]
        : [
            ...this.#checkPatch(patchType, applyConfiguration, `${path}.applyConfiguration`, applyConfigurationType),
            ...forbidden(jsonPatch, `${path}.jsonPatch`, "{jsonPatch}", patchType),
          ];
    });
  }

  #checkPatch(patchType: string, patch: DeepReadonly<{ expression?: string }> | undefined, path: FieldPath, wanted: CelType): FieldError[] {
    if (patch === undefined) return [fieldRequired(path, `must be specified when patchType is ${patchType}`)];
    const text = (patch.expression ?? "").trim();
    if (text === "") return [fieldRequired(`${path}.expression`)];
    return this.#check(text, `${path}.expression`, { hasAuthorizer: true, hasPatchTypes: true }, [wanted]);
  }

  #check(
    text: string,
    path: FieldPath,
    options: Pick<EnvironmentOptions, "hasAuthorizer" | "hasPatchTypes">,
    wanted: readonly CelType[],
    shown = text,
  ): FieldError[] {
    const compiled = compileAdmissionExpression(text, this.#environment(options), wanted);
    return "problem" in compiled ? [expressionError(path, shown, compiled)] : [];
  }
}

function validateVariableName(name: string, path: FieldPath): FieldError[] {
  if (name.trim() === "") return [fieldRequired(path, "name is not specified")];
  return /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !reservedWords.has(name)
    ? []
    : [fieldInvalid(path, name, "must be a valid CEL identifier")];
}

/** The error shows kube-apiserver's internal type. */
function tooManyAnnotations(annotations: readonly DeepReadonly<AuditAnnotation>[], path: FieldPath): FieldError {
  const shown = annotations.map(({ key, valueExpression }) => ({ Key: key, ValueExpression: valueExpression }));
  return {
    ...fieldInvalid(path, annotations, `must not have more than ${annotationCountMax} auditAnnotations`),
    valueText: printGoJson(shown),
  };
}

function validateAnnotationKey(key: string, policyName: string, path: FieldPath): FieldError[] {
  if (policyName === "") return [fieldInvalid(path, key, "requires metadata.name be non-empty")];
  const name = `${policyName}/${key}`;
  return problemsOf(path, name, checkQualifiedName(name));
}

const validateNotBlank = (text: string, path: FieldPath): FieldError[] =>
  text !== "" && text.trim() === "" ? [fieldInvalid(path, text, "must be non-empty if specified")] : [];

const forbidden = (value: unknown, path: FieldPath, shown: string, patchType: string): FieldError[] =>
  value === undefined ? [] : [fieldInvalid(path, shown, `must not be specified when patchType is ${patchType}`)];
