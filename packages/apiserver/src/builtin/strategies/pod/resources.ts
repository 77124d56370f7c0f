/** Validates requests and limits of containers and pods. */
import {
  compareBytes,
  fieldChild,
  fieldDuplicate,
  fieldForbidden,
  fieldIndex,
  fieldInvalid,
  fieldKey,
  fieldNotFound,
  fieldRequired,
  getOwn,
  Quantity,
} from "@drover/machinery";
import type { FieldError, FieldPath, QuantityValue } from "@drover/machinery";
import type { PodSpec, ResourceClaim, ResourceRequirements } from "@drover/api/core/v1";
import { aggregateRequests } from "@drover/api/quota";
import { validateLabelText } from "../checked-field.ts";
import {
  isHugePages,
  isOvercommitAllowed,
  isWholePages,
  validateContainerResourceName,
  validatePodResourceName,
  validateResourceAmount,
} from "./resource-names.ts";

type CheckName = (name: string, path: FieldPath) => FieldError[];

/** Validates those of a container; `claimNames` are the pod's resource claims. */
export function validateContainerResources(
  resources: ResourceRequirements | undefined,
  claimNames: ReadonlySet<string>,
  path: FieldPath,
): FieldError[] {
  return validateRequirements(resources ?? {}, claimNames, path, validateContainerResourceName);
}

/** Validates those at pod level. */
export function validatePodResources(spec: PodSpec, claimNames: ReadonlySet<string>, path: FieldPath): FieldError[] {
  const { resources } = spec;
  if (resources === undefined) return [];
  if (spec.os?.name === "windows") return [fieldForbidden(path, "may not be set for a windows pod")];
  return [
    ...((resources.claims ?? []).length > 0
      ? [fieldForbidden(fieldChild(path, "claims"), "claims may not be set for Resources at pod-level")]
      : []),
    ...validateRequirements(resources, claimNames, path, validatePodResourceName),
    ...validateShares(spec, resources, path),
  ];
}

function validateRequirements(
  resources: ResourceRequirements,
  claimNames: ReadonlySet<string>,
  path: FieldPath,
  checkName: CheckName,
): FieldError[] {
  const { limits = {}, requests = {} } = resources;
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  const pagesAlone = names.some(isHugePages) && !names.includes("cpu") && !names.includes("memory");
  return [
    ...Object.entries(limits).flatMap(([name, value]) =>
      validateAmount(name, value, fieldKey(fieldChild(path, "limits"), name), checkName),
    ),
    ...Object.entries(requests).flatMap(([name, value]) => validateRequest(name, value, limits, path, checkName)),
    ...(pagesAlone ? [fieldForbidden(path, "HugePages require cpu or memory")] : []),
    ...validateClaims(resources.claims, claimNames, fieldChild(path, "claims")),
  ];
}

function validateAmount(name: string, value: QuantityValue, path: FieldPath, checkName: CheckName): FieldError[] {
  const amount = Quantity.fromJson(value);
  return [...checkName(name, path), ...validateResourceAmount(name, amount, path), ...validatePages(name, amount, path)];
}

function validateRequest(
  name: string,
  value: QuantityValue,
  limits: Readonly<Record<string, QuantityValue>>,
  path: FieldPath,
  checkName: CheckName,
): FieldError[] {
  const [limitsPath, requestsPath] = [fieldChild(path, "limits"), fieldChild(path, "requests")];
  const requestPath = fieldKey(requestsPath, name);
  const amount = Quantity.fromJson(value);
  const errors = [...checkName(name, requestPath), ...validateResourceAmount(name, amount, requestPath)];
  const limitValue = getOwn(limits, name);
  if (limitValue === undefined) {
    if (!isOvercommitAllowed(name)) errors.push(fieldRequired(limitsPath, "Limit must be set for non overcommitable resources"));
  } else {
    const limit = Quantity.fromJson(limitValue);
    const relation = isOvercommitAllowed(name) ? "less than or equal" : "equal";
    const isWrong = isOvercommitAllowed(name) ? amount.compare(limit) > 0 : amount.compare(limit) !== 0;
    if (isWrong) errors.push(fieldInvalid(requestsPath, amount.toString(), `must be ${relation} to ${name} limit of ${limit.toString()}`));
  }
  return [...errors, ...validatePages(name, amount, requestPath)];
}

function validatePages(name: string, amount: Quantity, path: FieldPath): FieldError[] {
  if (!isHugePages(name) || isWholePages(name, amount)) return [];
  return [fieldInvalid(path, amount.toString(), `${amount.toString()} is not positive integer multiple of ${name}`)];
}

function validateClaims(claims: readonly ResourceClaim[] | undefined, claimNames: ReadonlySet<string>, path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return (claims ?? []).flatMap(({ name, request = "" }, index) => {
    const claimPath = fieldIndex(path, index);
    if (name === "") return [fieldRequired(claimPath)];
    const errors: FieldError[] = [];
    if (seen.has(name)) {
      errors.push(fieldDuplicate(claimPath, name));
    } else {
      const key = request === "" ? name : `${name}/${request}`;
      if (request !== "") errors.push(...validateLabelText(request, fieldChild(claimPath, "request")));
      if (seen.has(key)) errors.push(fieldDuplicate(claimPath, key));
      else if (request === "")
        errors.push(...[...seen].filter((other) => other.startsWith(`${name}/`)).map(() => fieldDuplicate(claimPath, name)));
      seen.add(key);
    }
    if (claimNames.has(name)) return errors;
    const known = claimNames.size === 0 ? " which is empty" : `: ${[...claimNames].toSorted(compareBytes).join(", ")}`;
    return [...errors, { ...fieldNotFound(claimPath, name), detail: `must be one of the names in pod.spec.resourceClaims${known}` }];
  });
}

/** The sum of the containers' requests must not exceed the pod's, and no container's limit the pod's. */
function validateShares(spec: PodSpec, { requests = {}, limits = {} }: ResourceRequirements, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, sum] of aggregateRequests(spec, "requests")) {
    const asked = getOwn(requests, name);
    if (asked === undefined || sum.compare(Quantity.fromJson(asked)) <= 0) continue;
    errors.push(
      fieldInvalid(
        fieldKey(fieldChild(path, "requests"), name),
        Quantity.fromJson(asked).toString(),
        `must be greater than or equal to aggregate container requests of ${sum.toString()}`,
      ),
    );
  }
  for (const [name, sum] of aggregateRequests(spec, "limits")) {
    const limit = isHugePages(name) ? getOwn(limits, name) : undefined;
    if (limit === undefined || sum.compare(Quantity.fromJson(limit)) <= 0) continue;
    errors.push(
      fieldInvalid(
        fieldKey(fieldChild(path, "limits"), name),
        Quantity.fromJson(limit).toString(),
        `must be greater than or equal to aggregate container limits of ${sum.toString()}`,
      ),
    );
  }
  for (const [index, { resources }] of spec.containers.entries()) {
    for (const [name, value] of Object.entries(resources?.limits ?? {})) {
      const limit = getOwn(limits, name);
      const [own, whole] = [Quantity.fromJson(value), Quantity.fromJson(limit ?? 0)];
      if (limit === undefined || own.compare(whole) <= 0) continue;
      const limitPath = fieldChild(fieldKey(fieldIndex(fieldChild(path, "containers"), index), name), "limits");
      errors.push(fieldInvalid(limitPath, own.toString(), `must be less than or equal to pod limits of ${whole.toString()}`));
    }
  }
  return errors;
}
