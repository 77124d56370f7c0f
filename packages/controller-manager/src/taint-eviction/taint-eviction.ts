/**
 * Evicts pods from nodes whose taints they do not tolerate, or no longer.
 *
 *     Nodes, Pods → keys of pods → evictionOf → now: condition, event, delete;  later: requeue
 */
import { Node, Pod } from "@drover/api/core/v1";
import type { InformerView } from "@drover/cache";
import { after, done, kindSource, needOf } from "@drover/controller";
import type { EventRecorder, ReconcileContext, Result } from "@drover/controller";
import { formatTime, isNotFound, objectKey, splitObjectKey } from "@drover/machinery";
import type { Clock, DeepReadonly, ObjectKey } from "@drover/machinery";
import type { ControllerContext, ControllerDescriptor } from "../host/controller-descriptor.ts";
import { controllerSettings } from "../host/controller-settings.ts";
import { eventRecorder } from "../host/event-recorder.ts";
import { sharedInformer } from "../host/shared-informer.ts";
import { evictionOf } from "./pod-eviction.ts";

/** kube-controller-manager's "taint-eviction-controller". */
export const taintEvictionController: ControllerDescriptor = {
  name: "taint-eviction-controller",
  aliases: [],
  serviceAccount: "node-controller",
  add: addTaintEviction,
};

const byNode = "taintEviction.byNode";

function addTaintEviction(context: ControllerContext): void {
  const { cluster } = context.manager;
  const nodes = sharedInformer(cluster, Node);
  const pods = sharedInformer(cluster, Pod);
  pods.addIndexers({ [byNode]: ({ object }) => [object.spec?.nodeName ?? ""].filter((name) => name !== "") });
  const since = new Map<ObjectKey, number>();
  const eviction: Evicting = {
    nodes,
    pods,
    since,
    clock: cluster.runtime.clock,
    recorder: eventRecorder(context, taintEvictionController.name),
  };
  const controller = context.manager.controller({
    ...controllerSettings(context, taintEvictionController.name, { workers: 8 }),
    reconcile: (run) => evict(run, eviction),
    writes: [needOf(Pod, ["delete"]), needOf(Pod, ["patch"], { subresource: "status" })],
  });
  controller.watch(
    kindSource(Pod, {
      cluster,
      writers: false,
      name: "Pod on a tainted Node",
      predicates: [
        ({ object }) =>
          isTainted(nodes.get(nodeKey(object))) || since.has(objectKey(object.metadata.name ?? "", object.metadata.namespace ?? "")),
      ],
    }),
  );
  controller.watch(
    kindSource(Node, {
      cluster,
      writers: false,
      predicates: [(change) => isTainted(change.object) || (change.type === "updated" && isTainted(change.before))],
      handler: (change) =>
        pods.byIndex(byNode, change.object.metadata.name ?? "").map(({ metadata: { name = "", namespace = "" } }) => ({
          key: objectKey(name, namespace),
          priority: 0,
          cause: { type: "change", via: "mapped", change },
        })),
    }),
  );
}

const nodeKey = ({ spec }: DeepReadonly<Pod>): ObjectKey => objectKey(spec?.nodeName ?? "", "");

const isTainted = (node: DeepReadonly<Node> | undefined): boolean =>
  node?.spec?.taints?.some(({ effect }) => effect === "NoExecute") === true;

interface Evicting {
  readonly nodes: InformerView<Node>;
  readonly pods: InformerView<Pod>;
  /** Since when each pod is known to run on a tainted node. */
  readonly since: Map<ObjectKey, number>;
  readonly clock: Clock;
  readonly recorder: EventRecorder;
}

async function evict(
  { key, client }: Pick<ReconcileContext, "key" | "client">,
  { nodes, pods, since, clock, recorder }: Evicting,
): Promise<Result> {
  const pod = pods.get(key);
  const taints = pod === undefined ? [] : (nodes.get(nodeKey(pod))?.spec?.taints ?? []);
  const now = clock.now();
  const first = since.get(key) ?? now;
  const eviction =
    pod === undefined || pod.metadata.deletionTimestamp !== undefined ? ({ type: "never" } as const) : evictionOf(pod, taints, first);
  const { name, namespace } = splitObjectKey(key);
  if (pod === undefined || eviction.type === "never") {
    const regarding = pod ?? { apiVersion: "v1", kind: Pod.kind, metadata: { name, namespace } };
    if (since.delete(key))
      recorder.eventf({
        regarding,
        type: "Normal",
        reason: "TaintManagerEviction",
        action: "KeepPod",
        note: `Cancelling deletion of Pod ${namespace}/${name}`,
      });
    return done;
  }
  since.set(key, first);
  if (eviction.time > now) return after(eviction.time - now);
  const { uid = "" } = pod.metadata;
  recorder.eventf({
    regarding: pod,
    type: "Normal",
    reason: "TaintManagerEviction",
    action: "EvictPod",
    note: `Marking for deletion Pod ${namespace}/${name}`,
  });
  try {
    const condition = {
      type: "DisruptionTarget",
      status: "True",
      reason: "DeletionByTaintManager",
      message: "Taint manager: deleting due to NoExecute taint",
      lastTransitionTime: formatTime(now),
    };
    await client
      .resource(Pod)
      .status.patch(name, { type: "strategic", body: { metadata: { uid }, status: { conditions: [condition] } } }, { namespace });
    await client.delete(Pod, name, { namespace, preconditions: { uid } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  since.delete(key);
  return done;
}
