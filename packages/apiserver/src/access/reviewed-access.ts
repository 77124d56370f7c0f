/** Turns an access review into a question for the authorizer. */
import type { NonResourceAttributes, ResourceAttributes } from "@drover/api/authorization/v1";
import { FieldSelector, parseFieldSelector, parseSelector, SelectorError } from "@drover/machinery";
import type { FieldSelectorRequirement, LabelSelectorRequirement } from "@drover/machinery";
import type { Attributes, Authorizer } from "./authorizer.ts";
import type { User } from "./user.ts";

/** Validation ensures that exactly one of the two is set. */
export interface AskedAccess {
  readonly resourceAttributes?: ResourceAttributes;
  readonly nonResourceAttributes?: NonResourceAttributes;
}

/** The status of an access review. "no-opinion" is neither allowed nor denied. */
export type AccessStatus = {
  readonly allowed: boolean;
  readonly denied?: true;
  readonly reason?: string;
  readonly evaluationError?: string;
};

/** Asks the authorizer. */
export async function reviewAccess(user: User, asked: AskedAccess, { authorize }: Pick<Authorizer, "authorize">): Promise<AccessStatus> {
  const { decision, reason = "", evaluationError = "" } = await authorize(attributesOf(user, asked));
  const problems = [evaluationError, ...selectorProblems(asked.resourceAttributes ?? {})].filter((text) => text !== "");
  return {
    allowed: decision === "allow",
    ...(decision === "deny" ? { denied: true } : {}),
    ...(reason === "" ? {} : { reason }),
    ...(problems.length === 0 ? {} : { evaluationError: problems.join("; ") }),
  };
}

function attributesOf(user: User, { resourceAttributes, nonResourceAttributes }: AskedAccess): Attributes {
  const nothing = { user, path: "", group: "", version: "", resource: "", subresource: "", namespace: "", name: "" };
  if (resourceAttributes === undefined) {
    const { path = "", verb = "" } = nonResourceAttributes ?? {};
    return { ...nothing, isResourceRequest: false, verb, path };
  }
  const { verb = "", group = "", version = "", resource = "", subresource = "", namespace = "", name = "" } = resourceAttributes;
  return {
    ...nothing,
    isResourceRequest: true,
    verb,
    group,
    version: version === "" ? "*" : version,
    resource,
    subresource,
    namespace,
    name,
    fieldSelector: fieldSelectorOf(resourceAttributes),
  };
}

/** Returns the readable requirements as a selector. */
function fieldSelectorOf({ fieldSelector: { requirements = [], rawSelector = "" } = {} }: ResourceAttributes): string {
  if (requirements.length === 0) return rawSelector;
  return new FieldSelector(
    requirements
      .filter(isReadableField)
      .map(({ key, operator, values: [value = ""] = [] }) => ({ field: key, operator: operator === "In" ? "=" : "!=", value })),
  ).toString();
}

/** Requirements are ANDed, so dropping malformed ones asks for more access; the review reports which were dropped. */
function selectorProblems({ fieldSelector = {}, labelSelector = {} }: ResourceAttributes): string[] {
  const { requirements: fields = [], rawSelector: rawFields = "" } = fieldSelector;
  const { requirements: labels = [], rawSelector: rawLabels = "" } = labelSelector;
  return [
    ...problemOf("fieldSelector", fields.length > 0 ? fields.map(isReadableField) : isReadable(() => parseFieldSelector(rawFields))),
    ...problemOf("labelSelector", labels.length > 0 ? labels.map(isReadableLabel) : isReadable(() => parseSelector(rawLabels))),
  ];
}

function problemOf(field: string, readable: readonly boolean[]): string[] {
  if (readable.every(Boolean)) return [];
  return [`spec.resourceAttributes.${field} ${readable.some(Boolean) ? "partially " : ""}ignored due to parse error`];
}

const isReadableField = ({ operator, values = [] }: FieldSelectorRequirement): boolean =>
  (operator === "In" || operator === "NotIn") && values.length === 1;

const labelOperators: readonly string[] = ["In", "NotIn", "Exists", "DoesNotExist"];
const isReadableLabel = ({ operator }: LabelSelectorRequirement): boolean => labelOperators.includes(operator);

function isReadable(parse: () => unknown): boolean[] {
  try {
    parse();
    return [true];
  } catch (error) {
    if (error instanceof SelectorError) return [false];
    throw error;
  }
}
