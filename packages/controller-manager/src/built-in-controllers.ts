/** The built-in controllers, which need nothing but an API server. Their order has no meaning: none depends on another having started. */
import { clusterRoleAggregationController } from "./clusterrole-aggregation/cluster-role-aggregation.ts";
import { daemonSetController } from "./daemonset/daemon-set-controller.ts";
import { deploymentController } from "./deployment/deployment-controller.ts";
import { endpointsController } from "./endpoints/endpoints-controller.ts";
import { endpointSliceController } from "./endpointslice/endpoint-slice-controller.ts";
import { garbageCollectorController } from "./garbage-collector/garbage-collector.ts";
import { jobController } from "./job/job-controller.ts";
import { namespaceController } from "./namespace/namespace-controller.ts";
import { nodeLifecycleController } from "./node-lifecycle/node-lifecycle.ts";
import { podGarbageCollectorController } from "./pod-gc/pod-gc.ts";
import { replicaSetController } from "./replicaset/replica-set-controller.ts";
import { resourceQuotaController } from "./resourcequota/resource-quota-controller.ts";
import { serviceAccountController } from "./serviceaccount/service-account-controller.ts";
import { statefulSetController } from "./statefulset/stateful-set-controller.ts";
import { taintEvictionController } from "./taint-eviction/taint-eviction.ts";
import { cronJobController } from "./cronjob/cron-job-controller.ts";
import { ttlAfterFinishedController } from "./ttl-after-finished/ttl-after-finished.ts";
import type { ControllerDescriptor } from "./host/controller-descriptor.ts";

/** All built-in controllers, enabled by default or not. */
export const builtInControllers: readonly ControllerDescriptor[] = [
  jobController,
  endpointsController,
  endpointSliceController,
  namespaceController,
  serviceAccountController,
  garbageCollectorController,
  deploymentController,
  replicaSetController,
  nodeLifecycleController,
  taintEvictionController,
  daemonSetController,
  podGarbageCollectorController,
  statefulSetController,
  cronJobController,
  ttlAfterFinishedController,
  clusterRoleAggregationController,
  resourceQuotaController,
];
