/** The smallest object the server accepts, for every built-in kind that can be created; everything the server adds is a default. */
import type { JsonObject } from "@drover/machinery";

const labels = { app: "web" };
const container = { name: "c", image: "nginx" };
const template = { metadata: { labels }, spec: { containers: [container] } };
const workload = { selector: { matchLabels: labels }, template };
const job = { template: { spec: { containers: [container], restartPolicy: "Never" } } };
const roleRef = { kind: "ClusterRole", name: "view" };
const matchConstraints = { resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }] };
const webhook = {
  name: "a.example.com",
  clientConfig: { service: { name: "s", namespace: "n" } },
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
  rules: matchConstraints.resourceRules,
};
const pool = { name: "p", generation: 1, resourceSliceCount: 1 };

/** A certificate request of the user "somebody", with a key made only for it. */
const certificateRequest =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlITk1IVUNBUUF3RXpFUk1BOEdBMVVFQXd3SWMyOXRaV0p2Wkhrd1dUQVRCZ2NxaGtqT1BRSUJCZ2dxaGtqTwpQUU1C" +
  "QndOQ0FBVDNuQTRiOFNCdk1IeW1LWTZEcFp4UGtoblJMNjhZRW91VUNkS0NuMWZaT0I2Mkw3STFxWkxmCjFjNXBvbTJpa0g5ekU3T0dxQkFwOTlXWm9aTDlNYUNxb0FBd0NnWUlLb1pJ" +
  "emowRUF3SURTQUF3UlFJZ0JrVXUKWmZGcmUyTnlpaUY5bnJ2Mm9ValNscldhU1dVODh5Y0NvTGVTdENJQ0lRRGR3SmZ5bkN5RXdlbkNRS1RRZStvVgpMNHFQTDlUVWIrTE1SbHppNzNO" +
  "Y1BnPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";

