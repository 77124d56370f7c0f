/** Validates the rules of webhooks and policies. */
import type { RuleWithOperations } from "@drover/api/admissionregistration/v1";
import { fieldInvalid, fieldRequired } from "@drover/machinery";
import type { DeepReadonly, FieldError, FieldPath } from "@drover/machinery";
import { validateOptionalChoice } from "../checked-field.ts";
import { unsupportedName } from "../named-text.ts";

const operationNames: readonly string[] = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];

/** Operations, groups, versions and resources; "*" stands for all and must be alone. */
export function validateAdmissionRule(
  rule: DeepReadonly<RuleWithOperations>,
  path: FieldPath,
  names: readonly string[] = operationNames,
): FieldError[] {
  const operations = rule.operations ?? [];
  return [
    ...validateList(operations, `${path}.operations`, "operations"),
    ...operations.flatMap((operation, index) =>
      names.includes(operation) ? [] : [unsupportedName(`${path}.operations[${index}]`, operation, names)],
    ),
    ...validateList(rule.apiGroups ?? [], `${path}.apiGroups`, "API groups"),
    ...validateList(rule.apiVersions ?? [], `${path}.apiVersions`, "API versions"),
    ...(rule.apiVersions ?? []).flatMap((version, index) => (version === "" ? [fieldRequired(`${path}.apiVersions[${index}]`)] : [])),
    ...validateResources(rule.resources ?? [], `${path}.resources`),
    ...validateOptionalChoice(rule.scope, `${path}.scope`, ["*", "Cluster", "Namespaced"]),
  ];
}

function validateList(values: readonly string[], path: FieldPath, noun: string): FieldError[] {
  if (values.length === 0) return [fieldRequired(path)];
  return values.length > 1 && values.includes("*") ? [fieldInvalid(path, values, `if '*' is present, must not specify other ${noun}`)] : [];
}

function validateResources(resources: readonly string[], path: FieldPath): FieldError[] {
  const errors = resources.length === 0 ? [fieldRequired(path)] : [];
  const [anySubresource, anyResource] = [new Set<string>(), new Set<string>()];
  let hasPlain = false;
  for (const [index, text] of resources.entries()) {
    const slash = text.indexOf("/");
    if (text === "") errors.push(fieldRequired(`${path}[${index}]`));
    // As in kube-apiserver, the last resource without a subresource decides.
    else if (slash < 0) hasPlain = text !== "*";
    if (slash < 0) continue;
    const [resource, subresource] = [text.slice(0, slash), text.slice(slash + 1)];
    if (anySubresource.has(resource))
      errors.push(fieldInvalid(`${path}[${index}]`, text, `if '${resource}/*' is present, must not specify ${text}`));
    if (anyResource.has(subresource))
      errors.push(fieldInvalid(`${path}[${index}]`, text, `if '*/${subresource}' is present, must not specify ${text}`));
    if (subresource === "*") anySubresource.add(resource);
    if (resource === "*") anyResource.add(subresource);
  }
  if (resources.length > 1 && resources.includes("*/*"))
    errors.push(fieldInvalid(path, resources, "if '*/*' is present, must not specify other resources"));
  if (resources.includes("*") && hasPlain)
    errors.push(fieldInvalid(path, resources, "if '*' is present, must not specify other resources without subresources"));
  return errors;
}
