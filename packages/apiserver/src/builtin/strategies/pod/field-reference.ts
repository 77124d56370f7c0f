/** Validates fieldRef and resourceFieldRef in env and volumes. */
import { fieldChild, fieldInvalid, fieldNotSupported, fieldRequired, Quantity, validateLabelName } from "@drover/machinery";
import type { FieldError, FieldPath } from "@drover/machinery";
import type { ObjectFieldSelector, ResourceFieldSelector } from "@drover/api/core/v1";

const convertible: ReadonlySet<string> = new Set([
  "metadata.annotations",
  "metadata.labels",
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.restartPolicy",
  "spec.serviceAccountName",
  "spec.schedulerName",
  "status.phase",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
  "spec.host",
]);

const resources: readonly string[] = [
  "limits.cpu",
  "limits.ephemeral-storage",
  "limits.memory",
  "requests.cpu",
  "requests.ephemeral-storage",
  "requests.memory",
];
const byteDivisors: readonly string[] = ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"];

/** Validates a fieldRef; `supported` are the allowed paths besides single labels and annotations. */
export function validateFieldReference(reference: ObjectFieldSelector, path: FieldPath, supported: readonly string[]): FieldError[] {
  const { apiVersion, fieldPath } = reference;
  const pathOfField = fieldChild(path, "fieldPath");
  if (apiVersion === undefined) return [fieldRequired(fieldChild(path, "apiVersion"))];
  if (fieldPath === "") return [fieldRequired(pathOfField)];
  const refuse = (why: string): FieldError[] => [fieldInvalid(pathOfField, fieldPath, `error converting fieldPath: ${why}`)];
  if (apiVersion !== "v1") return refuse(`unsupported pod version: ${apiVersion}`);
  const [, map, key] = /^(.+?)\['(.*)'\]$/s.exec(fieldPath) ?? [];
  if (map !== undefined && key !== undefined) {
    if (map === "metadata.annotations") return validateLabelName(key.toLowerCase(), path);
    return map === "metadata.labels" ? validateLabelName(key, path) : refuse(`field label does not support subscript: ${fieldPath}`);
  }
  if (!convertible.has(fieldPath)) return refuse(`field label not supported: ${fieldPath}`);
  const converted = fieldPath === "spec.host" ? "spec.nodeName" : fieldPath;
  return supported.includes(converted) ? [] : [fieldNotSupported(pathOfField, converted, supported)];
}

/** Validates a resourceFieldRef; in a volume it must name the container. */
export function validateResourceReference(
  reference: ResourceFieldSelector,
  path: FieldPath,
  { inVolume }: { readonly inVolume: boolean },
): FieldError[] {
  const { containerName = "", resource, divisor } = reference;
  const errors: FieldError[] = [];
  if (inVolume && containerName === "") errors.push(fieldRequired(fieldChild(path, "containerName")));
  else if (resource === "") errors.push(fieldRequired(fieldChild(path, "resource")));
  else if (!resources.includes(resource) && !isHugePages(resource))
    errors.push(fieldNotSupported(fieldChild(path, "resource"), resource, resources));
  if (divisor === undefined || Quantity.fromJson(divisor).isZero()) return errors;
  const problem = divisorProblem(resource, Quantity.fromJson(divisor).toString());
  return problem === undefined ? errors : [...errors, fieldInvalid(fieldChild(path, "divisor"), resource, problem)];
}

function divisorProblem(resource: string, divisor: string): string | undefined {
  if (resource.endsWith(".cpu"))
    return divisor === "1m" || divisor === "1" ? undefined : "only divisor's values 1m and 1 are supported with the cpu resource";
  if (byteDivisors.includes(divisor)) return undefined;
  const supported = `only divisor's values ${byteDivisors.join(", ")} are supported with the`;
  if (resource.endsWith(".memory")) return `${supported} memory resource`;
  if (resource.endsWith(".ephemeral-storage")) return `${supported} local ephemeral storage resource`;
  return isHugePages(resource) ? `${supported} hugepages resource` : undefined;
}

function isHugePages(resource: string): boolean {
  return resource.startsWith("requests.hugepages-") || resource.startsWith("limits.hugepages-");
}
