/** Names of resources that containers ask for: the server's own (cpu, memory …), huge pages, and extended ones with a domain in front. */
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

/** A resource that a container may ask for. */
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

/** A resource that a pod as a whole may ask for. */
export function validatePodResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = validateResourceName(name, path);
  if (errors.length > 0 || name === "cpu" || name === "memory" || isHugePages(name)) return errors;
  return [unsupportedName(path, name, ["cpu", "hugepages-", "memory"])];
}

/** Not negative, and whole where the resource is counted. */
export function validateResourceAmount(name: string, amount: Quantity, path: FieldPath): FieldError[] {
  const errors = amount.sign() < 0 ? [fieldInvalid(path, amount.toString(), "must be greater than or equal to 0")] : [];
  const isCounted = integerResources.has(name) || isExtendedResource(name);
  return isCounted && amount.milliValue() % 1000n !== 0n
    ? [...errors, fieldInvalid(path, amount.toString(), "must be an integer")]
    : errors;
}

/** Whether a node may promise more of it than it has. */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

export function isHugePages(name: string): boolean {
  return name.startsWith("hugepages-");
}

/** Whether the amount is made of whole pages; never, where the name tells no size. */
export function isWholePages(name: string, amount: Quantity): boolean {
  try {
    const page = Quantity.parse(name.slice("hugepages-".length));
    return page.sign() > 0 && page.milliValue() % 1000n === 0n && amount.value() % page.value() === 0n;
  } catch {
    return false;
  }
}

/** A name of any resource: one of the known ones, or one with a domain in front. */
export function validateResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = checkQualifiedName(name).map((problem) => invalidName(path, name, problem));
  if (errors.length > 0 || name.includes("/") || standardResources.has(name) || isHugePages(name) || name.startsWith("requests.hugepages-"))
    return errors;
  return [invalidName(path, name, "must be a standard resource type or fully qualified")];
}

/** One of Kubernetes' own. */
function isNativeResource(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

function isExtendedResource(name: string): boolean {
  return !isNativeResource(name) && !name.startsWith("requests.") && checkQualifiedName(`requests.${name}`).length === 0;
}
