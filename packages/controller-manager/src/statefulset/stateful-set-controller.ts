/**
 * The StatefulSet controller: pods with stable names and storage, created, deleted and updated in order.
 *
 *     StatefulSets, Pods, claims that are gone → keys → syncStatefulSet
 */
import { ControllerRevision, StatefulSet } from "@drover/api/apps/v1";
import { PersistentVolumeClaim, Pod } from "@drover/api/core/v1";
import type { InformerView } from "@drover/cache";
import { kindSource, needOf, requestsFor } from "@drover/controller";
import type { Handler } from "@drover/controller";
import { objectKeyOf } from "@drover/machinery";
import { addOwnerIndex } from "@drover/patterns";
import type { ControllerContext, ControllerDescriptor } from "../host/controller-descriptor.ts";
import { controllerSettings } from "../host/controller-settings.ts";
import { eventRecorder } from "../host/event-recorder.ts";
import { sharedInformer } from "../host/shared-informer.ts";
import { childConcerns } from "../shared/child-concerns.ts";
import { ownerFinder } from "../shared/owner-finder.ts";
import { isClaimNameOf } from "./pod-claims.ts";
import { syncStatefulSet } from "./sync-stateful-set.ts";

/** kube-controller-manager's "statefulset-controller". */
export const statefulSetController: ControllerDescriptor = {
  name: "statefulset-controller",
  aliases: ["statefulset"],
  add: addStatefulSetController,
};

function addStatefulSetController(context: ControllerContext): void {
  const { manager } = context;
  const { cluster } = manager;
  const { clock, random } = cluster.runtime;
  const sets = sharedInformer(cluster, StatefulSet);
  const pods = sharedInformer(cluster, Pod);
  const revisions = sharedInformer(cluster, ControllerRevision);
  const claims = sharedInformer(cluster, PersistentVolumeClaim);
  addOwnerIndex(pods);
  addOwnerIndex(revisions);
  const options = { sets, pods, revisions, claims, clock, random, events: eventRecorder(context, statefulSetController.name) };
  const controller = manager.controller({
    ...controllerSettings(context, statefulSetController.name),
    reconcile: (run) => syncStatefulSet(run, options),
    // Waves of pods are echoes of its own writes, and expected.
    echoesMax: Infinity,
    writes: [
      needOf(StatefulSet, ["get"]),
      needOf(StatefulSet, ["update"], { subresource: "status" }),
      needOf(Pod, ["create", "delete", "get", "patch", "update"]),
      needOf(PersistentVolumeClaim, ["create", "update"]),
      needOf(ControllerRevision, ["create", "delete", "get", "patch", "update"]),
    ],
  });
  const find = ownerFinder(sets, StatefulSet);
  controller.watch(kindSource(StatefulSet, { cluster, writers: false }));
  controller.watch(
    kindSource(Pod, {
      cluster,
      writers: false,
      name: "Pod of a StatefulSet",
      handler: (change) => requestsFor(change, "owner", childConcerns(change, find).keys),
    }),
  );
  controller.watch(
    kindSource(PersistentVolumeClaim, {
      cluster,
      writers: false,
      name: "PersistentVolumeClaim of a StatefulSet",
      handler: claimHandler(sets),
    }),
  );
  // Every sync reads this cache, so it is watched; changes of revisions enqueue nothing.
  controller.watch(
    kindSource(ControllerRevision, { cluster, writers: false, name: "ControllerRevision of a StatefulSet", handler: () => [] }),
  );
}

/** A pod may wait for a deleted claim: it cannot be created while its claim belongs to the earlier pod. */
function claimHandler(sets: Pick<InformerView<StatefulSet>, "list">): Handler<PersistentVolumeClaim> {
  return (change) => {
    const { name = "", namespace = "" } = change.object.metadata;
    return change.type === "deleted"
      ? requestsFor(
          change,
          "mapped",
          sets
            .list({ namespace })
            .filter((set) => isClaimNameOf(set, name))
            .map(objectKeyOf),
        )
      : [];
  };
}
