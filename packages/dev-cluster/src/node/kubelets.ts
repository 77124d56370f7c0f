/**
 * The kubelets of all simulated nodes, in one controller: pods bound to these nodes run, exit, crash and terminate as their
 * annotations say.
 *
 *     addNode → Node, Lease, heartbeats        pods → keys → podStep → pods/status, or deletion        logs → the server's pods/log
 */
import { Lease } from "@drover/api/coordination/v1";
import { Node, Pod } from "@drover/api/core/v1";
import type { PodStatus } from "@drover/api/core/v1";
import { after, done, kindSource, needOf } from "@drover/controller";
import type { Handler, Manager, ReconcileContext, Result } from "@drover/controller";
import type { Cluster } from "@drover/cache";
import type { TransportWrapper } from "@drover/client";
import { definedOnly, formatMicroTime, isAlreadyExists, isNotFound, millisToMicros, sleep, splitObjectKey } from "@drover/machinery";
import type { Clock, DeepReadonly, ObjectKey } from "@drover/machinery";
import type { PodLogs } from "@drover/apiserver";
import { AddressPool } from "./address-pool.ts";
import { readLog } from "./follow-log.ts";
import { podConduct, promptPods } from "./pod-conduct.ts";
import type { PodTimes } from "./pod-conduct.ts";
import { podStep } from "./pod-step.ts";
import { leaseNamespace, nodeConditions, nodeLease, nodeObject, nodeStatus } from "./simulated-node.ts";
import type { SimulatedNodeOptions } from "./simulated-node.ts";

export interface KubeletsOptions {
  readonly manager: Manager;
  /** Durations for pods whose annotations name none. @default `promptPods` */
  readonly times?: PodTimes;
  /** Returns a wrapper that authenticates a node's requests as `system:node:<name>`; informers are the manager's. @default as the manager's */
  readonly credentials?: (node: string) => TransportWrapper;
}

/** The simulated nodes. */
export interface Kubelets {
  /** Registers a node and runs its pods from now on. Revives a node that was stopped or whose Node object was deleted. */
  addNode(options: SimulatedNodeOptions): Promise<void>;
  /** Silences the node, like a power failure: no heartbeats, and its pods stay as they are. Throws for an unknown node. */
  stopNode(name: string): void;
  /** Names of the running nodes. */
  readonly nodes: readonly string[];
  /** Container logs, for the API server. */
  readonly logs: PodLogs;
}

interface LiveNode {
  readonly options: SimulatedNodeOptions;
  readonly client: Client;
  readonly pool: AddressPool;
  /** Uid of the registered Node. */
  readonly uid: string;
}

const workers = 32;
const heartbeatMs = 10_000;
/** Heartbeats between status reports of an unchanged node: every five minutes. */
const heartbeatsPerReport = 30;

/** Adds the kubelets to a manager; they start when it runs. */
export function addKubelets({ manager, times = promptPods, credentials = () => (next) => next }: KubeletsOptions): Kubelets {
  const { cluster } = manager;
  const {
    readYourWrites,
    runtime: { clock },
  } = cluster;
  const nodes = new Map<string, LiveNode>();
  const pods = kindSource(Pod, { cluster, writers: false, name: "Pod on a simulated node", handler: podHandler(nodes) });
  const podOf = (key: ObjectKey): DeepReadonly<Pod> | undefined => pods.informer?.get(key);
  const controller = manager.controller({
    name: "kubelet",
    workers,
    echoesMax: Infinity,
    through: (key) => [credentials(podOf(key)?.spec?.nodeName ?? "")],
    reconcile: (run) => live(run, { nodes, times, clock, podOf }),
    writes: [
      needOf(Pod, ["delete"]),
      needOf(Pod, ["patch"], { subresource: "status" }),
      needOf(Node, ["create", "get"]),
      needOf(Node, ["patch"], { subresource: "status" }),
      needOf(Lease, ["create", "patch"], { namespace: leaseNamespace }),
    ],
  });
  controller.watch(pods);
  controller.watch(kindSource(Node, { cluster, writers: false, name: "Node that has gone", handler: nodeHandler(nodes) }));
  manager.add({ name: "kubelet heartbeats", run: (signal) => heartbeats(nodes, cluster, signal) });
  return {
    get nodes() {
      return [...nodes.keys()];
    },
    addNode: async (options) => {
      const pool = nodes.get(options.name)?.pool ?? new AddressPool(options.podCidr);
      const client = cluster.clientThrough((next) => readYourWrites.transport(next), credentials(options.name));
      const node = await register(client, options, clock.now());
      const bound = (): readonly DeepReadonly<Pod>[] => (pods.informer?.list() ?? []).filter(({ spec }) => spec?.nodeName === options.name);
      // Before a new pod can get one of their addresses.
      for (const pod of bound()) keepAddress(pod, pool);
      nodes.set(options.name, { options, client, pool, uid: node.metadata.uid ?? "" });
      await createUnlessThere(() => client.create(Lease, nodeLease(node, clock.now())));
      await renewLease(client, options.name, clock.now());
      // Pods bound to the node before it was added.
      for (const pod of bound()) controller.enqueue(keyOf(pod), { note: "its node was added" });
    },
    stopNode: (name) => {
      if (!nodes.delete(name)) throw new Error(`unknown simulated node ${name}; running nodes: ${[...nodes.keys()].join(", ") || "none"}`);
    },
    logs: (pod, container, options) => {
      const isOurs = (): boolean => nodes.has(pod.spec?.nodeName ?? "");
      if (!isOurs()) return undefined;
      // The server's pod may be newer than the cached one at first.
      const current = (): DeepReadonly<Pod> | undefined => (isOurs() ? podOf(keyOf(pod)) : undefined);
      let first: DeepReadonly<Pod> | undefined = pod;
      const podNow = (): DeepReadonly<Pod> | undefined => {
        const found = first ?? current();
        first = undefined;
        return found?.metadata.uid === pod.metadata.uid ? found : undefined;
      };
      return readLog(container, { ...options, clock, podOf: podNow, conductOf: (each) => podConduct(each, times) });
    },
  };
}

