/** Executes one step of a plan as a user. Objects that are missing, already exist, or are in a terminating namespace are left alone. */
import { Deployment, ReplicaSet } from "@drover/api/apps/v1";
import { Namespace, Node, Pod, Service } from "@drover/api/core/v1";
import { isAlreadyExists, isConflict, isForbidden, isInvalid, isNotFound } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import type { Act, Step } from "./plan.ts";
import type { Stage } from "./stage.ts";
import { controllerUid } from "./world.ts";
import { kindOf, serviceFor, template, workload } from "./workloads.ts";

/** Intended effects that may be visible at the end. */
export interface Intentions {
  /** Owners whose children were orphaned on purpose. */
  readonly orphanedOwners: Set<string>;
  /** Pods that were taken from their owners. */
  readonly releasedPods: Set<string>;
}

export async function playStep(stage: Stage, step: Step, intentions: Intentions): Promise<void> {
  const { pauseMs, ...act } = step;
  stage.log.tell(JSON.stringify(act));
  try {
    await play(stage, act, intentions);
  } catch (error) {
    if (!isNotFound(error) && !isAlreadyExists(error) && !isForbidden(error) && !isConflict(error) && !isInvalid(error)) throw error;
  }
  await stage.pass(pauseMs);
}

async function play(stage: Stage, act: Act, intentions: Intentions): Promise<void> {
  const { user } = stage;
  switch (act.do) {
    case "create":
      return void (await user.create(kindOf[act.target.kind], workload(act)));
    case "scale":
      return await scale(stage, act);
    case "roll":
      return await roll(stage, act);
    case "hold":
      return await hold(stage, act);
    case "rollback":
      return await rollBack(stage, act);
    case "delete":
      return await remove(stage, act, intentions);
    case "expose":
      return void (await user.create(Service, serviceFor(act.target, act.variant)));
    case "unexpose":
      return void (await user.delete(Service, act.target.name, { namespace: act.target.namespace }));
    case "delete pod": {
      const pod = nthPod(stage, act.namespace, act.index);
      return void (
        pod !== undefined &&
        (await user.delete(Pod, pod.metadata.name ?? "", { namespace: act.namespace, ...(act.isForced ? { gracePeriodSeconds: 0 } : {}) }))
      );
    }
    case "relabel pod":
      return await relabel(stage, act, intentions);
    case "create namespace":
      return void (await user.create(Namespace, { metadata: { name: act.namespace } }));
    case "delete namespace":
      return void (await user.delete(Namespace, act.namespace));
    case "kill":
      for (const { transport } of stage.processes(act.victim)) transport.dieAt(act.requests, act.when);
      return;
    case "cut watches":
      for (const { transport } of stage.processes(act.victim)) transport.cutWatches();
      return;
    case "stall watches":
      for (const { transport } of stage.processes(act.victim)) transport.stallWatches(act.ms);
      return;
    case "compact":
      return await stage.server.compact();
    case "wait":
      return;
    case "cordon":
    case "uncordon":
    case "taint":
    case "taint, no execute":
    case "untaint":
    case "stop node":
    case "start node":
    case "delete node":
      return await playOnNode(stage, act);
  }
}

type OnNode = Extract<Act, { readonly node: string }>;
type On<Name extends Act["do"]> = Extract<Act, { readonly do: Name }>;

async function playOnNode(stage: Stage, { do: what, node }: OnNode): Promise<void> {
  const { user } = stage;
  const cordon = async (unschedulable: boolean): Promise<void> =>
    void (await user.patch(Node, node, { type: "merge", body: { spec: { unschedulable } } }));
  switch (what) {
    case "cordon":
      return await cordon(true);
    case "uncordon":
      return await cordon(false);
    case "taint":
      return await setTaint(stage, node, "NoSchedule");
    case "taint, no execute":
      return await setTaint(stage, node, "NoExecute");
    case "untaint":
      return await setTaint(stage, node, undefined);
    case "stop node":
      return stage.powerOff(node);
    case "start node":
      return await stage.powerOn(node);
    case "delete node":
      return void (await user.delete(Node, node));
  }
}

const userTaint = "example.com/broken";

/** Sets or removes the users' taint; the other taints belong to controllers. */
export async function setTaint({ user }: Stage, name: string, effect: "NoSchedule" | "NoExecute" | undefined): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      const node = await user.get(Node, name);
      const taints = (node.spec?.taints ?? []).filter(({ key }) => key !== userTaint);
      return void (await user.update(Node, {
        ...node,
        spec: { ...node.spec, taints: effect === undefined ? taints : [...taints, { key: userTaint, effect }] },
      }));
    } catch (error) {
      // `retryOnConflict` would wait for a clock that only this code moves.
      if (!isConflict(error) || tries === 10) throw error;
    }
  }
}

