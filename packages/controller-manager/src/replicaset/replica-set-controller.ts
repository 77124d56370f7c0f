/**
 * The ReplicaSet controller: keeps a number of pods of one template running.
 *
 *     ReplicaSets, Pods → keys → syncReplicaSet
 */
import { ReplicaSet } from "@drover/api/apps/v1";
import { Pod } from "@drover/api/core/v1";
import { kindSource, needOf } from "@drover/controller";
import { addOwnerIndex, Expectations } from "@drover/patterns";
import type { ControllerContext, ControllerDescriptor } from "../host/controller-descriptor.ts";
import { controllerSettings } from "../host/controller-settings.ts";
import { eventRecorder } from "../host/event-recorder.ts";
import { sharedInformer } from "../host/shared-informer.ts";
import { observedChildren, observedOwner } from "../shared/observed-children.ts";
import { ownerFinder } from "../shared/owner-finder.ts";
import { syncReplicaSet } from "./sync-replica-set.ts";

/** kube-controller-manager's "replicaset-controller". */
export const replicaSetController: ControllerDescriptor = {
  name: "replicaset-controller",
  aliases: ["replicaset"],
  add: addReplicaSetController,
};

/** Maximum pods per sync; upstream's BurstReplicas. */
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
  const options = {
    replicaSets,
    pods,
    expectations,
    clock,
    burst,
    expectationsMs,
    events: eventRecorder(context, replicaSetController.name),
  };
  const controller = manager.controller({
    ...controllerSettings(context, replicaSetController.name),
    reconcile: (run) => syncReplicaSet(run, options),
    // Waves of pods are echoes of its own writes, and expected.
    echoesMax: Infinity,
    writes: [
      needOf(Pod, ["create", "delete", "patch"]),
      needOf(ReplicaSet, ["get"]),
      needOf(ReplicaSet, ["update"], { subresource: "status" }),
    ],
  });
  controller.watch(kindSource(ReplicaSet, { cluster, writers: false, handler: observedOwner(expectations) }));
  controller.watch(
    kindSource(Pod, {
      cluster,
      writers: false,
      name: "Pod of a ReplicaSet",
      handler: observedChildren(expectations, ownerFinder(replicaSets, ReplicaSet)),
    }),
  );
}
