/**
 * The DaemonSet controller: one pod on every node that should have it.
 *
 *     DaemonSets, Pods, ControllerRevisions, Nodes → keys → syncDaemonSet
 */
import { ControllerRevision, DaemonSet } from "@drover/api/apps/v1";
import { Node, Pod } from "@drover/api/core/v1";
import { kindSource, needOf, requestsFor } from "@drover/controller";
import { controllerOf } from "@drover/machinery";
import { addOwnerIndex, Expectations } from "@drover/patterns";
import type { ControllerContext, ControllerDescriptor } from "../host/controller-descriptor.ts";
import { controllerSettings } from "../host/controller-settings.ts";
import { eventRecorder } from "../host/event-recorder.ts";
import { sharedInformer } from "../host/shared-informer.ts";
import { childConcerns } from "../shared/child-concerns.ts";
import { observedChildren, observedOwner } from "../shared/observed-children.ts";
import { ownerFinder } from "../shared/owner-finder.ts";
import { targetNodeName } from "./daemon-pod.ts";
import { FailedPodBackoff } from "./failed-pod-backoff.ts";
import { nodeConcerns } from "./node-concerns.ts";
import { syncDaemonSet } from "./sync-daemon-set.ts";

/** kube-controller-manager's "daemonset-controller". */
export const daemonSetController: ControllerDescriptor = {
  name: "daemonset-controller",
  aliases: ["daemonset"],
  serviceAccount: "daemon-set-controller",
  add: addDaemonSetController,
};

/** Pods created per sync; upstream's BurstReplicas. */
const burst = 250;
const expectationsMs = 5 * 60_000;
const byNode = "daemonset.byNode";

function addDaemonSetController(context: ControllerContext): void {
  const { manager } = context;
  const { cluster } = manager;
  const { clock, random } = cluster.runtime;
  const expectations = new Expectations({ clock, expireMs: expectationsMs });
  const [daemonSets, pods, nodes, revisions] = [
    sharedInformer(cluster, DaemonSet),
    sharedInformer(cluster, Pod),
    sharedInformer(cluster, Node),
    sharedInformer(cluster, ControllerRevision),
  ];
  addOwnerIndex(pods);
  addOwnerIndex(revisions);
  pods.addIndexers({
    [byNode]: ({ object }) =>
      controllerOf(object)?.kind === DaemonSet.kind ? [targetNodeName(object) ?? ""].filter((name) => name !== "") : [],
  });
  const options = {
    daemonSets,
    nodes,
    pods,
    revisions,
    expectations,
    backoff: new FailedPodBackoff({ clock }),
    events: eventRecorder(context, daemonSetController.name),
    clock,
    random,
    burst,
    expectationsMs,
  };
  const controller = manager.controller({
    ...controllerSettings(context, daemonSetController.name, { workers: 2 }),
    reconcile: (run) => syncDaemonSet(run, options),
    // Waves of pods are echoes of its own writes, and expected.
    echoesMax: Infinity,
    writes: [
      needOf(Pod, ["create", "delete", "patch"]),
      needOf(DaemonSet, ["get"]),
      needOf(DaemonSet, ["update"], { subresource: "status" }),
      needOf(ControllerRevision, ["create", "delete", "get", "patch", "update"]),
    ],
  });
  const find = ownerFinder(daemonSets, DaemonSet);
  const podsOn = (node: string): ReturnType<typeof pods.byIndex> => pods.byIndex(byNode, node);
  controller.watch(kindSource(DaemonSet, { cluster, writers: false, handler: observedOwner(expectations) }));
  controller.watch(kindSource(Pod, { cluster, writers: false, name: "Pod of a DaemonSet", handler: observedChildren(expectations, find) }));
  controller.watch(
    kindSource(ControllerRevision, {
      cluster,
      writers: false,
      name: "ControllerRevision of a DaemonSet",
      // An added revision is the controller's own write.
      handler: (change) =>
        requestsFor(
          change,
          "owner",
          change.type === "added" && controllerOf(change.object) !== undefined ? [] : childConcerns(change, find).keys,
        ),
    }),
  );
  controller.watch(
    kindSource(Node, {
      cluster,
      writers: false,
      name: "Node for DaemonSets",
      handler: (change) => requestsFor(change, "mapped", nodeConcerns(change, { daemonSets: daemonSets.list(), podsOn })),
    }),
  );
}
