/**
 * The kubelets of simulated nodes, all of them in one controller: pods that are bound to one of them run, end, crash and go as their annotations say.
 *
 *     addNode → Node, Lease, heartbeats        pods → keys → podStep → pods/status, or the end of the object
 */
import { Lease } from "@drover/api/coordination/v1";
import { Node, Pod } from "@drover/api/core/v1";
import { after, done, kindSource, needOf } from "@drover/controller";
import type { Handler, Manager, ReconcileContext, Result } from "@drover/controller";
import { formatMicroTime, isAlreadyExists, isConflict, isNotFound, millisToMicros, sleep, splitObjectKey } from "@drover/machinery";
import type { Clock, DeepReadonly, ObjectKey } from "@drover/machinery";
import { AddressPool } from "./address-pool.ts";
import { podConduct, promptPods } from "./pod-conduct.ts";
import type { PodTimes } from "./pod-conduct.ts";
import { podStep } from "./pod-step.ts";
import { leaseNamespace, nodeLease, nodeObject, nodeStatus } from "./simulated-node.ts";
import type { SimulatedNodeOptions } from "./simulated-node.ts";

export interface KubeletsOptions {
  readonly manager: Manager;
  /** How long things take that pods do not say themselves. @default as fast as can be */
  readonly times?: PodTimes;
}

/** The nodes there are. */
export interface Kubelets {
  /** Registers a node and looks after its pods from now on; one that was stopped is alive again. */
  addNode(options: SimulatedNodeOptions): Promise<void>;
  /** The node falls silent, as when its power fails: no heartbeat, and nothing happens to its pods. Throws for a node that is not there. */
  stopNode(name: string): void;
  /** Names of the nodes that are alive. */
  readonly nodes: readonly string[];
}

interface LiveNode {
  readonly options: SimulatedNodeOptions;
  readonly pool: AddressPool;
}

const workers = 32;
const heartbeatMs = 10_000;

/** Adds them to a manager; they begin when it runs. */
export function addKubelets({ manager, times = promptPods }: KubeletsOptions): Kubelets {
  const { cluster } = manager;
  const { clock, log } = cluster.runtime;
  const nodes = new Map<string, LiveNode>();
  const pods = kindSource(Pod, { cluster, writers: false, name: "Pod on a simulated node", handler: podHandler(nodes) });
  const controller = manager.controller({
    name: "kubelet", workers, echoesMax: Infinity,
    reconcile: (run) => live(run, { nodes, times, clock, podOf: (key) => pods.informer?.get(key) }),
    writes: [needOf(Pod, ["delete"]), needOf(Pod, ["patch"], { subresource: "status" }), needOf(Node, ["create"]), needOf(Node, ["patch"], { subresource: "status" }), needOf(Lease, ["create", "patch"], { namespace: leaseNamespace })],
  });
  controller.watch(pods);
  manager.add({ name: "kubelet heartbeats", run: (signal) => heartbeats(signal) });

  async function heartbeats(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await Promise.all([...nodes.keys()].map((name) => renew(name, signal)));
      await sleep(clock, heartbeatMs, { signal }).catch(() => undefined);
    }
  }

  async function renew(name: string, signal: AbortSignal): Promise<void> {
    const renewTime = formatMicroTime(millisToMicros(clock.now()));
    try {
      await cluster.client.patch(Lease, name, { type: "merge", body: { spec: { renewTime } } }, { namespace: leaseNamespace, signal });
    } catch (error) {
      if (!signal.aborted) log.warn("a simulated node could not renew its lease", { node: name, error });
    }
  }

  return {
    get nodes() { return [...nodes.keys()]; },
    addNode: async (options) => {
      const pool = nodes.get(options.name)?.pool ?? new AddressPool(options.podCidr);
      const node = await register(cluster.client, options, clock.now());
      nodes.set(options.name, { options, pool });
      await createUnlessThere(() => cluster.client.create(Lease, nodeLease(node, clock.now())));
      // What was bound to it before it came.
      for (const pod of pods.informer?.list() ?? []) if (pod.spec?.nodeName === options.name) controller.enqueue(`${pod.metadata.namespace ?? ""}/${pod.metadata.name ?? ""}` as ObjectKey, { note: "its node is there" });
    },
    stopNode: (name) => {
      if (!nodes.delete(name)) throw new Error(`there is no simulated node ${name}; those that are alive: ${[...nodes.keys()].join(", ") || "none"}`);
    },
  };
}

async function register(client: ReconcileContext["client"], options: SimulatedNodeOptions, now: number): Promise<DeepReadonly<Node>> {
  await createUnlessThere(() => client.create(Node, nodeObject(options)));
  return await client.resource(Node).status.patch(options.name, { type: "merge", body: { status: nodeStatus(options, now) } });
}

async function createUnlessThere(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

/** Pods of our nodes; one that has gone gives its address back. */
function podHandler(nodes: ReadonlyMap<string, LiveNode>): Handler<Pod> {
  return (change) => {
    const { key, object, uid } = change;
    const node = nodes.get(object.spec?.nodeName ?? "");
    if (node === undefined) return [];
    if (change.type === "deleted") node.pool.giveBack(uid);
    return change.type === "deleted" ? [] : [{ key, priority: 0, cause: { type: "change", via: "self", change } }];
  };
}

interface Living {
  readonly nodes: ReadonlyMap<string, LiveNode>;
  readonly times: PodTimes;
  readonly clock: Clock;
  readonly podOf: (key: ObjectKey) => DeepReadonly<Pod> | undefined;
}

async function live({ key, client }: Pick<ReconcileContext, "key" | "client">, { nodes, times, clock, podOf }: Living): Promise<Result> {
  const pod = podOf(key);
  const node = nodes.get(pod?.spec?.nodeName ?? "");
  if (pod === undefined || node === undefined) return done;
  const { name, namespace } = splitObjectKey(key);
  const { uid = "" } = pod.metadata;
  const step = podStep(pod, { now: clock.now(), conduct: podConduct(pod, times), addresses: () => addressesFor(pod, node) });
  if (step.type === "wait") return after(step.ms);
  if (step.type === "rest") return done;
  try {
    if (step.type === "remove") await client.delete(Pod, name, { namespace, gracePeriodSeconds: 0, preconditions: { uid } });
    else await client.resource(Pod).status.patch(name, { type: "strategic", body: { metadata: { uid }, status: step.status } }, { namespace });
  } catch (error) {
    // It has gone, or another of its name has come.
    if (!isNotFound(error) && !isConflict(error)) throw error;
  }
  return done;
}

function addressesFor({ metadata, spec, status }: DeepReadonly<Pod>, { options, pool }: LiveNode): { readonly host: string; readonly pod: string } {
  const host = options.address;
  if (spec?.hostNetwork === true) return { host, pod: host };
  const pod = pool.take(metadata.uid ?? "", status?.podIP);
  if (pod === undefined) throw new Error(`node ${options.name} has no address left for pod ${metadata.namespace ?? ""}/${metadata.name ?? ""}: ${options.podCidr} is used up`);
  return { host, pod };
}
