/**
 * The Deployment controller: rolls from one template to the next through ReplicaSets.
 *
 *     Deployments, ReplicaSets, Pods → keys → syncDeployment
 */
import { Deployment, ReplicaSet } from "@drover/api/apps/v1";
import { Pod } from "@drover/api/core/v1";
import type { InformerView } from "@drover/cache";
import { kindSource, needOf, requestsFor } from "@drover/controller";
import { controllerOf } from "@drover/machinery";
import { addOwnerIndex } from "@drover/patterns";
import type { ControllerContext, ControllerDescriptor } from "../host/controller-descriptor.ts";
import { controllerSettings } from "../host/controller-settings.ts";
import { eventRecorder } from "../host/event-recorder.ts";
import { sharedInformer } from "../host/shared-informer.ts";
import { controllerInCache } from "../shared/controller-in-cache.ts";
import { selects } from "../shared/selects.ts";
import { podConcerns, replicaSetConcerns } from "./replica-set-concerns.ts";
import type { DeploymentFinder } from "./replica-set-concerns.ts";
import { syncDeployment } from "./sync-deployment.ts";

/** kube-controller-manager's "deployment-controller". */
export const deploymentController: ControllerDescriptor = {
  name: "deployment-controller",
  aliases: ["deployment"],
  add: addDeploymentController,
};

/** After so many retries the key is parked until an event enqueues it again. */
const retriesMax = 15;

function addDeploymentController(context: ControllerContext): void {
  const { manager } = context;
  const { cluster } = manager;
  const deployments = sharedInformer(cluster, Deployment);
  const replicaSets = sharedInformer(cluster, ReplicaSet);
  const pods = sharedInformer(cluster, Pod);
  addOwnerIndex(replicaSets);
  addOwnerIndex(pods);
  const options = {
    deployments,
    replicaSets,
    pods,
    clock: cluster.runtime.clock,
    events: eventRecorder(context, deploymentController.name),
  };
  const controller = manager.controller({
    ...controllerSettings(context, deploymentController.name, { retriesMax }),
    reconcile: (run) => syncDeployment(run, options),
    writes: [
      needOf(Deployment, ["get", "update"]),
      needOf(Deployment, ["update"], { subresource: "status" }),
      needOf(ReplicaSet, ["create", "delete", "get", "patch", "update"]),
    ],
  });
  const find = deploymentFinder(deployments, replicaSets);
  controller.watch(kindSource(Deployment, { cluster, writers: false }));
  controller.watch(
    kindSource(ReplicaSet, {
      cluster,
      writers: false,
      name: "ReplicaSet apps of a Deployment",
      handler: (change) => requestsFor(change, "owner", replicaSetConcerns(change, find)),
    }),
  );
  controller.watch(
    kindSource(Pod, {
      cluster,
      writers: false,
      name: "Pod of a Deployment",
      predicates: [({ type }) => type === "deleted"],
      handler: (change) => requestsFor(change, "mapped", podConcerns(change, find)),
    }),
  );
}

function deploymentFinder(deployments: InformerView<Deployment>, replicaSets: InformerView<ReplicaSet>): DeploymentFinder {
  return {
    owner: (namespace, reference) => controllerInCache(deployments, Deployment, namespace, reference),
    matching: (replicaSet) => {
      const { labels = {}, namespace = "" } = replicaSet.metadata;
      return Object.keys(labels).length === 0
        ? []
        : deployments.list({ namespace }).filter((deployment) => selects(deployment, replicaSet));
    },
    replicaSetOf: (pod) => {
      const reference = controllerOf(pod);
      return reference === undefined ? undefined : controllerInCache(replicaSets, ReplicaSet, pod.metadata.namespace ?? "", reference);
    },
  };
}
