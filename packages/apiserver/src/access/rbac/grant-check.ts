/**
 * Keeps users from granting what they do not hold: kube-apiserver's check of each write of a role or binding.
 *
 *     Grant request → verb "escalate" or "bind" allowed?  → else the rules of the user must cover those granted
 */
import type { ClusterRole, ClusterRoleBinding } from "@drover/api/rbac/v1";
import { budget, newBadRequest, newFailure, newForbidden, newNotFound, quoteGo } from "@drover/machinery";
import type { DeepReadonly, Status } from "@drover/machinery";
import { StatusError } from "../../status-error.ts";
import type { Attributes, Authorizer } from "../authorizer.ts";
import { mastersGroup } from "../system-names.ts";
import type { User } from "../user.ts";
import type { RbacObjects } from "./rbac-objects.ts";
import type { Rule } from "./rbac-rule.ts";
import { permissionCount, uncoveredRules } from "./rule-cover.ts";

const group = "rbac.authorization.k8s.io";

const permissions = budget({
  name: "apiserver/granted-permissions",
  limit: 100_000,
  unit: "items",
  atLimit: "A user who may not escalate gets a 413 for a role with more combinations of verb, group, resource and name.",
  uncounted: "The answer says so to the one who sent the role.",
});

/** A write of a role or binding. */
export interface GrantRequest {
  readonly user: User;
  /** "roles", "clusterroles", "rolebindings" or "clusterrolebindings". */
  readonly resource: string;
  /** Of the request; "" for cluster-scoped objects. */
  readonly namespace: string;
  /** In the path of the request: "" if a POST creates the object. */
  readonly requestName: string;
  readonly object: DeepReadonly<ClusterRole | ClusterRoleBinding>;
  /** The object before the write; undefined for a new one. */
  readonly old: DeepReadonly<ClusterRole | ClusterRoleBinding> | undefined;
}

export interface GrantCheckOptions {
  readonly authorizer: Authorizer;
  /** Returns the stored roles and bindings. */
  readonly current: () => Promise<RbacObjects>;
}

/** Throws the `StatusError` of kube-apiserver if the user may not grant this. Assumes that the write changes more than metadata. */
export async function checkGrant(request: GrantRequest, options: GrantCheckOptions): Promise<void> {
  const { user, resource } = request;
  if (user.groups.includes(mastersGroup)) return;
  if (resource === "roles" || resource === "clusterroles") await checkRole(request, options);
  else await checkBinding(request, options);
}

async function checkRole(request: GrantRequest, { authorizer, current }: GrantCheckOptions): Promise<void> {
  const { user, resource, namespace, requestName } = request;
  if (await isAllowed(authorizer, { user, verb: "escalate", resource, namespace, name: requestName })) return;
  const objects = await current();
  const [role, old] = [request.object as DeepReadonly<ClusterRole>, request.old as DeepReadonly<ClusterRole> | undefined];
  confirm(request, objects, role.rules ?? []);
  if (!isAggregated(role) && !isAggregated(old)) return;
  if (problemOf(request, objects, everything) !== undefined)
    throw refused(request, "must have cluster-admin privileges to use the aggregationRule");
}

const everything: readonly Rule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

const isAggregated = (role: DeepReadonly<ClusterRole> | undefined): boolean =>
  (role?.aggregationRule?.clusterRoleSelectors ?? []).length > 0;

async function checkBinding(request: GrantRequest, { authorizer, current }: GrantCheckOptions): Promise<void> {
  const { user, namespace } = request;
  const { roleRef = noRole } = request.object as Partial<DeepReadonly<ClusterRoleBinding>>;
  const resource = roleResources.get(roleRef.kind);
  if (resource === undefined) throw new StatusError(newFailure(500, "", `unsupported role reference kind: ${quoteGo(roleRef.kind)}`));
  const asked = { user, verb: "bind", resource, namespace, name: roleRef.name, group: roleRef.apiGroup ?? group };
  if (await isAllowed(authorizer, asked)) return;
  // A cluster role binding cannot refer to a role of a namespace.
  if (roleRef.kind === "Role" && namespace === "") throw new StatusError(newBadRequest("Namespace parameter required."));
  const objects = await current();
  const rules = objects.rulesOf(roleRef.kind === "Role" ? namespace : "", roleRef.name);
  if (rules === undefined) throw new StatusError(notFound(request, roleRef.name));
  confirm(request, objects, rules);
}

