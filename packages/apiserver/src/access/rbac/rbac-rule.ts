/** Whether a rule of a role covers a request, as kube-apiserver's RBAC authorizer decides it. */
import type { PolicyRule } from "@drover/api/rbac/v1";
import type { DeepReadonly } from "@drover/machinery";
import type { Attributes } from "../authorizer.ts";

export type Rule = DeepReadonly<PolicyRule>;

export function ruleAllows(rule: Rule, attributes: Attributes): boolean {
  const { verb, isResourceRequest, path, group, resource, subresource, name } = attributes;
  if (!isResourceRequest) return has(rule.verbs, verb) && coversPath(rule.nonResourceURLs, path);
  return has(rule.verbs, verb) && has(rule.apiGroups, group) && coversResource(rule, resource, subresource) && coversName(rule, name);
}

/** Whether a list names a verb or group, or all of them. */
function has(list: readonly string[] | undefined, wanted: string): boolean {
  return list !== undefined && (list.includes("*") || list.includes(wanted));
}

/** "pods" does not cover "pods/log"; "*" does, and so does the log of "*". */
function coversResource({ resources }: Rule, resource: string, subresource: string): boolean {
  if (resources === undefined) return false;
  if (subresource === "") return has(resources, resource);
  return has(resources, `${resource}/${subresource}`) || resources.includes(`*/${subresource}`);
}

function coversName({ resourceNames }: Rule, name: string): boolean {
  return resourceNames === undefined || resourceNames.length === 0 || resourceNames.includes(name);
}

/** "/healthz/*" covers "/healthz/" and everything below it. */
export function coversPath(urls: readonly string[] | undefined, path: string): boolean {
  return urls?.some((url) => url === "*" || url === path || (url.endsWith("*") && path.startsWith(url.replace(/\*+$/, "")))) ?? false;
}
