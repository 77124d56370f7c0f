/**
 * Decides what kubelets may do, as kube-apiserver's authorization mode Node: read what the pods of their node refer to, and report.
 *
 *     Attributes of system:node:<name> → one rule per resource → NodeGraph where the object must belong to the node → Decision
 */
import { parseFieldSelector, quoteGo, SelectorError } from "@drover/machinery";
import type { Attributes, Authorizer, Decision } from "../authorizer.ts";
import { ruleAllows } from "../rbac/rbac-rule.ts";
import { nodesGroup } from "../system-names.ts";
import type { User } from "../user.ts";
import type { NodeGraph, NodeVertexKind } from "./node-graph.ts";
import { nodeRules } from "./node-rules.ts";

const allow: Decision = { decision: "allow" };
const silent: Decision = { decision: "no-opinion" };
const refuse = (reason: string): Decision => ({ decision: "no-opinion", reason });

/** The node that asks, what it asks for, and the graph at the time of the decision. */
interface Asked extends Attributes {
  readonly node: string;
  readonly graph: () => Promise<NodeGraph>;
}

type NodeRule = (asked: Asked) => Decision | Promise<Decision>;

/**
 * Returns an authorizer. It never denies: what it does not allow is left to the next authorizer.
 * @param current - returns the graph at the time of the decision; called only for objects that must belong to the node
 */
export function nodeAuthorizer(current: () => Promise<NodeGraph>): Authorizer {
  return {
    authorize: async (attributes) => {
      const node = nodeOf(attributes.user);
      if (node === undefined) return silent;
      if (node === "") return refuse(`unknown node for user ${quoteGo(attributes.user.name)}`);
      const ruled = attributes.isResourceRequest ? rules.get(`${attributes.group}/${attributes.resource}`) : undefined;
      if (ruled !== undefined) return await ruled({ ...attributes, node, graph: current });
      return nodeRules.some((rule) => ruleAllows(rule, attributes)) ? allow : silent;
    },
    // Kubelets may need the graph.
    decide: ({ user }) => (nodeOf(user) === undefined ? silent : undefined),
    rulesFor: (user) =>
      Promise.resolve({
        resourceRules: [],
        nonResourceRules: [],
        ...(nodeOf(user) === undefined
          ? { incomplete: false }
          : { incomplete: true, evaluationError: "node authorizer does not support user rule resolution" }),
      }),
  };
}

const namePrefix = "system:node:";

/** Returns the node of a kubelet, "" if its name is missing; undefined for other users. */
function nodeOf({ name, groups }: User): string | undefined {
  return name.startsWith(namePrefix) && groups.includes(nodesGroup) ? name.slice(namePrefix.length) : undefined;
}

async function belongs({ node, graph, namespace, name }: Asked, kind: NodeVertexKind): Promise<Decision> {
  const isOwn = (await graph()).reaches({ kind, namespace, name }, node);
  return isOwn ? allow : refuse(`no relationship found between node '${node}' and this object`);
}

const named = (asked: Asked, kind: NodeVertexKind): Decision | Promise<Decision> =>
  asked.name === "" ? refuse("No Object name found") : belongs(asked, kind);

const canGet =
  (kind: NodeVertexKind): NodeRule =>
  (asked) => {
    if (asked.verb !== "get") return refuse("can only get individual resources of this type");
    if (asked.subresource !== "") return refuse("cannot get subresource");
    return named(asked, kind);
  };

const canRead =
  (kind: NodeVertexKind): NodeRule =>
  (asked) => {
    if (!["get", "list", "watch"].includes(asked.verb)) return refuse("can only read resources of this type");
    if (asked.subresource !== "") return refuse("cannot read subresource");
    if (asked.namespace === "") return refuse("can only read namespaced object of this type");
    return named(asked, kind);
  };

const claims: NodeRule = (asked) => {
  if (asked.subresource !== "status") return canGet("PersistentVolumeClaim")(asked);
  if (asked.verb !== "update" && asked.verb !== "patch") return refuse("can only get/update/patch this type");
  return named(asked, "PersistentVolumeClaim");
};