const keyOf = ({ metadata: { namespace = "", name = "" } }: DeepReadonly<Pod>): ObjectKey => `${namespace}/${name}` as ObjectKey;

/** Renews the leases of all nodes until the signal is aborted. */
async function heartbeats(nodes: ReadonlyMap<string, LiveNode>, { runtime: { clock, log } }: Cluster, signal: AbortSignal): Promise<void> {
  for (let count = 1; !signal.aborted; count++) {
    await Promise.all(
      [...nodes].map(async ([name, { client }]) => {
        try {
          await renewLease(client, name, clock.now(), signal);
          if (count % heartbeatsPerReport === 0) await report(client, name, clock.now(), signal);
        } catch (error) {
          // Its Node was deleted and the lease with it; the watch will report that.
          if (!signal.aborted && !isNotFound(error)) log.warn("simulated node cannot send its heartbeat", { node: name, error });
        }
      }),
    );
    await sleep(clock, heartbeatMs, { signal }).catch(() => undefined);
  }
}

async function renewLease(client: Client, name: string, now: number, signal?: AbortSignal): Promise<void> {
  await client.patch(
    Lease,
    name,
    { type: "merge", body: { spec: { renewTime: formatMicroTime(millisToMicros(now)) } } },
    { namespace: leaseNamespace, ...definedOnly({ signal }) },
  );
}

async function report(client: Client, name: string, now: number, signal: AbortSignal): Promise<void> {
  const node = await client.get(Node, name, { signal });
  await client
    .resource(Node)
    .status.patch(name, { type: "strategic", body: { status: { conditions: nodeConditions(now, node) } } }, { signal });
}

type Client = ReconcileContext["client"];

/** Creates the Node together with its status, as a kubelet does, because a node without resources cannot take pods at once. */
async function register(client: Client, options: SimulatedNodeOptions, now: number): Promise<DeepReadonly<Node>> {
  await createUnlessThere(() => client.create(Node, { ...nodeObject(options), status: nodeStatus(options, now, undefined) }));
  const before = await client.get(Node, options.name);
  return await client.resource(Node).status.patch(options.name, { type: "strategic", body: { status: nodeStatus(options, now, before) } });
}

async function createUnlessThere(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

/** A kubelet whose Node was deleted does not register again: it stops until it is added again, like a real one until its restart. */
function nodeHandler(nodes: Map<string, LiveNode>): Handler<Node> {
  return (change) => {
    const name = change.object.metadata.name ?? "";
    if (change.type === "deleted" && nodes.get(name)?.uid === change.uid) nodes.delete(name);
    return [];
  };
}

/** Enqueues pods of simulated nodes; a deleted pod releases its address. */
function podHandler(nodes: ReadonlyMap<string, LiveNode>): Handler<Pod> {
  return (change) => {
    const { key, object, uid } = change;
    const node = nodes.get(object.spec?.nodeName ?? "");
    if (node === undefined) return [];
    if (change.type === "deleted") node.pool.giveBack(uid);
    else keepAddress(object, node.pool);
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
    else
      await client
        .resource(Pod)
        .status.patch(name, { type: "strategic", body: { metadata: { uid }, status: patchOf(step.status) } }, { namespace });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return done;
}

/** The server merges conditions by type, so fields that no longer apply must be cleared. */
function patchOf({ conditions = [], ...status }: PodStatus): object {
  return { ...status, conditions: conditions.map((condition) => ({ reason: null, message: null, ...condition })) };
}

/** Reserves an address that an earlier kubelet allocated. */
function keepAddress({ metadata, spec, status }: DeepReadonly<Pod>, pool: AddressPool): void {
  if (status?.podIP !== undefined && spec?.hostNetwork !== true) pool.keep(metadata.uid ?? "", status.podIP);
}

function addressesFor(
  { metadata, spec, status }: DeepReadonly<Pod>,
  { options, pool }: LiveNode,
): { readonly host: string; readonly pod: string } {
  const host = options.address;
  if (spec?.hostNetwork === true) return { host, pod: host };
  const pod = pool.take(metadata.uid ?? "", status?.podIP);
  if (pod === undefined)
    throw new Error(
      `node ${options.name} has no address left for pod ${metadata.namespace ?? ""}/${metadata.name ?? ""}: ${options.podCidr} is used up`,
    );
  return { host, pod };
}
