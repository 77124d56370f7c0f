/** The rules of the built-in kinds: one table, which lists only deviations from the default. */
import { checkDns1123Subdomain, checkLabelName, checkPathSegmentName, checkSubdomainName, hours, validateIp } from "@drover/machinery";
import type { GroupVersionKind, NameCheck } from "@drover/machinery";
import type { ResourceRules } from "../registry/resource-rules.ts";

/** Returns the rules of a built-in kind. Its versions share them, except for name validation. */
export const rulesOf = ({ group, version, kind }: GroupVersionKind): ResourceRules => ({
  ...usual,
  ...unusual.get(`${group}/${version}/${kind}`),
});

const usual: ResourceRules = {
  checkName: checkSubdomainName,
  generation: "none",
  unconditionalUpdate: true,
  createOnUpdate: false,
  returnsDeleted: false,
  orphansByDefault: false,
  statusMetadata: "all",
  unknownFieldSelector: "known-list",
};

/** A DNS subdomain as declarative validation checks it: it counts bytes, and checks the generated name instead of its prefix. */
const checkLongName: NameCheck = (name, { prefix = false } = {}) => (prefix ? [] : checkDns1123Subdomain(name, "bytes"));

/** An IP address in canonical form. */
const checkAddressName: NameCheck = (name) => validateIp(name, "").map(({ detail }) => detail ?? "");

type Unusual = Partial<ResourceRules>;

const countsSpec: Unusual = { generation: "spec" };
const returned: Unusual = { returnsDeleted: true };
const guarded: Unusual = { unconditionalUpdate: false };
const statusAlone: Unusual = { statusMetadata: "none" };
const ownFields: Unusual = { unknownFieldSelector: "label-not-supported" };
const role: Unusual = { checkName: checkPathSegmentName, createOnUpdate: true };
const event: Unusual = { ...ownFields, createOnUpdate: true, ttlMs: hours(1) };
/** The strategy compares the name with the spec. */
const namedAfterSpec: Unusual = { checkName: checkPathSegmentName };

const core: readonly (readonly [string, Unusual])[] = [
  ["/v1/Endpoints", { createOnUpdate: true }],
  ["/v1/Event", { ...event, checkName: checkPathSegmentName }],
  ["/v1/LimitRange", { createOnUpdate: true }],
  ["/v1/Namespace", { ...ownFields, ...returned, checkName: checkLabelName }],
  ["/v1/Node", { ...ownFields, keepsStatusOnCreate: true }],
  ["/v1/PersistentVolume", returned],
  ["/v1/PersistentVolumeClaim", returned],
  ["/v1/Pod", { ...ownFields, ...returned, ...countsSpec, keepsStatusOnCreate: true, statusMetadata: "all-but-owners" }],
  ["/v1/PodTemplate", { ...returned, generation: "all" }],
  ["/v1/ReplicationController", { ...ownFields, checkName: checkLongName, ...countsSpec, orphansByDefault: true }],
  ["/v1/ResourceQuota", returned],
  ["/v1/Secret", ownFields],
  ["/v1/Service", { ...ownFields, ...returned, checkName: checkLabelName, createOnUpdate: true }],
  ["/v1/ServiceAccount", returned],
];

const workloads: readonly (readonly [string, Unusual])[] = [
  ["apps/v1/DaemonSet", countsSpec],
  ["apps/v1/Deployment", { generation: "spec-and-annotations", statusMetadata: "annotations" }],
  ["apps/v1/ReplicaSet", countsSpec],
  ["apps/v1/StatefulSet", { ...countsSpec, checkName: checkLabelName }],
  ["batch/v1/CronJob", countsSpec],
  ["batch/v1/Job", { ...countsSpec, orphansByDefault: true, unknownFieldSelector: "quoted-label-not-supported-for-kind" }],
  ["policy/v1/PodDisruptionBudget", { ...countsSpec, ...guarded, checkName: checkPathSegmentName }],
];

const others: readonly (readonly [string, Unusual])[] = [
  ["admissionregistration.k8s.io/v1/MutatingAdmissionPolicy", { ...countsSpec, ...guarded }],
  ["admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding", { ...countsSpec, ...guarded }],
  ["admissionregistration.k8s.io/v1/MutatingWebhookConfiguration", { ...guarded, generation: "all" }],
  ["admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy", { ...countsSpec, ...guarded, ...statusAlone }],
  ["admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding", { ...countsSpec, ...guarded }],
  ["admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration", { ...guarded, generation: "all" }],
  ["apiextensions.k8s.io/v1/CustomResourceDefinition", { ...countsSpec, ...guarded }],
  ["apiregistration.k8s.io/v1/APIService", { ...guarded, ...statusAlone, ...namedAfterSpec }],
  [
    "certificates.k8s.io/v1/CertificateSigningRequest",
    {
      ...ownFields,
      checkName: checkPathSegmentName,
      resetFields: {
        "": [["f:spec"], ["f:status"]],
        status: [["f:spec"], ["f:status", "f:conditions"]],
        approval: [["f:spec"], ["f:status", "f:certificate"]],
      },
    },
  ],
  ["coordination.k8s.io/v1/Lease", { ...guarded, createOnUpdate: true }],
  ["discovery.k8s.io/v1/EndpointSlice", { generation: "all-and-labels" }],
  ["events.k8s.io/v1/Event", event],
  ["flowcontrol.apiserver.k8s.io/v1/FlowSchema", { ...countsSpec, ...statusAlone }],
  ["flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration", { ...countsSpec, ...statusAlone }],
  ["networking.k8s.io/v1/IPAddress", { checkName: checkAddressName }],
  ["networking.k8s.io/v1/Ingress", countsSpec],
  ["networking.k8s.io/v1/IngressClass", countsSpec],
  ["networking.k8s.io/v1/NetworkPolicy", countsSpec],
  ["networking.k8s.io/v1/ServiceCIDR", { ...statusAlone, resetFields: { "": [] } }],
  ["node.k8s.io/v1/RuntimeClass", { ...guarded, createOnUpdate: true }],
  ["rbac.authorization.k8s.io/v1/ClusterRole", role],
  ["rbac.authorization.k8s.io/v1/ClusterRoleBinding", role],
  ["rbac.authorization.k8s.io/v1/Role", role],
  ["rbac.authorization.k8s.io/v1/RoleBinding", role],
  ["resource.k8s.io/v1/DeviceClass", { ...countsSpec, ...returned, checkName: checkLongName }],
  ["resource.k8s.io/v1/ResourceClaim", { ...returned, ...statusAlone }],
  ["resource.k8s.io/v1/ResourceClaimTemplate", returned],
  ["resource.k8s.io/v1/ResourceSlice", { ...countsSpec, ...returned, unknownFieldSelector: "label-not-supported-for-kind" }],
  ["scheduling.k8s.io/v1/PriorityClass", { generation: "once" }],
  ["storage.k8s.io/v1/CSIDriver", { ...guarded, ...returned, generation: "spec-after-create" }],
  ["storage.k8s.io/v1/CSINode", { ...guarded, ...returned }],
  ["storage.k8s.io/v1/CSIStorageCapacity", guarded],
  ["storage.k8s.io/v1/StorageClass", returned],
  ["storage.k8s.io/v1/VolumeAttachment", { ...guarded, ...returned, ...statusAlone }],
  ["storage.k8s.io/v1/VolumeAttributesClass", returned],
];

const unusual: ReadonlyMap<string, Unusual> = new Map([...core, ...workloads, ...others]);
