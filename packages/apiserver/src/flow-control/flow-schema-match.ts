/** Which requests a FlowSchema matches. */
import type { FlowSchema, NonResourcePolicyRule, PolicyRulesWithSubjects, ResourcePolicyRule, Subject } from "@drover/api/flowcontrol/v1";
import type { DeepReadonly, RequestInfo } from "@drover/machinery";
import type { User } from "../access/user.ts";

/** What is read of a request. */
export type ClassifiedRequest = Pick<
  RequestInfo,
  "verb" | "isResourceRequest" | "path" | "apiGroup" | "resource" | "subresource" | "namespace"
>;

export function matchesFlowSchema({ spec }: DeepReadonly<FlowSchema>, user: User, request: ClassifiedRequest): boolean {
  return spec?.rules?.some((rules) => matchesRules(rules, user, request)) === true;
}

function matchesRules(rules: DeepReadonly<PolicyRulesWithSubjects>, user: User, request: ClassifiedRequest): boolean {
  const { subjects, resourceRules = [], nonResourceRules = [] } = rules;
  if (!subjects.some((subject) => matchesSubject(subject, user))) return false;
  return request.isResourceRequest
    ? resourceRules.some((rule) => matchesResource(rule, request))
    : nonResourceRules.some((rule) => matchesPath(rule, request));
}

function matchesSubject(subject: DeepReadonly<Subject>, { name, groups }: User): boolean {
  switch (subject.kind) {
    case "User":
      return subject.user?.name === "*" || subject.user?.name === name;
    case "Group":
      return subject.group?.name === "*" || (subject.group !== undefined && groups.includes(subject.group.name));
    case "ServiceAccount": {
      const { namespace, name: account } = subject.serviceAccount ?? {};
      if (namespace === undefined || account === undefined) return false;
      const start = `system:serviceaccount:${namespace}:`;
      return account === "*" ? name.startsWith(start) : name === start + account;
    }
    default:
      return false;
  }
}

function matchesResource(
  { verbs, resources, apiGroups, clusterScope = false, namespaces = [] }: DeepReadonly<ResourcePolicyRule>,
  { verb, resource, subresource, apiGroup, namespace }: ClassifiedRequest,
): boolean {
  if (!has(verbs, verb) || !has(apiGroups, apiGroup)) return false;
  if (!has(resources, subresource === "" ? resource : `${resource}/${subresource}`)) return false;
  return namespace === "" ? clusterScope : has(namespaces, namespace);
}

function matchesPath({ verbs, nonResourceURLs }: DeepReadonly<NonResourcePolicyRule>, { verb, path }: ClassifiedRequest): boolean {
  if (!has(verbs, verb)) return false;
  return nonResourceURLs.some((url) => {
    if (url === "*" || url === path) return true;
    // Without a star too, a URL matches everything below it.
    const prefix = url.endsWith("*") ? url.slice(0, -1) : url;
    return path.startsWith(prefix.endsWith("/") ? prefix : `${prefix}/`);
  });
}

/** A star stands for everything only if it is alone. */
const has = (list: readonly string[], value: string): boolean => (list.length === 1 && list[0] === "*") || list.includes(value);
