/** The controllers of kube-controller-manager, on the public framework. Only what this file exports is public API. */
export type { ControllerContext, ControllerDescriptor } from "./host/controller-descriptor.ts";

// The program: known controllers, their selection, and the manager that runs them
export { createControllerManager } from "./controller-manager.ts";
export type { ControllerManager, ControllerManagerOptions } from "./controller-manager.ts";
export { controllerRegistry } from "./controller-registry.ts";
export type { ControllerRegistry } from "./controller-registry.ts";
export { builtInControllers } from "./built-in-controllers.ts";

// ReplicaSets and Deployments
export { deploymentController } from "./deployment/deployment-controller.ts";
export { replicaSetController } from "./replicaset/replica-set-controller.ts";

// Jobs
export { jobController } from "./job/job-controller.ts";

// Nodes
export { nodeLifecycleController } from "./node-lifecycle/node-lifecycle.ts";
export { taintEvictionController } from "./taint-eviction/taint-eviction.ts";
export { tolerates, toleratesTaint, unschedulableTaint } from "./shared/tolerates.ts";
export { preferenceFor, selectsNode } from "./shared/node-selection.ts";

// Garbage collection, namespaces, service accounts, endpoints
export { garbageCollectorController } from "./garbage-collector/garbage-collector.ts";
export { namespaceController } from "./namespace/namespace-controller.ts";
export { resourceQuotaController } from "./resourcequota/resource-quota-controller.ts";
export { serviceAccountController } from "./serviceaccount/service-account-controller.ts";
export { serviceAccountTokenController } from "./serviceaccount/token-controller.ts";
export { rootCaPublisherController } from "./serviceaccount/root-ca-publisher.ts";
export { endpointsController, newEndpointsController } from "./endpoints/endpoints-controller.ts";
export { endpointSliceController, newEndpointSliceController } from "./endpointslice/endpoint-slice-controller.ts";
export type { EndpointUpdatesOptions } from "./endpoints/batch-period.ts";

// DaemonSets and the pod garbage collector
export { daemonSetController } from "./daemonset/daemon-set-controller.ts";
export { newPodGarbageCollector, podGarbageCollectorController } from "./pod-gc/pod-gc.ts";
export type { PodGarbageCollectorOptions } from "./pod-gc/pod-gc.ts";

// StatefulSets
export { statefulSetController } from "./statefulset/stateful-set-controller.ts";

// CronJobs and deletion of finished Jobs
export { cronJobController } from "./cronjob/cron-job-controller.ts";
export { ttlAfterFinishedController } from "./ttl-after-finished/ttl-after-finished.ts";

// Type checks of policies
export { policyStatusController } from "./policy-status/policy-status-controller.ts";
export type { CheckPolicyTypes } from "./policy-status/policy-status-controller.ts";

// Roles that consist of other roles
export { clusterRoleAggregationController } from "./clusterrole-aggregation/cluster-role-aggregation.ts";
