/**
 * The strategies of all built-in kinds except pods and workloads, which `workload-strategies.ts` has.
 *
 *     builtin → resourceStrategies({ allocator }) → Strategy by kind
 */
import { strategyOfAnyKind } from "../../registry/strategy.ts";
import type { Strategy } from "../../registry/strategy.ts";
import {
  mutatingAdmissionPolicyBindingStrategy,
  mutatingAdmissionPolicyStrategy,
  validatingAdmissionPolicyBindingStrategy,
  validatingAdmissionPolicyStrategy,
} from "./admission/admission-policy-strategies.ts";
import {
  mutatingWebhookConfigurationStrategy,
  validatingWebhookConfigurationStrategy,
} from "./admission/webhook-configuration-strategy.ts";
import { autoscalerStrategy, autoscalerV1Strategy } from "./autoscaling/autoscaler-strategy.ts";
import { certificateSigningRequestStrategy } from "./certificates/certificate-signing-request-strategy.ts";
import { leaseStrategy } from "./coordination/lease-strategy.ts";
import { configMapStrategy } from "./core/config-map-strategy.ts";
import { endpointsStrategy } from "./core/endpoints-strategy.ts";
import { eventStrategy, newEventStrategy } from "./core/event-strategy.ts";
import { limitRangeStrategy } from "./core/limit-range-strategy.ts";
import { namespaceStrategy } from "./core/namespace-strategy.ts";
import { nodeStrategy } from "./core/node-strategy.ts";
import { resourceQuotaStrategy } from "./core/resource-quota-strategy.ts";
import { secretStrategy } from "./core/secret-strategy.ts";
import { serviceAccountStrategy } from "./core/service-account-strategy.ts";
import {
  deviceClassStrategy,
  resourceClaimStrategy,
  resourceClaimTemplateStrategy,
  resourceSliceStrategy,
} from "./devices/device-strategies.ts";
import { endpointSliceStrategy } from "./discovery/endpoint-slice-strategy.ts";
import { apiServiceStrategy } from "./extension/api-service-strategy.ts";
import { flowSchemaStrategy, priorityLevelConfigurationStrategy } from "./flow-control/flow-control-strategies.ts";
import { ingressClassStrategy } from "./networking/ingress-class-strategy.ts";
import { ingressStrategy } from "./networking/ingress-strategy.ts";
import { networkPolicyStrategy } from "./networking/network-policy-strategy.ts";
import { ipAddressStrategy, serviceCidrStrategy } from "./networking/service-cidr-strategy.ts";
import { podDisruptionBudgetStrategy } from "./policy/pod-disruption-budget-strategy.ts";
import { clusterRoleBindingStrategy, roleBindingStrategy } from "./rbac/role-binding-strategy.ts";
import { clusterRoleStrategy, roleStrategy } from "./rbac/role-strategy.ts";
import { priorityClassStrategy } from "./scheduling/priority-class-strategy.ts";
import { runtimeClassStrategy } from "./scheduling/runtime-class-strategy.ts";
import type { ServiceAllocator } from "./service/service-allocator.ts";
import { serviceStrategy } from "./service/service-strategy.ts";
import { csiStorageCapacityStrategy, storageClassStrategy, volumeAttributesClassStrategy } from "./storage/class-strategies.ts";
import { csiDriverStrategy, csiNodeStrategy, volumeAttachmentStrategy } from "./storage/csi-strategies.ts";
import { persistentVolumeClaimStrategy } from "./storage/persistent-volume-claim-strategy.ts";
import { persistentVolumeStrategy } from "./storage/persistent-volume-strategy.ts";

export interface ResourceStrategiesOptions {
  /** Allocates addresses and ports of Services. */
  readonly allocator: ServiceAllocator;
}

