/**
 * Monitors nodes: marks the conditions of a silent node Unknown, marks its pods not ready, and taints it so that they are evicted.
 *
 *     Nodes, Leases → keys → health, conditions, taints, pods        every five seconds, and on changes
 */
import { Lease } from "@drover/api/coordination/v1";
import { Node, Pod } from "@drover/api/core/v1";
import type { InformerView } from "@drover/cache";
import { after, done, kindSource, needOf } from "@drover/controller";
import type { EventRecorder, ReconcileContext, Result } from "@drover/controller";
import { formatTime, isNotFound, objectKey } from "@drover/machinery";
import type { Clock, DeepReadonly } from "@drover/machinery";
import type { ControllerContext, ControllerDescriptor } from "../host/controller-descriptor.ts";
import { controllerSettings } from "../host/controller-settings.ts";
import { eventRecorder } from "../host/event-recorder.ts";
import { sharedInformer } from "../host/shared-informer.ts";
import { noExecuteTaint, wantedTaints } from "./condition-taints.ts";
import { conditionOf, observe, silence } from "./node-health.ts";
import type { NodeHealth, SilenceLimits } from "./node-health.ts";
import { evictionRates, isReadyNode, zoneOf } from "./zone-state.ts";

/** kube-controller-manager's "node-lifecycle-controller". */
export const nodeLifecycleController: ControllerDescriptor = {
  name: "node-lifecycle-controller",
  aliases: ["nodelifecycle"],
  serviceAccount: "node-controller",
  add: addNodeLifecycle,
};

const limits: SilenceLimits = { graceMs: 50_000, startUpGraceMs: 60_000 };
const monitorMs = 5000;
const leaseNamespace = "kube-node-lease";

function addNodeLifecycle(context: ControllerContext): void {
  const { manager, preset } = context;
  const { cluster } = manager;
  const nodes = sharedInformer(cluster, Node);
  const pods = sharedInformer(cluster, Pod);
  pods.addIndexers({ [byNode]: ({ object }) => [object.spec?.nodeName ?? ""].filter((name) => name !== "") });
  const leases = kindSource(Lease, {
    cluster,
    writers: false,
    request: { namespace: leaseNamespace },
    name: "Lease of a Node",
    handler: () => [],
  });
  const watch: NodeWatch = {
    nodes,
    pods,
    leaseOf: (name) => leases.informer?.get(objectKey(name, leaseNamespace)),
    clock: cluster.runtime.clock,
    recorder: eventRecorder(context, nodeLifecycleController.name),
    isParity: preset === "parity",
    heard: new Map(),
    lastEviction: new Map(),
  };
  const controller = manager.controller({
    ...controllerSettings(context, nodeLifecycleController.name, { workers: 8 }),
    reconcile: (run) => lookAfter(run, watch),
    writes: [
      needOf(Node, ["patch"]),
      needOf(Node, ["patch"], { subresource: "status" }),
      needOf(Pod, ["patch"], { subresource: "status" }),
    ],
  });
  controller.watch(kindSource(Node, { cluster, writers: false }));
  controller.watch(leases);
}

const byNode = "nodeLifecycle.byNode";

interface NodeWatch {
  readonly nodes: InformerView<Node>;
  readonly pods: InformerView<Pod>;
  readonly leaseOf: (name: string) => DeepReadonly<Lease> | undefined;
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  readonly isParity: boolean;
  /** By node name. */
  readonly heard: Map<string, NodeHealth>;
  /** Time of the last eviction, by zone. */
  readonly lastEviction: Map<string, number>;
}

async function lookAfter({ key, client }: Pick<ReconcileContext, "key" | "client">, watch: NodeWatch): Promise<Result> {
  const { nodes, heard, clock, recorder, leaseOf } = watch;
  const name = String(key);
  const now = clock.now();
  const node = nodes.get(key);
  if (node === undefined) {
    heard.delete(name);
    return done;
  }
  if (!heard.has(name))
    recorder.eventf({
      regarding: node,
      type: "Normal",
      reason: "RegisteredNode",
      action: "RegisterNode",
      note: `Node ${name} event: Registered Node ${name} in Controller`,
    });
  const health = observe(heard.get(name), node, leaseOf(name), now);
  heard.set(name, health);
  const silent = silence(node, health, now, limits);
  // The write comes back as a change of the node.
  if (silent !== undefined) {
    await client
      .resource(Node)
      .status.patch(name, { type: "strategic", body: { metadata: seenVersion(node), status: { conditions: silent } } });
    if (conditionOf(node, "Ready")?.status === "True")
      recorder.eventf({
        regarding: node,
        type: "Normal",
        reason: "NodeNotReady",
        action: "MarkNode",
        note: `Node ${name} status is now: NodeNotReady`,
      });
    return done;
  }
  const taints = wantedTaints(node, { now, mayEvict: mayEvict(node, now, watch) });
  if (taints !== undefined)
    await client.patch(Node, name, {
      type: "merge",
      body: { metadata: seenVersion(node), spec: { taints } },
    });
  if (!isReadyNode(node)) await markPods(name, now, client, watch);
  return after(monitorMs);
}

/** A write that was delayed until the node, or another leader, has written must not undo that. */
const seenVersion = ({ metadata: { resourceVersion = "" } }: DeepReadonly<Node | Pod>): { readonly resourceVersion: string } => ({
  resourceVersion,
});

/** Whether the pods of this node may be evicted now; uses up the zone's rate limit if so. */
function mayEvict(node: DeepReadonly<Node>, now: number, { nodes, isParity, lastEviction }: NodeWatch): boolean {
  const taint = noExecuteTaint(node);
  if (taint === undefined || node.spec?.taints?.some(({ key, effect }) => key === taint && effect === "NoExecute") === true) return false;
  const zone = zoneOf(node);
  const rate = evictionRates(nodes.list()).get(zone) ?? 0;
  if (rate === 0) return false;
  if (isParity && now - (lastEviction.get(zone) ?? -Infinity) < 1000 / rate) return false;
  lastEviction.set(zone, now);
  return true;
}

/** Marks the pods of a node that is not ready as not ready: each as it was seen, as kube-controller-manager does. */
async function markPods(node: string, now: number, client: ReconcileContext["client"], { pods, recorder }: NodeWatch): Promise<void> {
  for (const pod of pods.byIndex(byNode, node)) {
    const ready = pod.status?.conditions?.find(({ type }) => type === "Ready");
    if (ready?.status !== "True") continue;
    const { name = "", namespace = "", uid = "" } = pod.metadata;
    try {
      await client.resource(Pod).status.patch(
        name,
        {
          type: "strategic",
          body: {
            metadata: { uid, ...seenVersion(pod) },
            status: { conditions: [{ type: "Ready", status: "False", lastTransitionTime: formatTime(now) }] },
          },
        },
        { namespace },
      );
      recorder.eventf({ regarding: pod, type: "Warning", reason: "NodeNotReady", action: "MarkPod", note: "Node is not ready" });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}
