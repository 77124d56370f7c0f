/** The authorizers of kube-apiserver, by the names that its flag `--authorization-mode` gives them. */
import { alwaysAllow } from "../access/always-allow.ts";
import type { Authorizer } from "../access/authorizer.ts";
import { authorizerUnion } from "../access/authorizer-union.ts";
import { nodeAuthorizer } from "../access/node/node-authorizer.ts";
import { privilegedGroup } from "../access/privileged-group.ts";
import { rbacAuthorizer } from "../access/rbac/rbac-authorizer.ts";
import { mastersGroup } from "../access/system-names.ts";
import { grantGuard } from "./grant-guard.ts";
import type { Backend, GrantGuard } from "./request-context.ts";
import { StoredNodeGraph } from "./stored-node-graph.ts";
import { StoredRbac } from "./stored-rbac.ts";

/** "Node" decides what kubelets may do, by the pods of their nodes; "RBAC" decides by the stored roles and bindings. */
export type AuthorizationMode = "AlwaysAllow" | "Node" | "RBAC";

const knownModes: readonly AuthorizationMode[] = ["AlwaysAllow", "Node", "RBAC"];

export interface Authorization {
  readonly authorizer: Authorizer;
  /** Undefined if everybody may do everything. */
  readonly guardGrants: GrantGuard | undefined;
}

/**
 * Returns an authorizer that asks those of the modes in order, after the group `system:masters`, which may do everything. With "RBAC"
 * users can grant only what they hold.
 */
export function authorizationOf(
  modes: readonly AuthorizationMode[],
  { objects, registry }: Pick<Backend, "objects" | "registry">,
): Authorization {
  if (modes.length === 0) throw new TypeError('authorizationModes: none given; give at least one of "AlwaysAllow", "Node" and "RBAC"');
  const unknown = modes.find((mode) => !knownModes.includes(mode));
  if (unknown !== undefined)
    throw new TypeError(`authorizationModes: unknown mode ${JSON.stringify(unknown)}; known are ${knownModes.join(", ")}`);
  if (modes[0] === "AlwaysAllow") return { authorizer: alwaysAllow, guardGrants: undefined };
  const stored = new StoredRbac(objects, registry);
  const graph = new StoredNodeGraph(objects, registry);
  const byMode: Readonly<Record<AuthorizationMode, Authorizer>> = {
    AlwaysAllow: alwaysAllow,
    Node: nodeAuthorizer(() => graph.current()),
    RBAC: rbacAuthorizer(
      () => stored.current(),
      () => stored.now(),
    ),
  };
  const authorizer = authorizerUnion([privilegedGroup(mastersGroup), ...modes.map((mode) => byMode[mode])]);
  return { authorizer, guardGrants: grantGuard({ authorizer, current: () => stored.current() }) };
}
