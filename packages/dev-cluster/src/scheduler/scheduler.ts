/**
 * The scheduler: binds pods to nodes.
 *
 *     pods without a node → keys → place → binding, or preemption        changes of nodes, pods, claims → unschedulable pods are tried again
 */
import { Namespace, Node, PersistentVolumeClaim, Pod } from "@drover/api/core/v1";
import { PodDisruptionBudget } from "@drover/api/policy/v1";
import type { TransportWrapper } from "@drover/client";
import { after, done, kindSource, lowPriority, needOf } from "@drover/controller";
import type { EventBroadcaster, EventRecorder, Handler, Manager, ReconcileContext, Result } from "@drover/controller";
import { definedOnly, formatTime, isNotFound, splitObjectKey } from "@drover/machinery";
import type { Clock, DeepReadonly, KubeObject, ObjectKey } from "@drover/machinery";
import { PendingPods } from "./pending-pods.ts";
import { couldHelpPods, hasSameWishes, nodeHelps, podHelps } from "./relevant-change.ts";
import type { CouldHelp } from "./relevant-change.ts";
import { SchedulerState } from "./scheduler-state.ts";
import type { Placement } from "./scheduler-state.ts";
import { sendAway, takeBackPromise } from "./send-away.ts";

export interface SchedulerOptions {
  readonly manager: Manager;
  readonly events: EventBroadcaster;
  /** Schedules pods with this `spec.schedulerName`. @default "default-scheduler" */
  readonly name?: string;
  /** Authenticates its requests as `system:kube-scheduler`; its informers and Events are the manager's. @default as the manager's */
  readonly credentials?: TransportWrapper;
}

/** Maximum concurrent bindings. */
const workers = 16;
/** An unschedulable pod is tried again after this time, even without an event. */
const lookAgainMs = 5 * 60_000;

/** Adds the scheduler to a manager; it starts when the manager runs. */
export function addScheduler({ manager, events, name = "default-scheduler", credentials }: SchedulerOptions): void {
  const { cluster } = manager;
  const state = new SchedulerState();
  const pending = new PendingPods();
  const pods = kindSource(Pod, {
    cluster,
    writers: false,
    name: "Pod without a node",
    handler: podHandler(state, name, (helps) => tryAgain(helps, "another pod changed")),
  });
  const scheduling: Scheduling = {
    state,
    pending,
    podOf: (key) => pods.informer?.get(key),
    name,
    clock: cluster.runtime.clock,
    recorder: events.recorder({ controller: name, instance: name }),
  };
  const controller = manager.controller({
    name: "scheduler",
    workers,
    ...(credentials === undefined ? {} : { through: [credentials] }),
    reconcile: (run) => schedule(run, scheduling),
    writes: [
      needOf(Pod, ["create"], { subresource: "binding" }),
      needOf(Pod, ["patch"], { subresource: "status" }),
      needOf(Pod, ["delete"]),
    ],
  });
  const tryAgain = (couldHelp: CouldHelp, note: string): void => {
    for (const { key, ...when } of pending.due(scheduling.clock.now(), couldHelp)) controller.enqueue(key, { ...when, note });
  };
  controller.watch(pods);
  controller.watch(
    kindSource(Node, { cluster, writers: false, handler: nodeHandler(state, () => tryAgain(() => true, "the nodes changed")) }),
  );
  controller.watch(
    kindSource(Namespace, {
      cluster,
      writers: false,
      handler: keptIn<Namespace>(
        (key, object) => state.set("namespaces", key, object),
        () => tryAgain(couldHelpPods.namespace, "a namespace changed"),
      ),
    }),
  );
  controller.watch(
    kindSource(PersistentVolumeClaim, {
      cluster,
      writers: false,
      handler: keptIn<PersistentVolumeClaim>(
        (key, object) => state.set("claims", key, object),
        () => tryAgain(couldHelpPods.claim, "a claim changed"),
      ),
    }),
  );
  controller.watch(
    kindSource(PodDisruptionBudget, {
      cluster,
      writers: false,
      handler: keptIn<PodDisruptionBudget>(
        (key, object) => state.set("budgets", key, object),
        () => undefined,
      ),
    }),
  );
}

interface Scheduling {
  readonly state: SchedulerState;
  readonly pending: PendingPods;
  readonly podOf: (key: ObjectKey) => DeepReadonly<Pod> | undefined;
  readonly name: string;
  readonly clock: Clock;
  readonly recorder: EventRecorder;
}

