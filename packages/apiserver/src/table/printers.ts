/** The printers of the built-in kinds. */
import type { GroupVersionKind } from "@drover/machinery";
import type { TablePrinter } from "../registry/table-printer.ts";
import { admissionPolicyBindingPrinter } from "./cluster/admission-policy-binding-printer.ts";
import { mutatingAdmissionPolicyPrinter, validatingAdmissionPolicyPrinter } from "./cluster/admission-policy-printer.ts";
import { apiServicePrinter } from "./cluster/api-service-printer.ts";
import { certificateSigningRequestPrinter } from "./cluster/certificate-signing-request-printer.ts";
import { componentStatusPrinter } from "./cluster/component-status-printer.ts";
import { configMapPrinter } from "./cluster/config-map-printer.ts";
import { coreEventPrinter, eventPrinter } from "./cluster/event-printer.ts";
import { flowSchemaPrinter } from "./cluster/flow-schema-printer.ts";
import { leasePrinter } from "./cluster/lease-printer.ts";
import { namespacePrinter } from "./cluster/namespace-printer.ts";
import { nodePrinter } from "./cluster/node-printer.ts";
import { priorityLevelConfigurationPrinter } from "./cluster/priority-level-configuration-printer.ts";
import { resourceQuotaPrinter } from "./cluster/resource-quota-printer.ts";
import { roleBindingPrinter } from "./cluster/role-binding-printer.ts";
import { secretPrinter } from "./cluster/secret-printer.ts";
import { webhookConfigurationPrinter } from "./cluster/webhook-configuration-printer.ts";
import { defaultPrinter } from "./default-printer.ts";
import { resourceClaimPrinter } from "./devices/resource-claim-printer.ts";
import { resourceSlicePrinter } from "./devices/resource-slice-printer.ts";
import { nameAndAgePrinter } from "./name-and-age-printer.ts";
import { endpointSlicePrinter } from "./networking/endpoint-slice-printer.ts";
import { endpointsPrinter } from "./networking/endpoints-printer.ts";
import { ingressClassPrinter } from "./networking/ingress-class-printer.ts";
import { ingressPrinter } from "./networking/ingress-printer.ts";
import { ipAddressPrinter } from "./networking/ip-address-printer.ts";
import { networkPolicyPrinter } from "./networking/network-policy-printer.ts";
import { serviceCidrPrinter } from "./networking/service-cidr-printer.ts";
import { servicePrinter } from "./networking/service-printer.ts";
import { csiDriverPrinter } from "./storage/csi-driver-printer.ts";
import { csiNodePrinter } from "./storage/csi-node-printer.ts";
import { persistentVolumeClaimPrinter } from "./storage/persistent-volume-claim-printer.ts";
import { persistentVolumePrinter } from "./storage/persistent-volume-printer.ts";
import { storageClassPrinter } from "./storage/storage-class-printer.ts";
import { volumeAttachmentPrinter } from "./storage/volume-attachment-printer.ts";
import { volumeAttributesClassPrinter } from "./storage/volume-attributes-class-printer.ts";
import { controllerRevisionPrinter } from "./workloads/controller-revision-printer.ts";
import { cronJobPrinter } from "./workloads/cron-job-printer.ts";
import { daemonSetPrinter } from "./workloads/daemon-set-printer.ts";
import { deploymentPrinter } from "./workloads/deployment-printer.ts";
import { horizontalPodAutoscalerPrinter, horizontalPodAutoscalerV1Printer } from "./workloads/horizontal-pod-autoscaler-printer.ts";
import { jobPrinter } from "./workloads/job-printer.ts";
import { podDisruptionBudgetPrinter } from "./workloads/pod-disruption-budget-printer.ts";
import { podPrinter } from "./workloads/pod-printer.ts";
import { podTemplatePrinter } from "./workloads/pod-template-printer.ts";
import { priorityClassPrinter } from "./workloads/priority-class-printer.ts";
import { replicaSetPrinter } from "./workloads/replica-set-printer.ts";
import { replicationControllerPrinter } from "./workloads/replication-controller-printer.ts";
import { runtimeClassPrinter } from "./workloads/runtime-class-printer.ts";
import { statefulSetPrinter } from "./workloads/stateful-set-printer.ts";

