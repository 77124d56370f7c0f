/** The users that the components of a cluster run as: those of a cluster that kubeadm has set up. */
import type { User } from "@drover/apiserver";

/** Reads everything for informers, and writes Events. */
export const controllerManagerUser: User = { name: "system:kube-controller-manager", groups: [] };

export const schedulerUser: User = { name: "system:kube-scheduler", groups: [] };

/** Returns the user of a node's kubelet. */
export const kubeletUser = (node: string): User => ({ name: `system:node:${node}`, groups: ["system:nodes"] });

/** Returns the user of a controller: a service account in kube-system, such as "deployment-controller". */
export const controllerUser = (serviceAccount: string): User => ({
  name: `system:serviceaccount:kube-system:${serviceAccount}`,
  groups: ["system:serviceaccounts", "system:serviceaccounts:kube-system"],
});