const serviceAccounts: NodeRule = (asked) => {
  const { verb, subresource, name } = asked;
  if (verb === "get" && subresource === "") return canRead("ServiceAccount")(asked);
  if (verb !== "create" || name === "") return refuse("can only create tokens for individual service accounts");
  if (subresource !== "token") return refuse("can only create token subresource of serviceaccount");
  return belongs(asked, "ServiceAccount");
};

const ownVerbs: readonly string[] = ["get", "create", "update", "patch", "delete"];

const leases: NodeRule = ({ verb, namespace, name, node }) => {
  if (!ownVerbs.includes(verb)) return refuse("can only get, create, update, patch, or delete a node lease");
  if (namespace !== "kube-node-lease") return refuse('can only access leases in the "kube-node-lease" system namespace');
  // The name of a new lease is in its body, which NodeRestriction checks.
  if (verb !== "create" && name !== node) return refuse("can only access node lease with the same name as the requesting node");
  return allow;
};

const csiNodes: NodeRule = ({ verb, subresource, name, node }) => {
  if (!ownVerbs.includes(verb)) return refuse("can only get, create, update, patch, or delete a CSINode");
  if (subresource !== "") return refuse("cannot authorize CSINode subresources");
  if (verb !== "create" && name !== node) return refuse("can only access CSINode with the same name as the requesting node");
  return allow;
};

const resourceSlices: NodeRule = (asked) => {
  const { verb, subresource } = asked;
  if (subresource !== "") return refuse("cannot authorize ResourceSlice subresources");
  if (verb === "create") return allow;
  if (ownVerbs.includes(verb)) return named(asked, "ResourceSlice");
  if (verb === "watch" || verb === "list" || verb === "deletecollection")
    return selectsOwn(asked, "spec.nodeName")
      ? allow
      : refuse("can only list/watch/deletecollection resourceslices with nodeName field selector");
  return refuse(
    "only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection",
  );
};

const nodes: NodeRule = ({ verb, subresource, name, node }) => {
  const isChange = verb === "update" || verb === "patch";
  if (subresource === "status") return isChange ? allow : silent;
  if (subresource !== "") return silent;
  if (isChange || verb === "create") return allow;
  if (verb !== "get" && verb !== "list" && verb !== "watch") return silent;
  if (name === node) return allow;
  return refuse(`node '${node}' cannot read ${name === "" ? "all nodes" : `'${name}'`}, only its own Node object`);
};

const pods: NodeRule = (asked) => {
  const { verb, subresource, name } = asked;
  if (subresource === "status") return verb === "update" || verb === "patch" ? allow : silent;
  if (subresource === "eviction") return verb === "create" ? allow : silent;
  if (subresource !== "") return silent;
  if (verb === "get") return canGet("Pod")(asked);
  if (verb === "create" || verb === "delete") return allow;
  if (verb !== "list" && verb !== "watch") return silent;
  if (selectsOwn(asked, "spec.nodeName")) return allow;
  return name === "" ? refuse("can only list/watch pods with spec.nodeName field selector") : belongs(asked, "Pod");
};

/** The rules of resources that are divided between nodes, by group and plural. Other resources are the same for all nodes. */
const rules: ReadonlyMap<string, NodeRule> = new Map<string, NodeRule>([
  ["/secrets", canRead("Secret")],
  ["/configmaps", canRead("ConfigMap")],
  ["/persistentvolumeclaims", claims],
  ["/persistentvolumes", canGet("PersistentVolume")],
  ["resource.k8s.io/resourceclaims", canGet("ResourceClaim")],
  ["storage.k8s.io/volumeattachments", canGet("VolumeAttachment")],
  ["/serviceaccounts", serviceAccounts],
  ["coordination.k8s.io/leases", leases],
  ["storage.k8s.io/csinodes", csiNodes],
  ["resource.k8s.io/resourceslices", resourceSlices],
  ["/nodes", nodes],
  ["/pods", pods],
  // Their feature is off by default.
  ["certificates.k8s.io/podcertificaterequests", () => silent],
]);

function selectsOwn({ fieldSelector = "", node }: Asked, field: string): boolean {
  try {
    return parseFieldSelector(fieldSelector).terms.some((term) => term.field === field && term.operator === "=" && term.value === node);
  } catch (error) {
    // The answer to the request reports it.
    if (error instanceof SelectorError) return false;
    throw error;
  }
}