const noRole = { apiGroup: "", kind: "", name: "" } as const;

const roleResources: ReadonlyMap<string, string> = new Map([
  ["Role", "roles"],
  ["ClusterRole", "clusterroles"],
]);

type Asked = Pick<Attributes, "user" | "verb" | "resource" | "namespace" | "name"> & Partial<Pick<Attributes, "group">>;

async function isAllowed(authorizer: Authorizer, asked: Asked): Promise<boolean> {
  const { decision } = await authorizer.authorize({ group, isResourceRequest: true, path: "", version: "*", subresource: "", ...asked });
  return decision === "allow";
}

function confirm(request: GrantRequest, objects: RbacObjects, rules: readonly Rule[]): void {
  const problem = problemOf(request, objects, rules);
  if (problem !== undefined) throw refused(request, problem);
}

function refused({ resource, object }: GrantRequest, why: string): StatusError {
  return new StatusError(newForbidden({ group, resource }, object.metadata.name ?? "", why));
}

/** Returns which of the rules the user does not hold; undefined if all are held. */
function problemOf(request: GrantRequest, objects: RbacObjects, rules: readonly Rule[]): string | undefined {
  const { user, namespace } = request;
  if (permissionCount(rules) > permissions.limit)
    throw new StatusError(
      newFailure(
        413,
        "RequestEntityTooLarge",
        `the rules permit more than ${permissions.limit} combinations; grant fewer, or use wildcards`,
      ),
    );
  const held: Rule[] = [];
  const missing = new Set<string>();
  objects.visitGrants(user, namespace, (grant) => {
    if (grant.rules === undefined) missing.add(notFound(request, grant.roleName).message ?? "");
    else held.push(...grant.rules);
    return false;
  });
  const lacking = uncoveredRules(held, rules);
  if (lacking.length === 0) return undefined;
  const described = [...new Set(compacted(lacking).map(ruleText))].toSorted();
  const groups = listText(user.groups);
  const problems = missing.size === 0 ? "" : `; resolution errors: ${resolutionErrors([...missing])}`;
  return `user ${quoteGo(user.name)} (groups=${groups}) is attempting to grant RBAC permissions not currently held:\n${described.join("\n")}${problems}`;
}

/** Like kube-apiserver, names the resource of the request instead of that of the role. */
const notFound = ({ resource }: GrantRequest, role: string): Status => newNotFound({ group, resource }, role);

/** As Go prints a list with one error, which may consist of several. */
const resolutionErrors = (problems: readonly string[]): string =>
  problems.length === 1 ? `[${problems[0]}]` : `[[${problems.join(", ")}]]`;

/** Joins the verbs of rules about the same resource and name. */
function compacted(rules: readonly Rule[]): readonly Rule[] {
  const joined = new Map<string, Rule>();
  for (const rule of rules) {
    const { apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
    // Rules for paths stay apart.
    const key = nonResourceURLs.length > 0 ? JSON.stringify(rule) : JSON.stringify([apiGroups, resources, resourceNames]);
    const known = joined.get(key);
    joined.set(key, known === undefined || nonResourceURLs.length > 0 ? rule : { ...known, verbs: [...known.verbs, ...rule.verbs] });
  }
  return [...joined.values()];
}

/** Returns `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}`. */
function ruleText({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: Rule): string {
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ["APIGroups", apiGroups],
    ["Resources", resources],
    ["NonResourceURLs", nonResourceURLs],
    ["ResourceNames", resourceNames],
    ["Verbs", verbs],
  ];
  return `{${parts
    .filter(([, list]) => list.length > 0)
    .map(([name, list]) => `${name}:${listText(list)}`)
    .join(", ")}}`;
}

const listText = (list: readonly string[]): string => `[${list.map(quoteGo).join(" ")}]`;
