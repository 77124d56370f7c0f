/**
 * Removes pods that nothing else removes: surplus finished pods, pods of nodes that are gone, and pods stuck in termination.
 *
 *     every 20 s → collectPods
 */
import { Node, Pod } from "@drover/api/core/v1";
import { done, kindSource, needOf, timerSource } from "@drover/controller";
import { objectKey } from "@drover/machinery";
import type { ControllerContext, ControllerDescriptor } from "../host/controller-descriptor.ts";
import { controllerSettings } from "../host/controller-settings.ts";
import { sharedInformer } from "../host/shared-informer.ts";
import { collectPods } from "./collect-pods.ts";
import { NodeQuarantine } from "./node-quarantine.ts";

export interface PodGarbageCollectorOptions {
  /** Number of finished pods to keep before the oldest are removed; 0 keeps all. `--terminated-pod-gc-threshold`. @default 12500 */
  readonly terminatedMax?: number;
}

const name = "pod-garbage-collector-controller";
const periodMs = 20_000;
const quarantineMs = 40_000;

/** Creates kube-controller-manager's "pod-garbage-collector-controller" with custom limits. Throws a RangeError for an invalid count. */
export function newPodGarbageCollector({ terminatedMax = 12_500 }: PodGarbageCollectorOptions = {}): ControllerDescriptor {
  if (!Number.isSafeInteger(terminatedMax) || terminatedMax < 0)
    throw new RangeError(`${name}: terminatedMax must be a whole number, or 0 to keep all pods, not ${terminatedMax}`);
  return {
    name,
    aliases: ["podgc"],
    serviceAccount: "pod-garbage-collector",
    add: (context) => addPodGarbageCollector(context, terminatedMax),
  };
}

/** kube-controller-manager's "pod-garbage-collector-controller". */
export const podGarbageCollectorController: ControllerDescriptor = newPodGarbageCollector();

function addPodGarbageCollector(context: ControllerContext, terminatedMax: number): void {
  const { cluster } = context.manager;
  const {
    runtime,
    runtime: { clock },
  } = cluster;
  const options = {
    pods: sharedInformer(cluster, Pod),
    nodes: sharedInformer(cluster, Node),
    quarantine: new NodeQuarantine({ clock, quarantineMs }),
    clock,
    terminatedMax,
  };
  const controller = context.manager.controller({
    ...controllerSettings(context, name, { workers: 1 }),
    reconcile: async (run) => {
      await collectPods(run, options);
      return done;
    },
    writes: [needOf(Node, ["get"]), needOf(Pod, ["delete"]), needOf(Pod, ["patch"], { subresource: "status" })],
  });
  // Watched for their caches only; a round runs on the timer.
  controller.watch(kindSource(Pod, { cluster, writers: false, handler: () => [] }));
  controller.watch(kindSource(Node, { cluster, writers: false, handler: () => [] }));
  controller.watch(timerSource({ runtime, every: periodMs, jitter: 0, immediate: true, keys: () => [objectKey("pods")] }));
}
