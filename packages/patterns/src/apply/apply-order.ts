/** The order in which objects are applied: what others stand on comes first. They are deleted in the opposite order. */
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

/** Where a kind stands; lower is earlier. Kinds that are not named are custom ones, which need everything but webhooks. */
export const applyRank = ({ group, kind }: GroupKind): number => byName.get(group === "" ? kind : `${kind}.${group}`) ?? rankOfCustom;
