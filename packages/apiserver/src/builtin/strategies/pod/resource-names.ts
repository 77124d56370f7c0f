/** Names of resources: standard ones (cpu, memory …), huge pages, and extended ones with a domain prefix. */
import { checkQualifiedName, fieldInvalid, Quantity } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import { invalidName, unsupportedName } from "../named-text.ts";

const containerResources: ReadonlySet<string> = new Set(["cpu", "memory", "ephemeral-storage"]);
const standardResources: ReadonlySet<string> = new Set([
  ...containerResources,
  "requests.cpu",
  "requests.memory",
  "requests.ephemeral-storage",
  "limits.cpu",
  "limits.memory",
  "limits.ephemeral-storage",
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "storage",
  "requests.storage",
  "services.nodeports",
  "services.loadbalancers",
]);
const integerResources: ReadonlySet<string> = new Set([
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

/** A resource that a container may request. */
export function validateContainerResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = validateResourceName(name, path);
  if (!name.includes("/")) {
    if (!containerResources.has(name) && !isHugePages(name))
      errors.push(invalidName(path, name, "must be a standard resource for containers"));
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    errors.push(invalidName(path, name, "doesn't follow extended resource name standard"));
  }
  return errors;
}

/** A resource that can be set at pod level. */
export function validatePodResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = validateResourceName(name, path);
  if (errors.length > 0 || name === "cpu" || name === "memory" || isHugePages(name)) return errors;
  return [unsupportedName(path, name, ["cpu", "hugepages-", "memory"])];
}

/** Must not be negative, and must be an integer for countable resources. */
export function validateResourceAmount(name: string, amount: Quantity, path: FieldPath): FieldError[] {
  const errors = amount.sign() < 0 ? [fieldInvalid(path, amount.toString(), "must be greater than or equal to 0")] : [];
  const isCounted = integerResources.has(name) || isExtendedResource(name);
  return isCounted && amount.milliValue() % 1000n !== 0n
    ? [...errors, fieldInvalid(path, amount.toString(), "must be an integer")]
    : errors;
}

/** Whether limits may exceed requests. */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

export function isHugePages(name: string): boolean {
  return name.startsWith("hugepages-");
}

/** Whether the amount is a multiple of the page size; false if the name has no size. */
export function isWholePages(name: string, amount: Quantity): boolean {
  try {
    const page = Quantity.parse(name.slice("hugepages-".length));
    return page.sign() > 0 && page.milliValue() % 1000n === 0n && amount.value() % page.value() === 0n;
  } catch {
    return false;
  }
}

/** A known resource name, or a qualified one. */
export function validateResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = checkQualifiedName(name).map((problem) => invalidName(path, name, problem));
  if (errors.length > 0 || name.includes("/") || standardResources.has(name) || isHugePages(name) || name.startsWith("requests.hugepages-"))
    return errors;
  return [invalidName(path, name, "must be a standard resource type or fully qualified")];
}

/** Whether Kubernetes defines the resource. */
function isNativeResource(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

/** Whether a resource that Kubernetes does not define may be requested under this name. */
export function isExtendedResource(name: string): boolean {
  return !isNativeResource(name) && !name.startsWith("requests.") && checkQualifiedName(`requests.${name}`).length === 0;
}
