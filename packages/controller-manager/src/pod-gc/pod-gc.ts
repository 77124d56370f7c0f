/**
 * Takes away the pods that nobody else will: too many that have ended, those of nodes that are gone, those that would end for ever.
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
  /** How many pods that have ended are kept before the oldest go; 0 keeps all. `--terminated-pod-gc-threshold`. @default 12500 */
  readonly terminatedMax?: number;
}

const name = "pod-garbage-collector-controller";
const periodMs = 20_000;
const quarantineMs = 40_000;

/**
 * kube-controller-manager's "pod-garbage-collector-controller", with limits of one's own. Throws a RangeError for a
 * number that is no count.
 */
export function newPodGarbageCollector({ terminatedMax = 12_500 }: PodGarbageCollectorOptions = {}): ControllerDescriptor {
  if (!Number.isSafeInteger(terminatedMax) || terminatedMax < 0)
    throw new RangeError(`${name}: terminatedMax ${terminatedMax} is no count of pods; a whole number, or 0 to keep all`);
  return { name, aliases: ["podgc"], add: (context) => addPodGarbageCollector(context, terminatedMax) };
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
  // Watched for their caches; no single change is worth a round.
  controller.watch(kindSource(Pod, { cluster, writers: false, handler: () => [] }));
  controller.watch(kindSource(Node, { cluster, writers: false, handler: () => [] }));
  controller.watch(timerSource({ runtime, every: periodMs, jitter: 0, immediate: true, keys: () => [objectKey("pods")] }));
}
