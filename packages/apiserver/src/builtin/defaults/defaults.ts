/**
 * Defaults of the built-in kinds, by kind.
 *
 *     body → codec → setDefaultsOf(kind) → strategy
 *
 * Objects have the shape of their kind and are changed in place. Idempotent. Besides defaults proper, fields with an older and a
 * newer name are synchronized here, which kube-apiserver does in conversion.
 */
import type { Clock, GroupVersionKind, JsonObject, Kind, KubeObject } from "@drover/machinery";
import {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from "@drover/api/admissionregistration/v1";
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { APIService } from "@drover/api/apiregistration/v1";
import { DaemonSet, Deployment, ReplicaSet, StatefulSet } from "@drover/api/apps/v1";
import type { TokenRequest } from "@drover/api/authentication/v1";
import { HorizontalPodAutoscaler as AutoscalerV1 } from "@drover/api/autoscaling/v1";
import { HorizontalPodAutoscaler as AutoscalerV2 } from "@drover/api/autoscaling/v2";
import { CronJob, Job } from "@drover/api/batch/v1";
import {
  Endpoints,
  LimitRange,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  PodTemplate,
  ReplicationController,
  ResourceQuota,
  Secret,
  Service,
} from "@drover/api/core/v1";
import { EndpointSlice } from "@drover/api/discovery/v1";
import { FlowSchema, PriorityLevelConfiguration } from "@drover/api/flowcontrol/v1";
import { IngressClass, NetworkPolicy } from "@drover/api/networking/v1";
import { PodDisruptionBudget } from "@drover/api/policy/v1";
import { ClusterRoleBinding, RoleBinding } from "@drover/api/rbac/v1";
import { ResourceClaim, ResourceClaimTemplate, ResourceSlice } from "@drover/api/resource/v1";
import { PriorityClass } from "@drover/api/scheduling/v1";
import { CSIDriver, StorageClass, VolumeAttachment } from "@drover/api/storage/v1";
import {
  setAdmissionPolicyBindingDefaults,
  setAdmissionPolicyDefaults,
  setMutatingWebhookConfigurationDefaults,
  setValidatingWebhookConfigurationDefaults,
} from "./admission-defaults.ts";
import { setAutoscalerV1Defaults, setAutoscalerV2Defaults } from "./autoscaler-defaults.ts";
import { setDaemonSetDefaults } from "./daemon-set-defaults.ts";
import { setDeploymentDefaults } from "./deployment-defaults.ts";
import { setResourceClaimDefaults, setResourceClaimTemplateDefaults, setResourceSliceDefaults } from "./device-defaults.ts";
import { setEndpointsDefaults, setEndpointSliceDefaults } from "./endpoints-defaults.ts";
import { setApiServiceDefaults, setCustomResourceDefinitionDefaults } from "./extension-defaults.ts";
import { setFlowSchemaDefaults, setPriorityLevelConfigurationDefaults } from "./flow-control-defaults.ts";
import { setCronJobDefaults, setJobDefaults } from "./job-defaults.ts";
import { setLimitRangeDefaults } from "./limit-range-defaults.ts";
import { setNamespaceDefaults } from "./namespace-defaults.ts";
import { setIngressClassDefaults, setNetworkPolicyDefaults } from "./networking-defaults.ts";
import { setNodeDefaults } from "./node-defaults.ts";
import { setPersistentVolumeClaimDefaults } from "./persistent-volume-claim-defaults.ts";
import { setPersistentVolumeDefaults } from "./persistent-volume-defaults.ts";
import { setPodDefaults } from "./pod-defaults.ts";
import { setPodDisruptionBudgetDefaults } from "./pod-disruption-budget-defaults.ts";
import { setPodTemplateDefaults } from "./pod-spec-defaults.ts";
import { setPriorityClassDefaults } from "./priority-class-defaults.ts";
import { setRoleBindingDefaults } from "./rbac-defaults.ts";
import { setReplicaSetDefaults } from "./replica-set-defaults.ts";
import { setReplicationControllerDefaults } from "./replication-controller-defaults.ts";
import { setResourceQuotaDefaults } from "./resource-quota-defaults.ts";
import { setSecretDefaults } from "./secret-defaults.ts";
import { setServiceDefaults } from "./service-defaults.ts";
import { setStatefulSetDefaults } from "./stateful-set-defaults.ts";
import { setCsiDriverDefaults, setStorageClassDefaults, setVolumeAttachmentDefaults } from "./storage-defaults.ts";
import { setTokenRequestDefaults } from "./token-request-defaults.ts";

export interface DefaultsOptions {
  /** For the few defaults that are the current time. */
  readonly clock: Pick<Clock, "now">;
}

/** Returns the function that sets a kind's defaults. It throws a `DecodeError` for an annotation that should be a number and is not. */
export function setDefaultsOf(kind: GroupVersionKind, options: DefaultsOptions): (object: JsonObject) => void {
  const set = table.get(keyOf(kind));
  return set === undefined ? () => undefined : (object) => set(object, options);
}

type SetDefaults = (object: JsonObject, options: DefaultsOptions) => void;

const keyOf = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}/${kind}`;

/** The descriptor carries the object type, so a kind cannot get another's defaults. */
const row = <T extends KubeObject>(kind: Kind<T>, set: (object: T, options: DefaultsOptions) => void): readonly [string, SetDefaults] => [
  keyOf(kind),
  set as unknown as SetDefaults,
];

/** The body of a subresource, which has no descriptor. */
const tokenRequest: readonly [string, SetDefaults] = [
  keyOf({ group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" }),
  (object) => setTokenRequestDefaults(object as unknown as TokenRequest),
];

const table: ReadonlyMap<string, SetDefaults> = new Map([
  row(MutatingAdmissionPolicy, setAdmissionPolicyDefaults),
  row(MutatingAdmissionPolicyBinding, setAdmissionPolicyBindingDefaults),
  row(MutatingWebhookConfiguration, setMutatingWebhookConfigurationDefaults),
  row(ValidatingAdmissionPolicy, setAdmissionPolicyDefaults),
  row(ValidatingAdmissionPolicyBinding, setAdmissionPolicyBindingDefaults),
  row(ValidatingWebhookConfiguration, setValidatingWebhookConfigurationDefaults),
  row(CustomResourceDefinition, setCustomResourceDefinitionDefaults),
  row(APIService, setApiServiceDefaults),
  row(DaemonSet, setDaemonSetDefaults),
  row(Deployment, setDeploymentDefaults),
  row(ReplicaSet, setReplicaSetDefaults),
  row(StatefulSet, setStatefulSetDefaults),
  row(AutoscalerV1, setAutoscalerV1Defaults),
  row(AutoscalerV2, setAutoscalerV2Defaults),
  row(CronJob, setCronJobDefaults),
  row(Job, setJobDefaults),
  row(Endpoints, setEndpointsDefaults),
  row(LimitRange, setLimitRangeDefaults),
  row(Namespace, setNamespaceDefaults),
  row(Node, setNodeDefaults),
  row(PersistentVolume, setPersistentVolumeDefaults),
  row(PersistentVolumeClaim, setPersistentVolumeClaimDefaults),
  row(Pod, setPodDefaults),
  row(PodTemplate, setPodTemplateDefaults),
  row(ReplicationController, setReplicationControllerDefaults),
  row(ResourceQuota, setResourceQuotaDefaults),
  row(Secret, setSecretDefaults),
  row(Service, setServiceDefaults),
  row(EndpointSlice, setEndpointSliceDefaults),
  row(FlowSchema, setFlowSchemaDefaults),
  row(PriorityLevelConfiguration, setPriorityLevelConfigurationDefaults),
  row(IngressClass, setIngressClassDefaults),
  row(NetworkPolicy, setNetworkPolicyDefaults),
  row(PodDisruptionBudget, setPodDisruptionBudgetDefaults),
  row(ClusterRoleBinding, setRoleBindingDefaults),
  row(RoleBinding, setRoleBindingDefaults),
  row(ResourceClaim, setResourceClaimDefaults),
  row(ResourceClaimTemplate, setResourceClaimTemplateDefaults),
  row(ResourceSlice, setResourceSliceDefaults),
  row(PriorityClass, setPriorityClassDefaults),
  row(CSIDriver, setCsiDriverDefaults),
  row(StorageClass, setStorageClassDefaults),
  row(VolumeAttachment, setVolumeAttachmentDefaults),
  tokenRequest,
]);
