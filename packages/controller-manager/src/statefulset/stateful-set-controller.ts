/**
 * The controller of StatefulSets: pods that have names and storage of their own, brought up, taken down and updated one after the other.
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
    // Pod after pod is nothing but its own doing, and right.
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
  // Read by every run, and so waited for; nothing follows from a revision that changes.
  controller.watch(
    kindSource(ControllerRevision, { cluster, writers: false, name: "ControllerRevision of a StatefulSet", handler: () => [] }),
  );
}

/** A claim that is gone may be what a pod waits for: it cannot be created while its claim goes with the one before. */
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