/** Returns strategies by "group/version/Kind"; the core group is empty: "/v1/Service". */
export function resourceStrategies({ allocator }: ResourceStrategiesOptions): ReadonlyMap<string, Strategy> {
  const rbac = "rbac.authorization.k8s.io/v1";
  const admission = "admissionregistration.k8s.io/v1";
  const table: readonly (readonly [string, Strategy<never>])[] = [
    ["/v1/ConfigMap", configMapStrategy],
    ["/v1/Endpoints", endpointsStrategy],
    ["/v1/Event", eventStrategy],
    ["/v1/LimitRange", limitRangeStrategy],
    ["/v1/Namespace", namespaceStrategy],
    ["/v1/Node", nodeStrategy],
    ["/v1/PersistentVolume", persistentVolumeStrategy],
    ["/v1/PersistentVolumeClaim", persistentVolumeClaimStrategy],
    ["/v1/ResourceQuota", resourceQuotaStrategy],
    ["/v1/Secret", secretStrategy],
    ["/v1/Service", serviceStrategy(allocator)],
    ["/v1/ServiceAccount", serviceAccountStrategy],
    [`${admission}/MutatingAdmissionPolicy`, mutatingAdmissionPolicyStrategy],
    [`${admission}/MutatingAdmissionPolicyBinding`, mutatingAdmissionPolicyBindingStrategy],
    [`${admission}/MutatingWebhookConfiguration`, mutatingWebhookConfigurationStrategy],
    [`${admission}/ValidatingAdmissionPolicy`, validatingAdmissionPolicyStrategy],
    [`${admission}/ValidatingAdmissionPolicyBinding`, validatingAdmissionPolicyBindingStrategy],
    [`${admission}/ValidatingWebhookConfiguration`, validatingWebhookConfigurationStrategy],
    ["apiregistration.k8s.io/v1/APIService", apiServiceStrategy],
    ["autoscaling/v1/HorizontalPodAutoscaler", autoscalerV1Strategy],
    ["autoscaling/v2/HorizontalPodAutoscaler", autoscalerStrategy],
    ["certificates.k8s.io/v1/CertificateSigningRequest", certificateSigningRequestStrategy],
    ["coordination.k8s.io/v1/Lease", leaseStrategy],
    ["discovery.k8s.io/v1/EndpointSlice", endpointSliceStrategy],
    ["events.k8s.io/v1/Event", newEventStrategy],
    ["flowcontrol.apiserver.k8s.io/v1/FlowSchema", flowSchemaStrategy],
    ["flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration", priorityLevelConfigurationStrategy],
    ["networking.k8s.io/v1/Ingress", ingressStrategy],
    ["networking.k8s.io/v1/IngressClass", ingressClassStrategy],
    ["networking.k8s.io/v1/NetworkPolicy", networkPolicyStrategy],
    ["networking.k8s.io/v1/IPAddress", ipAddressStrategy],
    ["networking.k8s.io/v1/ServiceCIDR", serviceCidrStrategy],
    ["node.k8s.io/v1/RuntimeClass", runtimeClassStrategy],
    ["policy/v1/PodDisruptionBudget", podDisruptionBudgetStrategy],
    [`${rbac}/ClusterRole`, clusterRoleStrategy],
    [`${rbac}/ClusterRoleBinding`, clusterRoleBindingStrategy],
    [`${rbac}/Role`, roleStrategy],
    [`${rbac}/RoleBinding`, roleBindingStrategy],
    ["resource.k8s.io/v1/DeviceClass", deviceClassStrategy],
    ["resource.k8s.io/v1/ResourceClaim", resourceClaimStrategy],
    ["resource.k8s.io/v1/ResourceClaimTemplate", resourceClaimTemplateStrategy],
    ["resource.k8s.io/v1/ResourceSlice", resourceSliceStrategy],
    ["scheduling.k8s.io/v1/PriorityClass", priorityClassStrategy],
    ["storage.k8s.io/v1/CSIDriver", csiDriverStrategy],
    ["storage.k8s.io/v1/CSINode", csiNodeStrategy],
    ["storage.k8s.io/v1/CSIStorageCapacity", csiStorageCapacityStrategy],
    ["storage.k8s.io/v1/StorageClass", storageClassStrategy],
    ["storage.k8s.io/v1/VolumeAttachment", volumeAttachmentStrategy],
    ["storage.k8s.io/v1/VolumeAttributesClass", volumeAttributesClassStrategy],
  ];
  return new Map(table.map(([kind, strategy]) => [kind, strategyOfAnyKind(strategy)]));
}
