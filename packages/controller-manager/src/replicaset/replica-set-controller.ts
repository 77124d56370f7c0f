/**
 * The controller of ReplicaSets: so many pods of a template, whatever happens to them.
 *
 *     ReplicaSets, Pods → keys → syncReplicaSet
 */
import { ReplicaSet } from "@drover/api/apps/v1";
import { Pod } from "@drover/api/core/v1";
import type { InformerView } from "@drover/cache";
import { kindSource, needOf, requestsFor } from "@drover/controller";
import type { Handler } from "@drover/controller";
import { addOwnerIndex, Expectations } from "@drover/patterns";
import type { ControllerContext, ControllerDescriptor } from "../host/controller-descriptor.ts";
import { controllerSettings } from "../host/controller-settings.ts";
import { eventRecorder } from "../host/event-recorder.ts";
import { sharedInformer } from "../host/shared-informer.ts";
import { controllerInCache } from "../shared/controller-in-cache.ts";
import { selects } from "../shared/selects.ts";
import { podConcerns } from "./pod-concerns.ts";
import type { ReplicaSetFinder } from "./pod-concerns.ts";
import { syncReplicaSet } from "./sync-replica-set.ts";

/** kube-controller-manager's "replicaset-controller". */
export const replicaSetController: ControllerDescriptor = { name: "replicaset-controller", aliases: ["replicaset"], add: addReplicaSetController };

/** So many pods a look; upstream's BurstReplicas. */
const burst = 500;
const expectationsMs = 5 * 60_000;

function addReplicaSetController(context: ControllerContext): void {
  const { manager } = context;
  const { cluster } = manager;
  const { clock } = cluster.runtime;
  const expectations = new Expectations({ clock, expireMs: expectationsMs });
  const replicaSets = sharedInformer(cluster, ReplicaSet);
  const pods = sharedInformer(cluster, Pod);
  addOwnerIndex(replicaSets);
  addOwnerIndex(pods);
  const options = { replicaSets, pods, expectations, clock, burst, expectationsMs, events: eventRecorder(context, replicaSetController.name) };
  const controller = manager.controller({
    ...controllerSettings(context, replicaSetController.name),
    reconcile: (run) => syncReplicaSet(run, options),
    // Wave after wave of pods is nothing but its own doing, and right.
    echoesMax: Infinity,
    writes: [needOf(Pod, ["create", "delete", "patch"]), needOf(ReplicaSet, ["get"]), needOf(ReplicaSet, ["update"], { subresource: "status" })],
  });
  controller.watch(kindSource(ReplicaSet, { cluster, writers: false, handler: replicaSetHandler(expectations) }));
  controller.watch(kindSource(Pod, { cluster, writers: false, name: "Pod of a ReplicaSet", handler: podHandler(expectations, replicaSetFinder(replicaSets)) }));
}

/** One that comes or goes expects nothing: its name may have been another's. */
function replicaSetHandler(expectations: Expectations): Handler<ReplicaSet> {
  return (change) => {
    if (change.type !== "updated") expectations.forget(change.key);
    return requestsFor(change, "self", [change.key]);
  };
}

/** Tells the expectations as it goes; told again they change nothing, or are met a little early and then waited for by the cache. */
function podHandler(expectations: Expectations, find: ReplicaSetFinder): Handler<Pod> {
  return (change) => {
    const { keys, created, deleted } = podConcerns(change, find);
    for (const owner of created) expectations.creationObserved(owner);
    for (const { owner, pod } of deleted) expectations.deletionObserved(owner, pod);
    return requestsFor(change, "owner", keys);
  };
}

/** Finds ReplicaSets in their cache. */
function replicaSetFinder(replicaSets: InformerView<ReplicaSet>): ReplicaSetFinder {
  return {
    owner: (namespace, reference) => controllerInCache(replicaSets, ReplicaSet, namespace, reference),
    matching: (pod) => {
      const { labels = {}, namespace = "" } = pod.metadata;
      return Object.keys(labels).length === 0 ? [] : replicaSets.list({ namespace }).filter((replicaSet) => selects(replicaSet, pod));
    },
  };
}
