/**
 * Reads and validates audit policies.
 *
 *     YAML or JSON → readAuditPolicy → AuditPolicy
 */
import {
  checkSubdomainName,
  errorText,
  fieldChild,
  fieldIndex,
  fieldInvalid,
  fieldNotSupported,
  fieldRequired,
  isJsonObject,
  printFieldErrors,
} from "@drover/machinery";
import type { FieldError, FieldPath, JsonObject, JsonValue } from "@drover/machinery";
import { parseFirstYaml } from "@drover/yaml";
import type { AuditGroupResources, AuditPolicy, AuditRule } from "./audit-event.ts";

const levels = ["None", "Metadata", "Request", "RequestResponse"] as const;
const stages = ["RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"] as const;

/** The type of every field. */
type FieldType = "string" | "boolean" | "strings" | "objects" | "object";
type Shape = Readonly<Record<string, FieldType>>;

const policyShape: Shape = {
  kind: "string",
  apiVersion: "string",
  metadata: "object",
  rules: "objects",
  omitStages: "strings",
  omitManagedFields: "boolean",
};
const ruleShape: Shape = {
  level: "string",
  users: "strings",
  userGroups: "strings",
  verbs: "strings",
  resources: "objects",
  namespaces: "strings",
  nonResourceURLs: "strings",
  omitStages: "strings",
  omitManagedFields: "boolean",
};
const resourcesShape: Shape = { group: "string", resources: "strings", resourceNames: "strings" };

/**
 * Reads a policy file. Throws a TypeError that names the field, for unknown fields too: kube-apiserver ignores those with a line in its
 * log, and the rule then matches more than it says.
 */
export function readAuditPolicy(text: string): AuditPolicy {
  const value = parsed(text);
  if (!isJsonObject(value)) throw new TypeError("audit policy: the file has no object; it needs apiVersion, kind and rules");
  const { kind, apiVersion } = value;
  if (apiVersion !== "audit.k8s.io/v1" || kind !== "Policy")
    throw new TypeError(
      `audit policy: apiVersion and kind must be audit.k8s.io/v1 and Policy, not ${JSON.stringify(apiVersion)} and ${JSON.stringify(kind)}`,
    );
  checkShape(value, policyShape, "");
  const rules = (value["rules"] ?? []) as readonly JsonObject[];
  for (const [index, rule] of rules.entries()) {
    const path = fieldIndex(fieldChild("", "rules"), index);
    checkShape(rule, ruleShape, path);
    for (const [at, resources] of ((rule["resources"] ?? []) as readonly JsonObject[]).entries())
      checkShape(resources, resourcesShape, fieldIndex(fieldChild(path, "resources"), at));
  }
  const { omitStages, omitManagedFields } = value as Partial<AuditPolicy>;
  const policy: AuditPolicy = {
    rules: rules as unknown as readonly AuditRule[],
    ...(omitStages === undefined ? {} : { omitStages }),
    ...(omitManagedFields === undefined ? {} : { omitManagedFields }),
  };
  checkAuditPolicy(policy);
  return policy;
}

function parsed(text: string): JsonValue {
  try {
    return parseFirstYaml(text, {
      onDuplicateKey: ({ key, line }) => {
        throw new TypeError(`line ${line}: key ${key} is already set`);
      },
    });
  } catch (error) {
    throw new TypeError(`audit policy: ${errorText(error)}`, { cause: error });
  }
}

function checkShape(value: JsonObject, shape: Shape, path: FieldPath): void {
  for (const [name, field] of Object.entries(value)) {
    const type = Object.hasOwn(shape, name) ? shape[name] : undefined;
    const at = fieldChild(path, name);
    if (type === undefined) throw new TypeError(`audit policy: ${at}: unknown field; known are ${Object.keys(shape).join(", ")}`);
    if (field !== null && !hasType(field, type)) throw new TypeError(`audit policy: ${at}: ${wanted[type]}`);
    // As in the Go types, null is the same as no value.
    if (field === null) delete value[name];
  }
}

const wanted: Readonly<Record<FieldType, string>> = {
  string: "must be a string",
  boolean: "must be true or false",
  strings: "must be a list of strings",
  objects: "must be a list of objects",
  object: "must be an object",
};

function hasType(value: JsonValue, type: FieldType): boolean {
  if (type === "strings") return Array.isArray(value) && value.every((one) => typeof one === "string");
  if (type === "objects") return Array.isArray(value) && value.every(isJsonObject);
  if (type === "object") return isJsonObject(value);
  return typeof value === type;
}

/** Throws a TypeError with kube-apiserver's messages for an invalid policy. */
export function checkAuditPolicy({ rules, omitStages = [] }: AuditPolicy): void {
  const errors = [
    ...stageErrors(omitStages, fieldChild("", "omitStages")),
    ...rules.flatMap((rule, index) => ruleErrors(rule, fieldIndex(fieldChild("", "rules"), index))),
  ];
  if (errors.length > 0) throw new TypeError(`audit policy: ${printFieldErrors(errors)}`);
  if (rules.length === 0) throw new TypeError("audit policy: loaded illegal policy with 0 rules");
}

function ruleErrors(
  { level, nonResourceURLs = [], resources = [], namespaces = [], omitStages = [] }: AuditRule,
  path: FieldPath,
): FieldError[] {
  const urls = fieldChild(path, "nonResourceURLs");
  return [
    ...levelErrors(level, fieldChild(path, "level")),
    ...nonResourceURLs.flatMap((url, index) => urlErrors(url, fieldIndex(urls, index))),
    ...resources.flatMap((each) => resourcesErrors(each, fieldChild(path, "resources"))),
    ...stageErrors(omitStages, fieldChild(path, "omitStages")),
    ...(nonResourceURLs.length > 0 && resources.length + namespaces.length > 0
      ? [fieldInvalid(urls, nonResourceURLs, "rules cannot apply to both regular resources and non-resource URLs")]
      : []),
  ];
}

function levelErrors(level: string | undefined, path: FieldPath): FieldError[] {
  if (level === undefined || level === "") return [fieldRequired(path)];
  return (levels as readonly string[]).includes(level) ? [] : [fieldNotSupported(path, level, levels)];
}

function urlErrors(url: string, path: FieldPath): FieldError[] {
  if (url === "*") return [];
  return [
    ...(url.startsWith("/") ? [] : [fieldInvalid(path, url, "non-resource URL rules must begin with a '/' character")]),
    ...(url.slice(0, -1).includes("*")
      ? [fieldInvalid(path, url, "non-resource URL wildcards '*' must be the final character of the rule")]
      : []),
  ];
}

/** kube-apiserver does not name the index here. */
function resourcesErrors({ group = "", resources = [], resourceNames = [] }: AuditGroupResources, path: FieldPath): FieldError[] {
  const problems = group === "" || group === "*" ? [] : checkSubdomainName(group);
  return [
    ...(problems.length === 0 ? [] : [fieldInvalid(fieldChild(path, "group"), group, problems.join(","))]),
    ...(resourceNames.length > 0 && resources.length === 0
      ? [fieldInvalid(fieldChild(path, "resourceNames"), resourceNames, "using resourceNames requires at least one resource")]
      : []),
  ];
}

function stageErrors(omitted: readonly string[], path: FieldPath): FieldError[] {
  return omitted.flatMap((stage, index) =>
    (stages as readonly string[]).includes(stage)
      ? []
      : [fieldInvalid(fieldIndex(path, index), stage, `allowed stages are ${stages.join(",")}`)],
  );
}
