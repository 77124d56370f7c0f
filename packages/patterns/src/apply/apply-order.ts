/** The order in which kinds are applied: dependencies first. Objects are deleted in reverse order. */
import type { GroupKind } from "@drover/machinery";

const ranks: readonly (readonly string[])[] = [
  ["Namespace"],
  ["CustomResourceDefinition.apiextensions.k8s.io"],
  [
    "PriorityClass.scheduling.k8s.io",
    "StorageClass.storage.k8s.io",
    "RuntimeClass.node.k8s.io",
    "IngressClass.networking.k8s.io",
    "CSIDriver.storage.k8s.io",
    "ResourceQuota",
    "LimitRange",
    "NetworkPolicy.networking.k8s.io",
    "PodDisruptionBudget.policy",
    "PriorityLevelConfiguration.flowcontrol.apiserver.k8s.io",
    "FlowSchema.flowcontrol.apiserver.k8s.io",
  ],
  ["ServiceAccount"],
  ["Secret", "ConfigMap"],
  ["ClusterRole.rbac.authorization.k8s.io", "Role.rbac.authorization.k8s.io"],
  ["ClusterRoleBinding.rbac.authorization.k8s.io", "RoleBinding.rbac.authorization.k8s.io"],
  ["Service"],
  ["PersistentVolume", "PersistentVolumeClaim"],
  [
    "Pod",
    "ReplicationController",
    "ReplicaSet.apps",
    "Deployment.apps",
    "StatefulSet.apps",
    "DaemonSet.apps",
    "Job.batch",
    "CronJob.batch",
    "PodTemplate",
  ],
  ["HorizontalPodAutoscaler.autoscaling", "Ingress.networking.k8s.io"],
  [],
  ["APIService.apiregistration.k8s.io"],
  [
    "MutatingWebhookConfiguration.admissionregistration.k8s.io",
    "ValidatingWebhookConfiguration.admissionregistration.k8s.io",
    "ValidatingAdmissionPolicy.admissionregistration.k8s.io",
    "ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io",
    "MutatingAdmissionPolicy.admissionregistration.k8s.io",
    "MutatingAdmissionPolicyBinding.admissionregistration.k8s.io",
  ],
];

const rankOfCustom = ranks.findIndex((names) => names.length === 0);
const byName: ReadonlyMap<string, number> = new Map(ranks.flatMap((names, rank) => names.map((name): [string, number] => [name, rank])));

/**
 * Returns the rank of a kind; lower ranks are applied first. Unlisted kinds are custom resources and come after all
 * built-in kinds except API services and admission webhooks.
 */
export const applyRank = ({ group, kind }: GroupKind): number => byName.get(group === "" ? kind : `${kind}.${group}`) ?? rankOfCustom;
