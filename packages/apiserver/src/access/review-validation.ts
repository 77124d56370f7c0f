/** Validates access reviews, in kube-apiserver's order and words. */
import type {
  LocalSubjectAccessReview,
  NonResourceAttributes,
  ResourceAttributes,
  SelfSubjectAccessReview,
  SelfSubjectAccessReviewSpec,
  SubjectAccessReview,
} from "@drover/api/authorization/v1";
import {
  fieldChild,
  fieldForbidden,
  fieldIndex,
  fieldInvalid,
  fieldRequired,
  printGoJson,
  validateLabelSelectorRequirement,
} from "@drover/machinery";
import type { FieldError, FieldPath, FieldSelectorRequirement, JsonObject, JsonValue, ObjectMeta } from "@drover/machinery";

/** Validates a SubjectAccessReview. */
export function validateSubjectAccessReview({ metadata, spec }: SubjectAccessReview): FieldError[] {
  return [
    ...validateAttributes(spec),
    ...validateSubject(spec),
    ...validateSelectors(spec.resourceAttributes),
    ...validateEmptyMeta(metadata, "must be empty"),
  ];
}

/** Validates a SelfSubjectAccessReview. */
export function validateSelfSubjectAccessReview({ metadata, spec }: SelfSubjectAccessReview): FieldError[] {
  return [...validateAttributes(spec), ...validateSelectors(spec.resourceAttributes), ...validateEmptyMeta(metadata, "must be empty")];
}

/** Validates a LocalSubjectAccessReview. */
export function validateLocalSubjectAccessReview({ metadata, spec }: LocalSubjectAccessReview): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  const { namespace = "" } = resourceAttributes ?? {};
  return [
    ...validateAttributes(spec),
    ...validateSubject(spec),
    ...validateSelectors(resourceAttributes),
    ...validateEmptyMeta(metadata, "must be empty except for namespace", "namespace"),
    ...(resourceAttributes === undefined || namespace === (metadata.namespace ?? "")
      ? []
      : [fieldInvalid("spec.resourceAttributes.namespace", namespace, "must match metadata.namespace")]),
    ...(nonResourceAttributes === undefined ? [] : [nonResourceError(nonResourceAttributes, "disallowed on this kind of request")]),
  ];
}

function validateAttributes({ resourceAttributes, nonResourceAttributes }: SelfSubjectAccessReviewSpec): FieldError[] {
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined)
    return [nonResourceError(nonResourceAttributes, "cannot be specified in combination with resourceAttributes")];
  if (resourceAttributes !== undefined || nonResourceAttributes !== undefined) return [];
  return [fieldInvalid("spec.resourceAttributes", null, "exactly one of nonResourceAttributes or resourceAttributes must be specified")];
}

function validateSubject({ user = "", groups = [] }: SubjectAccessReview["spec"]): FieldError[] {
  return user === "" && groups.length === 0 ? [fieldInvalid("spec.user", user, "at least one of user or group must be specified")] : [];
}

function nonResourceError({ path = "", verb = "" }: NonResourceAttributes, detail: string): FieldError {
  // kube-apiserver's internal struct has no JSON names.
  return {
    ...fieldInvalid("spec.nonResourceAttributes", { path, verb }, detail),
    valueText: `{"Path":${printGoJson(path)},"Verb":${printGoJson(verb)}}`,
  };
}

function validateSelectors(attributes: ResourceAttributes | undefined): FieldError[] {
  const path = "spec.resourceAttributes";
  return [
    ...validateSelector(attributes?.fieldSelector, fieldChild(path, "fieldSelector"), validateFieldRequirement),
    ...validateSelector(attributes?.labelSelector, fieldChild(path, "labelSelector"), (requirement, at) =>
      validateLabelSelectorRequirement(requirement, at, { allowUnknownOperators: true }),
    ),
  ];
}

function validateSelector<R>(
  selector: { readonly rawSelector?: string; readonly requirements?: readonly R[] } | undefined,
  path: FieldPath,
  validate: (requirement: R, path: FieldPath) => FieldError[],
): FieldError[] {
  if (selector === undefined) return [];
  const { rawSelector = "", requirements = [] } = selector;
  const requirementsPath = fieldChild(path, "requirements");
  return [
    ...(rawSelector !== "" && requirements.length > 0
      ? [fieldInvalid(fieldChild(path, "rawSelector"), rawSelector, "may not specified at the same time as requirements")]
      : []),
    ...(rawSelector === "" && requirements.length === 0
      ? [fieldRequired(requirementsPath, `when ${path} is specified, requirements or rawSelector is required`)]
      : []),
    ...requirements.flatMap((requirement, index) => validate(requirement, fieldIndex(requirementsPath, index))),
  ];
}

function validateFieldRequirement({ key, operator, values = [] }: FieldSelectorRequirement, path: FieldPath): FieldError[] {
  const needsValues = operator === "In" || operator === "NotIn";
  const refusesValues = operator === "Exists" || operator === "DoesNotExist";
  return [
    ...(key === "" ? [fieldRequired(fieldChild(path, "key"), "must be specified")] : []),
    ...(needsValues && values.length === 0
      ? [fieldRequired(fieldChild(path, "values"), "must be specified when `operator` is 'In' or 'NotIn'")]
      : []),
    ...(refusesValues && values.length > 0
      ? [fieldForbidden(fieldChild(path, "values"), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
      : []),
  ];
}

/** A review is not stored, so its metadata must be empty; the server itself sets managed fields. */
function validateEmptyMeta(metadata: ObjectMeta, detail: string, except = ""): FieldError[] {
  const filled = Object.entries(metadata).some(([key, value]) => key !== "managedFields" && key !== except && !isEmpty(value as JsonValue));
  return filled ? [{ ...fieldInvalid("metadata", metadata, detail), valueText: printMeta(metadata as JsonObject) }] : [];
}

const isEmpty = (value: JsonValue | undefined): boolean =>
  value === undefined || value === null || value === "" || value === 0 || (typeof value === "object" && Object.keys(value).length === 0);

const metaOrder: readonly string[] = [
  "name",
  "generateName",
  "namespace",
  "selfLink",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "labels",
  "annotations",
  "ownerReferences",
  "finalizers",
  "managedFields",
];
const listOrders: Readonly<Record<string, readonly string[]>> = {
  ownerReferences: ["apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"],
  managedFields: ["manager", "operation", "apiVersion", "time", "fieldsType", "fieldsV1", "subresource"],
};

/** Prints the struct as Go does: members in order of declaration, empty ones omitted. */
function printMeta(metadata: JsonObject): string {
  return printOrdered(metadata, metaOrder, (key, value) => {
    const order = Array.isArray(value) ? listOrders[key] : undefined;
    if (order === undefined || !Array.isArray(value)) return printGoJson(value);
    return `[${value.map((item) => printOrdered(item as JsonObject, order, (_, member) => printGoJson(member))).join(",")}]`;
  });
}

function printOrdered(object: JsonObject, order: readonly string[], print: (key: string, value: JsonValue) => string): string {
  const members = order.flatMap((key) => {
    const value = Object.hasOwn(object, key) ? object[key] : undefined;
    return value === undefined || isEmpty(value) ? [] : [`${printGoJson(key)}:${print(key, value)}`];
  });
  return `{${members.join(",")}}`;
}
