/** Finds the rule of an audit policy for a request. */
import type { Attributes } from "../access/authorizer.ts";
import type { User } from "../access/user.ts";
import type { AuditGroupResources, AuditLevel, AuditPolicy, AuditRule, AuditStage } from "./audit-event.ts";

/** What a policy says about one request. */
export interface AuditConfig {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

/** The attributes of a request; the user is undefined if its credentials are invalid. */
export type AuditedAttributes = Omit<Attributes, "user"> & { readonly user: User | undefined };

/** Returns a function that finds the first rule that matches a request. Without one the level is "None". */
export function auditRules({
  rules,
  omitStages = [],
  omitManagedFields = false,
}: AuditPolicy): (attributes: AuditedAttributes) => AuditConfig {
  const configs = rules.map((rule) => ({
    rule,
    config: {
      level: rule.level,
      omitStages: new Set([...omitStages, ...(rule.omitStages ?? [])]),
      omitManagedFields: rule.omitManagedFields ?? omitManagedFields,
    },
  }));
  const unmatched: AuditConfig = { level: "None", omitStages: new Set(omitStages), omitManagedFields };
  return (attributes) => configs.find(({ rule }) => matches(rule, attributes))?.config ?? unmatched;
}

function matches(rule: AuditRule, attributes: AuditedAttributes): boolean {
  const { users = [], userGroups = [], verbs = [], namespaces = [], resources = [], nonResourceURLs = [] } = rule;
  const { user, verb, isResourceRequest, namespace, path } = attributes;
  if (users.length > 0 && (user === undefined || !users.includes(user.name))) return false;
  if (userGroups.length > 0 && user?.groups.some((group) => userGroups.includes(group)) !== true) return false;
  if (verbs.length > 0 && !verbs.includes(verb)) return false;
  if (namespaces.length > 0 || resources.length > 0) {
    if (!isResourceRequest || (namespaces.length > 0 && !namespaces.includes(namespace))) return false;
    return resources.length === 0 || resources.some((each) => matchesResource(each, attributes));
  }
  if (nonResourceURLs.length > 0) return !isResourceRequest && nonResourceURLs.some((spec) => matchesPath(spec, path));
  return true;
}

function matchesPath(spec: string, path: string): boolean {
  return spec === "*" || spec === path || (spec.endsWith("*") && path.startsWith(spec.replace(/\*+$/, "")));
}

function matchesResource(
  { group: wanted = "", resources = [], resourceNames = [] }: AuditGroupResources,
  { group, resource, subresource, name }: AuditedAttributes,
): boolean {
  if (wanted !== group && wanted !== "*") return false;
  if (resources.length === 0) return true;
  if (resourceNames.length > 0 && !resourceNames.includes(name)) return false;
  const whole = subresource === "" ? resource : `${resource}/${subresource}`;
  return resources.some(
    (each) =>
      each === "*" ||
      each === whole ||
      (subresource !== "" && each === `*/${subresource}`) ||
      // "pods/*" matches pods themselves too.
      each === `${resource}/*`,
  );
}
