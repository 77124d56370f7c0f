/**
 * Kinds that kube-apiserver can read although it serves them nowhere: old versions, versions that are off by default, and the options
 * and messages that every group has. A body of such a kind is refused in other words than one of an unknown kind.
 */
import { kinds } from "@drover/api";
import type { RegisteredKind } from "@drover/api/shapes";
import { apiVersionOf } from "@drover/machinery";
import type { GroupVersionKind } from "@drover/machinery";

const withLists = (...names: readonly string[]): readonly string[] => names.flatMap((kind) => [kind, `${kind}List`]);

const policies: readonly string[] = [
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
];
const flowControl: readonly string[] = withLists("FlowSchema", "PriorityLevelConfiguration");
const roles: readonly string[] = withLists("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding");
const devices: readonly string[] = ["DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"];

const unserved: ReadonlyMap<string, readonly string[]> = new Map([
  ["admission.k8s.io/v1", ["AdmissionReview"]],
  ["admission.k8s.io/v1beta1", ["AdmissionReview"]],
  ["admissionregistration.k8s.io/v1alpha1", withLists(...policies)],
  ["admissionregistration.k8s.io/v1beta1", withLists(...policies, "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")],
  ["apps/v1beta1", [...withLists("ControllerRevision", "Deployment", "StatefulSet"), "DeploymentRollback", "Scale"]],
  ["apps/v1beta2", [...withLists("ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"), "Scale"]],
  ["authentication.k8s.io/v1alpha1", ["SelfSubjectReview"]],
  ["authentication.k8s.io/v1beta1", ["SelfSubjectReview", "TokenReview"]],
  [
    "authorization.k8s.io/v1beta1",
    ["LocalSubjectAccessReview", "SelfSubjectAccessReview", "SelfSubjectRulesReview", "SubjectAccessReview"],
  ],
  ["batch/v1beta1", withLists("CronJob")],
  ["certificates.k8s.io/v1alpha1", withLists("ClusterTrustBundle")],
  ["certificates.k8s.io/v1beta1", withLists("CertificateSigningRequest", "ClusterTrustBundle", "PodCertificateRequest")],
  ["coordination.k8s.io/v1alpha2", withLists("LeaseCandidate")],
  ["coordination.k8s.io/v1beta1", withLists("Lease", "LeaseCandidate")],
  ["discovery.k8s.io/v1beta1", withLists("EndpointSlice")],
  ["events.k8s.io/v1beta1", withLists("Event")],
  [
    "extensions/v1beta1",
    [...withLists("DaemonSet", "Deployment", "Ingress", "NetworkPolicy", "ReplicaSet"), "DeploymentRollback", "Scale"],
  ],
  ["flowcontrol.apiserver.k8s.io/v1beta1", flowControl],
  ["flowcontrol.apiserver.k8s.io/v1beta2", flowControl],
  ["flowcontrol.apiserver.k8s.io/v1beta3", flowControl],
  ["imagepolicy.k8s.io/v1alpha1", ["ImageReview"]],
  ["internal.apiserver.k8s.io/v1alpha1", withLists("StorageVersion")],
  ["networking.k8s.io/v1beta1", withLists("Ingress", "IngressClass", "IPAddress", "ServiceCIDR")],
  ["node.k8s.io/v1alpha1", withLists("RuntimeClass")],
  ["node.k8s.io/v1beta1", withLists("RuntimeClass")],
  ["policy/v1beta1", ["Eviction", ...withLists("PodDisruptionBudget")]],
  ["rbac.authorization.k8s.io/v1alpha1", roles],
  ["rbac.authorization.k8s.io/v1beta1", roles],
  ["resource.k8s.io/v1alpha3", withLists("DeviceTaintRule", "ResourcePoolStatusRequest")],
  ["resource.k8s.io/v1beta1", withLists(...devices)],
  ["resource.k8s.io/v1beta2", withLists(...devices, "DeviceTaintRule")],
  ["scheduling.k8s.io/v1alpha2", withLists("PodGroup", "Workload")],
  ["scheduling.k8s.io/v1beta1", withLists("PriorityClass")],
  ["storage.k8s.io/v1alpha1", withLists("CSIStorageCapacity", "VolumeAttachment", "VolumeAttributesClass")],
  [
    "storage.k8s.io/v1beta1",
    withLists("CSIDriver", "CSINode", "CSIStorageCapacity", "StorageClass", "VolumeAttachment", "VolumeAttributesClass"),
  ],
  ["storagemigration.k8s.io/v1beta1", withLists("StorageVersionMigration")],
]);

const served: ReadonlySet<string> = new Set(kinds.map(apiVersionOf));

/** In every version of every group. */
const options: ReadonlySet<string> = new Set([
  "CreateOptions",
  "DeleteOptions",
  "GetOptions",
  "ListOptions",
  "PatchOptions",
  "UpdateOptions",
  "WatchEvent",
]);
/** In the version v1 of the core. */
const answers: ReadonlySet<string> = new Set(["APIGroup", "APIGroupList", "APIResourceList", "APIVersions", "Status"]);

/** A kind that can be read without being served; undefined for any other. */
export function unservedKind(kind: GroupVersionKind): RegisteredKind | undefined {
  const apiVersion = apiVersionOf(kind);
  const isKnown =
    unserved.get(apiVersion)?.includes(kind.kind) === true ||
    isAnswer(kind) ||
    (options.has(kind.kind) && (unserved.has(apiVersion) || served.has(apiVersion)));
  return isKnown ? { goType: `${kind.version}.${kind.kind}`, shape: undefined } : undefined;
}

/** Whether every part of kube-apiserver knows the kind: messages such as a Status. */
export const isAnswer = (kind: GroupVersionKind): boolean => apiVersionOf(kind) === "v1" && answers.has(kind.kind);