/** "group/version/Kind" → the object, without apiVersion and kind; the caller chooses the name unless it is given here. */
export const minimalObjects: Readonly<Record<string, JsonObject>> = {
  "/v1/ConfigMap": {},
  "/v1/Endpoints": { subsets: [{ addresses: [{ ip: "1.2.3.4" }], ports: [{ port: 80 }] }] },
  "/v1/Event": { involvedObject: {} },
  "/v1/LimitRange": { spec: { limits: [{ type: "Container", max: { cpu: "1" }, min: { memory: "1Mi" } }] } },
  "/v1/Namespace": {},
  "/v1/Node": {},
  "/v1/PersistentVolume": { spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/tmp" } } },
  "/v1/PersistentVolumeClaim": { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
  "/v1/Pod": { spec: { containers: [container] } },
  "/v1/PodTemplate": { template },
  "/v1/ReplicationController": { spec: { template } },
  "/v1/ResourceQuota": {},
  "/v1/Secret": {},
  "/v1/Service": { spec: { ports: [{ port: 80 }] } },
  "/v1/ServiceAccount": {},
  "admissionregistration.k8s.io/v1/MutatingAdmissionPolicy": {
    spec: {
      matchConstraints,
      reinvocationPolicy: "Never",
      mutations: [{ patchType: "JSONPatch", jsonPatch: { expression: '[JSONPatch{op: "remove", path: "/a"}]' } }],
    },
  },
  "admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding": { spec: { policyName: "p", matchResources: matchConstraints } },
  "admissionregistration.k8s.io/v1/MutatingWebhookConfiguration": { webhooks: [webhook] },
  "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy": { spec: { matchConstraints, validations: [{ expression: "true" }] } },
  "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding": {
    spec: { policyName: "p", validationActions: ["Deny"], matchResources: matchConstraints },
  },
  "admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration": { webhooks: [webhook] },
  "apiextensions.k8s.io/v1/CustomResourceDefinition": {
    metadata: { name: "minimals.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "minimals", kind: "Minimal" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  },
  "apiregistration.k8s.io/v1/APIService": {
    metadata: { name: "v1.minimal.example.com" },
    spec: {
      group: "minimal.example.com",
      version: "v1",
      groupPriorityMinimum: 1,
      versionPriority: 1,
      insecureSkipTLSVerify: true,
      service: { name: "s", namespace: "n" },
    },
  },
  "apps/v1/ControllerRevision": { data: { a: 1 }, revision: 1 },
  "apps/v1/DaemonSet": { spec: workload },
  "apps/v1/Deployment": { spec: workload },
  "apps/v1/ReplicaSet": { spec: workload },
  "apps/v1/StatefulSet": {
    spec: {
      ...workload,
      volumeClaimTemplates: [
        { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
      ],
    },
  },
  "autoscaling/v1/HorizontalPodAutoscaler": {
    spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" } },
  },
  "autoscaling/v2/HorizontalPodAutoscaler": {
    spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" } },
  },
  "batch/v1/CronJob": { spec: { schedule: "* * * * *", jobTemplate: { spec: job } } },
  "batch/v1/Job": { spec: job },
  "certificates.k8s.io/v1/CertificateSigningRequest": {
    spec: { request: certificateRequest, signerName: "example.com/signer", usages: ["client auth"] },
  },
  "coordination.k8s.io/v1/Lease": {},
  "discovery.k8s.io/v1/EndpointSlice": { addressType: "IPv4", endpoints: [{ addresses: ["1.2.3.4"] }], ports: [{}] },
  "events.k8s.io/v1/Event": {
    eventTime: "2024-01-02T03:04:05.000006Z",
    reportingController: "example.com/c",
    reportingInstance: "i",
    action: "a",
    reason: "r",
    type: "Normal",
    regarding: {},
  },
  "flowcontrol.apiserver.k8s.io/v1/FlowSchema": { spec: { priorityLevelConfiguration: { name: "global-default" } } },
  "flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration": {
    spec: { type: "Limited", limited: { limitResponse: { type: "Queue", queuing: {} } } },
  },
  "networking.k8s.io/v1/IPAddress": {
    metadata: { name: "10.9.8.7" },
    spec: { parentRef: { resource: "services", name: "s", namespace: "n" } },
  },
  "networking.k8s.io/v1/Ingress": { spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } } },
  "networking.k8s.io/v1/IngressClass": { spec: { controller: "example.com/c", parameters: { kind: "K", name: "n" } } },
  "networking.k8s.io/v1/NetworkPolicy": { spec: { podSelector: {}, egress: [{ ports: [{ port: 80 }] }] } },
  "networking.k8s.io/v1/ServiceCIDR": { spec: { cidrs: ["10.77.0.0/24"] } },
  "node.k8s.io/v1/RuntimeClass": { handler: "h" },
  "policy/v1/PodDisruptionBudget": { spec: { minAvailable: 1, selector: { matchLabels: labels } } },
  "rbac.authorization.k8s.io/v1/ClusterRole": {},
  "rbac.authorization.k8s.io/v1/ClusterRoleBinding": {
    roleRef,
    subjects: [
      { kind: "User", name: "u" },
      { kind: "Group", name: "g" },
      { kind: "ServiceAccount", name: "s", namespace: "n" },
    ],
  },
  "rbac.authorization.k8s.io/v1/Role": {},
  "rbac.authorization.k8s.io/v1/RoleBinding": { roleRef, subjects: [{ kind: "User", name: "u" }] },
  "resource.k8s.io/v1/DeviceClass": {},
  "resource.k8s.io/v1/ResourceClaim": {
    spec: { devices: { requests: [{ name: "r", exactly: { deviceClassName: "c", tolerations: [{ key: "k", value: "v" }] } }] } },
  },
  "resource.k8s.io/v1/ResourceClaimTemplate": {
    spec: { spec: { devices: { requests: [{ name: "r", firstAvailable: [{ name: "s", deviceClassName: "c" }] }] } } },
  },
  "resource.k8s.io/v1/ResourceSlice": {
    spec: { driver: "d.example.com", nodeName: "n", pool, devices: [{ name: "d", taints: [{ key: "k", effect: "NoSchedule" }] }] },
  },
  "scheduling.k8s.io/v1/PriorityClass": { value: 5 },
  "storage.k8s.io/v1/CSIDriver": {},
  "storage.k8s.io/v1/CSINode": { spec: {} },
  "storage.k8s.io/v1/CSIStorageCapacity": { storageClassName: "c" },
  "storage.k8s.io/v1/StorageClass": { provisioner: "example.com/p" },
  "storage.k8s.io/v1/VolumeAttachment": { spec: { attacher: "a", nodeName: "n", source: { persistentVolumeName: "p" } } },
  "storage.k8s.io/v1/VolumeAttributesClass": { driverName: "d.example.com", parameters: { a: "b" } },
};