async function scale({ user }: Stage, { target, replicas }: On<"scale">): Promise<void> {
  const { kind, namespace, name } = target;
  if (kind === "DaemonSet" || kind === "CronJob") return;
  const spec = kind === "Job" ? { parallelism: replicas } : { replicas };
  await user.patch(kindOf[kind], name, { type: "merge", body: { spec } as never }, { namespace });
}

/** As `kubectl set image`; ReplicaSets use it for later pods, Jobs refuse it. */
async function roll({ user }: Stage, { target, version, conduct }: On<"roll">): Promise<void> {
  const { kind, namespace, name } = target;
  if (kind === "Job" || kind === "CronJob") return;
  await user.patch(
    kindOf[kind],
    name,
    { type: "json", body: [{ op: "replace", path: "/spec/template", value: template(target, version, conduct) as never }] },
    { namespace },
  );
}

async function hold({ user }: Stage, { target: { kind, namespace, name }, isHeld }: On<"hold">): Promise<void> {
  const field = kind === "Deployment" ? "paused" : kind === "Job" || kind === "CronJob" ? "suspend" : undefined;
  if (field !== undefined)
    await user.patch(kindOf[kind], name, { type: "merge", body: { spec: { [field]: isHeld } } as never }, { namespace });
}

/** As `kubectl rollout undo`: the template of the previous revision. */
async function rollBack({ user }: Stage, { target: { namespace, name } }: On<"rollback">): Promise<void> {
  const { metadata } = await user.get(Deployment, name, { namespace });
  const revisionOf = ({ metadata: { annotations = {} } }: ReplicaSet): number =>
    Number(annotations["deployment.kubernetes.io/revision"] ?? 0);
  const owned = (await user.list(ReplicaSet, { namespace })).items
    .filter((replicaSet) => controllerUid(replicaSet) === metadata.uid)
    .toSorted((one, other) => revisionOf(other) - revisionOf(one));
  const before = owned[1]?.spec?.template;
  if (before === undefined) return;
  const { "pod-template-hash": _hash, ...labels } = before.metadata?.labels ?? {};
  await user.patch(
    Deployment,
    name,
    {
      type: "json",
      body: [{ op: "replace", path: "/spec/template", value: { ...before, metadata: { ...before.metadata, labels } } as never }],
    },
    { namespace },
  );
}

async function remove(
  { user }: Stage,
  { target: { kind, namespace, name }, propagation }: On<"delete">,
  { orphanedOwners }: Intentions,
): Promise<void> {
  const {
    metadata: { uid = "" },
  } = await user.get(kindOf[kind], name, { namespace });
  if (propagation === "Orphan") orphanedOwners.add(uid);
  await user.delete(kindOf[kind], name, { namespace, propagationPolicy: propagation, preconditions: { uid } });
}

const podsIn = ({ world }: Stage, namespace: string): readonly DeepReadonly<Pod>[] =>
  world
    .all("pods")
    .filter(({ metadata }) => metadata.namespace === namespace)
    .toSorted((one, other) => ((one.metadata.name ?? "") < (other.metadata.name ?? "") ? -1 : 1));

function nthPod(stage: Stage, namespace: string, index: number): DeepReadonly<Pod> | undefined {
  const pods = podsIn(stage, namespace);
  return pods[index % Math.max(1, pods.length)];
}

/** The label that a pod loses, and its value. */
const lostLabel = "example.com/was";

async function relabel(stage: Stage, { namespace, index, isBack }: On<"relabel pod">, { releasedPods }: Intentions): Promise<void> {
  const pods = podsIn(stage, namespace).filter(({ metadata }) => (metadata.labels?.[lostLabel] === undefined) !== isBack);
  const pod = pods[index % Math.max(1, pods.length)];
  if (pod === undefined) return;
  if (isBack) return await giveLabelBack(stage, pod);
  const app = pod.metadata.labels?.["app"] ?? "none";
  releasedPods.add(pod.metadata.uid ?? "");
  await stage.user.patch(
    Pod,
    pod.metadata.name ?? "",
    { type: "merge", body: { metadata: { labels: { app: "lost", [lostLabel]: app } } } },
    { namespace },
  );
}

/** The pod matches its owner's selector again. */
export async function giveLabelBack(
  { user }: Stage,
  { metadata: { name = "", namespace = "", labels = {} } }: DeepReadonly<Pod>,
): Promise<void> {
  const app = labels[lostLabel];
  if (app !== undefined)
    await user.patch(Pod, name, { type: "merge", body: { metadata: { labels: { app, [lostLabel]: null } } } }, { namespace });
}