/** Also updates the model; seeing a change twice does no harm. */
function podHandler(state: SchedulerState, name: string, onHelp: (helps: CouldHelp) => void): Handler<Pod> {
  return (change) => {
    const { key, object } = change;
    if (change.type === "deleted") state.removePod(change.uid);
    else state.setPod(object);
    const helps = podHelps(change);
    if (helps !== undefined) onHelp(helps);
    if (change.type === "deleted" || !isWaiting(object, name)) return [];
    // The scheduler's own status writes are no reason to try again.
    const isUpdate = change.type === "updated" && change.isNewEpoch !== true;
    if (isUpdate && isWaiting(change.before, name) && hasSameWishes(change.before, object)) return [];
    const { priority = 0 } = object.spec ?? {};
    return [{ key, priority: Math.max(lowPriority, priority), cause: { type: "change", via: "self", change } }];
  };
}

function nodeHandler(state: SchedulerState, onHelp: () => void): Handler<Node> {
  return (change) => {
    if (change.type === "deleted") state.removeNode(change.object.metadata.name ?? "");
    else state.setNode(change.object);
    if (nodeHelps(change)) onHelp();
    return [];
  };
}

function keptIn<T extends KubeObject>(keep: (key: string, object: DeepReadonly<T> | undefined) => void, onChange: () => void): Handler<T> {
  return (change) => {
    keep(change.key, change.type === "deleted" ? undefined : change.object);
    onChange();
    return [];
  };
}

/** Whether this scheduler should place the pod, and may. */
function isWaiting({ metadata, spec }: DeepReadonly<Pod>, name: string): boolean {
  const { nodeName = "", schedulerName = "default-scheduler", schedulingGates = [] } = spec ?? {};
  return nodeName === "" && schedulerName === name && schedulingGates.length === 0 && metadata.deletionTimestamp === undefined;
}

async function schedule({ key, client }: Pick<ReconcileContext, "key" | "client">, scheduling: Scheduling): Promise<Result> {
  const { state, pending, podOf, name, recorder, clock } = scheduling;
  const pod = podOf(key);
  if (pod === undefined || !isWaiting(pod, name)) {
    pending.forget(key);
    return done;
  }
  const placement = state.place(pod);
  if ("message" in placement) {
    pending.failed(key, pod, clock.now());
    await refuse(pod, placement, client, scheduling);
    return after(lookAgainMs);
  }
  const { node } = placement;
  const place = splitObjectKey(key);
  state.assume(pod, node);
  try {
    await client
      .resource(Pod)
      .binding.create(place.name, { target: { apiVersion: "v1", kind: "Node", name: node } }, { namespace: place.namespace });
  } catch (error) {
    state.removePod(pod.metadata.uid ?? "");
    if (isNotFound(error)) return done;
    throw error;
  }
  pending.forget(key);
  recorder.eventf({
    regarding: pod,
    type: "Normal",
    reason: "Scheduled",
    action: "Binding",
    note: `Successfully assigned ${place.namespace}/${place.name} to ${node}`,
  });
  return done;
}

/** Records why the pod is unschedulable, and evicts the victims. */
async function refuse(
  pod: DeepReadonly<Pod>,
  { message, promised, victims }: Extract<Placement, { readonly message: string }>,
  client: ReconcileContext["client"],
  scheduling: Scheduling,
): Promise<void> {
  const { state, recorder, clock, name } = scheduling;
  const { priority = 0 } = pod.spec ?? {};
  const lesser = promised === undefined || promised === "" ? [] : state.promised(promised).filter((other) => other.priority < priority);
  // Before the first await: pods placed meanwhile must see the nomination.
  if (promised !== undefined) state.promise(pod, promised);
  for (const { pod: other } of lesser) state.promise(other, "");
  recorder.eventf({ regarding: pod, type: "Warning", reason: "FailedScheduling", action: "Scheduling", note: message });
  await writeRefusal(pod, message, promised, client, clock.now());
  for (const other of lesser) await takeBackPromise(other, client);
  await sendAway(victims, pod, promised ?? "", { client, recorder, now: clock.now(), schedulerName: name });
}

async function writeRefusal(
  pod: DeepReadonly<Pod>,
  message: string,
  promised: string | undefined,
  client: ReconcileContext["client"],
  now: number,
): Promise<void> {
  const before = pod.status?.conditions?.find(({ type }) => type === "PodScheduled");
  const { name = "", namespace = "", generation, uid = "" } = pod.metadata;
  const isNominationNew = promised !== undefined && promised !== (pod.status?.nominatedNodeName ?? "");
  if (before?.status === "False" && before.reason === "Unschedulable" && before.message === message && !isNominationNew) return;
  const lastTransitionTime = (before?.status === "False" ? before.lastTransitionTime : undefined) ?? formatTime(now);
  const condition = {
    type: "PodScheduled",
    status: "False",
    reason: "Unschedulable",
    message,
    lastTransitionTime,
    ...definedOnly({ observedGeneration: generation }),
  } as const;
  const nomination = isNominationNew ? { nominatedNodeName: promised === "" ? null : promised } : {};
  try {
    await client
      .resource(Pod)
      .status.patch(
        name,
        { type: "strategic", body: { metadata: { uid }, status: { conditions: [condition], ...nomination } } },
        { namespace },
      );
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
