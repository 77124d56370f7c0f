/** What all kubelets may do alike: the resources that the node authorizer does not divide between nodes. */
import type { Rule } from "../rbac/rbac-rule.ts";

const rule = (verbs: readonly string[], apiGroups: readonly string[], resources: readonly string[]): Rule => ({
  verbs,
  apiGroups,
  resources,
});
const read: readonly string[] = ["get", "list", "watch"];

/** As kube-apiserver's ClusterRole `system:node`, without the resources that the authorizer decides on itself. */
export const nodeRules: readonly Rule[] = [
  rule(["create"], ["authentication.k8s.io"], ["tokenreviews"]),
  rule(["create"], ["authorization.k8s.io"], ["subjectaccessreviews", "localsubjectaccessreviews"]),
  rule(read, [""], ["services"]),
  rule(["create", "update", "patch"], ["", "events.k8s.io"], ["events"]),
  rule(["get"], [""], ["endpoints"]),
  rule(["create", ...read], ["certificates.k8s.io"], ["certificatesigningrequests"]),
  rule(read, ["storage.k8s.io"], ["csidrivers"]),
  rule(read, ["node.k8s.io"], ["runtimeclasses"]),
];