/** By "group/version/Kind". */
const printers: ReadonlyMap<string, TablePrinter> = new Map([
  ["/v1/ComponentStatus", componentStatusPrinter],
  ["/v1/ConfigMap", configMapPrinter],
  ["/v1/Endpoints", endpointsPrinter],
  ["/v1/Event", coreEventPrinter],
  ["/v1/Namespace", namespacePrinter],
  ["/v1/Node", nodePrinter],
  ["/v1/PersistentVolume", persistentVolumePrinter],
  ["/v1/PersistentVolumeClaim", persistentVolumeClaimPrinter],
  ["/v1/Pod", podPrinter],
  ["/v1/PodTemplate", podTemplatePrinter],
  ["/v1/ReplicationController", replicationControllerPrinter],
  ["/v1/ResourceQuota", resourceQuotaPrinter],
  ["/v1/Secret", secretPrinter],
  ["/v1/Service", servicePrinter],
  ["/v1/ServiceAccount", nameAndAgePrinter],
  ["admissionregistration.k8s.io/v1/MutatingAdmissionPolicy", mutatingAdmissionPolicyPrinter],
  ["admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding", admissionPolicyBindingPrinter],
  ["admissionregistration.k8s.io/v1/MutatingWebhookConfiguration", webhookConfigurationPrinter],
  ["admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy", validatingAdmissionPolicyPrinter],
  ["admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding", admissionPolicyBindingPrinter],
  ["admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration", webhookConfigurationPrinter],
  ["apiregistration.k8s.io/v1/APIService", apiServicePrinter],
  ["apps/v1/ControllerRevision", controllerRevisionPrinter],
  ["apps/v1/DaemonSet", daemonSetPrinter],
  ["apps/v1/Deployment", deploymentPrinter],
  ["apps/v1/ReplicaSet", replicaSetPrinter],
  ["apps/v1/StatefulSet", statefulSetPrinter],
  ["autoscaling/v1/HorizontalPodAutoscaler", horizontalPodAutoscalerV1Printer],
  ["autoscaling/v2/HorizontalPodAutoscaler", horizontalPodAutoscalerPrinter],
  ["batch/v1/CronJob", cronJobPrinter],
  ["batch/v1/Job", jobPrinter],
  ["certificates.k8s.io/v1/CertificateSigningRequest", certificateSigningRequestPrinter],
  ["coordination.k8s.io/v1/Lease", leasePrinter],
  ["discovery.k8s.io/v1/EndpointSlice", endpointSlicePrinter],
  ["events.k8s.io/v1/Event", eventPrinter],
  ["flowcontrol.apiserver.k8s.io/v1/FlowSchema", flowSchemaPrinter],
  ["flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration", priorityLevelConfigurationPrinter],
  ["networking.k8s.io/v1/IPAddress", ipAddressPrinter],
  ["networking.k8s.io/v1/Ingress", ingressPrinter],
  ["networking.k8s.io/v1/IngressClass", ingressClassPrinter],
  ["networking.k8s.io/v1/NetworkPolicy", networkPolicyPrinter],
  ["networking.k8s.io/v1/ServiceCIDR", serviceCidrPrinter],
  ["node.k8s.io/v1/RuntimeClass", runtimeClassPrinter],
  ["policy/v1/PodDisruptionBudget", podDisruptionBudgetPrinter],
  ["rbac.authorization.k8s.io/v1/ClusterRoleBinding", roleBindingPrinter],
  ["rbac.authorization.k8s.io/v1/RoleBinding", roleBindingPrinter],
  ["resource.k8s.io/v1/DeviceClass", nameAndAgePrinter],
  ["resource.k8s.io/v1/ResourceClaim", resourceClaimPrinter],
  ["resource.k8s.io/v1/ResourceClaimTemplate", nameAndAgePrinter],
  ["resource.k8s.io/v1/ResourceSlice", resourceSlicePrinter],
  ["scheduling.k8s.io/v1/PriorityClass", priorityClassPrinter],
  ["storage.k8s.io/v1/CSIDriver", csiDriverPrinter],
  ["storage.k8s.io/v1/CSINode", csiNodePrinter],
  ["storage.k8s.io/v1/StorageClass", storageClassPrinter],
  ["storage.k8s.io/v1/VolumeAttachment", volumeAttachmentPrinter],
  ["storage.k8s.io/v1/VolumeAttributesClass", volumeAttributesClassPrinter],
]);

/** Returns the printer of a kind; by default name and creation time. */
export const printerOf = ({ group, version, kind }: GroupVersionKind): TablePrinter =>
  printers.get(`${group}/${version}/${kind}`) ?? defaultPrinter;
