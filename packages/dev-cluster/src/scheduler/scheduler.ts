/**
 * Gives every pod a node.
 *
 *     pods without a node → keys → place → binding        nodes, pods that end → what could not be placed is tried again
 */
import { Node, Pod } from "@drover/api/core/v1";
import { lowPriority, after, done, kindSource, needOf } from "@drover/controller";
import type { EventBroadcaster, EventRecorder, Handler, Manager, ReconcileContext, Result } from "@drover/controller";
import { formatTime, isConflict, isNotFound, splitObjectKey } from "@drover/machinery";
import type { Clock, DeepReadonly, ObjectKey } from "@drover/machinery";
import { SchedulerState } from "./scheduler-state.ts";

export interface SchedulerOptions {
  readonly manager: Manager;
  readonly events: EventBroadcaster;
  /** Which pods are ours: those with this `spec.schedulerName`. @default "default-scheduler" */
  readonly name?: string;
}

/** How many bindings may be under way at a time. */
const workers = 16;
/** A pod that nobody's change has helped is looked at again after this time. */
const lookAgainMs = 5 * 60_000;

/** Adds the scheduler to a manager; it begins when the manager runs. */
export function addScheduler({ manager, events, name = "default-scheduler" }: SchedulerOptions): void {
  const { cluster } = manager;
  const state = new SchedulerState();
  const waiting = new Set<ObjectKey>();
  const pods = kindSource(Pod, { cluster, writers: false, name: "Pod without a node", handler: podHandler(state, name, () => tryAgain("a pod has left its node")) });
  const scheduling: Scheduling = { state, waiting, podOf: (key) => pods.informer?.get(key), name, clock: cluster.runtime.clock, recorder: events.recorder({ controller: name, instance: name }) };
  const controller = manager.controller({
    name: "scheduler", workers,
    reconcile: (run) => schedule(run, scheduling),
    writes: [needOf(Pod, ["create"], { subresource: "binding" }), needOf(Pod, ["patch"], { subresource: "status" })],
  });
  const tryAgain = (note: string): void => {
    for (const key of waiting) controller.enqueue(key, { note });
  };
  controller.watch(pods);
  controller.watch(kindSource(Node, { cluster, writers: false, handler: nodeHandler(state, () => tryAgain("the nodes have changed")) }));
}

interface Scheduling {
  readonly state: SchedulerState;
  /** What could not be placed. */
  readonly waiting: Set<ObjectKey>;
  readonly podOf: (key: ObjectKey) => DeepReadonly<Pod> | undefined;
  readonly name: string;
  readonly clock: Clock;
  readonly recorder: EventRecorder;
}

/** Keeps the state up to date as it goes; told again it changes nothing. */
function podHandler(state: SchedulerState, name: string, onRoom: () => void): Handler<Pod> {
  return (change) => {
    const { key, object } = change;
    if (change.type === "deleted") state.removePod(change.uid);
    else state.setPod(object);
    if (change.type === "deleted" || isOver(object)) onRoom();
    if (change.type === "deleted" || !isWaiting(object, name)) return [];
    const { priority = 0 } = object.spec ?? {};
    return [{ key, priority: Math.max(lowPriority, priority), cause: { type: "change", via: "self", change } }];
  };
}

function nodeHandler(state: SchedulerState, onRoom: () => void): Handler<Node> {
  return (change) => {
    if (change.type === "deleted") state.removeNode(change.object.metadata.name ?? "");
    else state.setNode(change.object);
    if (change.type !== "updated" || !change.isResync) onRoom();
    return [];
  };
}

const isOver = ({ status }: DeepReadonly<Pod>): boolean => status?.phase === "Succeeded" || status?.phase === "Failed";

/** Whether the pod is for this scheduler to place, and may be placed. */
function isWaiting({ metadata, spec }: DeepReadonly<Pod>, name: string): boolean {
  const { nodeName = "", schedulerName = "default-scheduler", schedulingGates = [] } = spec ?? {};
  return nodeName === "" && schedulerName === name && schedulingGates.length === 0 && metadata.deletionTimestamp === undefined;
}

async function schedule({ key, client }: Pick<ReconcileContext, "key" | "client">, scheduling: Scheduling): Promise<Result> {
  const { state, waiting, podOf, name, recorder } = scheduling;
  const pod = podOf(key);
  waiting.delete(key);
  if (pod === undefined || !isWaiting(pod, name)) return done;
  const placement = state.place(pod);
  if ("message" in placement) return await refuse(pod, placement.message, key, client, scheduling);
  const { node } = placement;
  const place = splitObjectKey(key);
  state.assume(pod, node);
  try {
    await client.resource(Pod).binding.create(place.name, { target: { apiVersion: "v1", kind: "Node", name: node } }, { namespace: place.namespace });
  } catch (error) {
    state.removePod(pod.metadata.uid ?? "");
    // It has gone, or somebody else has placed it.
    if (isNotFound(error) || isConflict(error)) return done;
    throw error;
  }
  recorder.eventf({ regarding: pod, type: "Normal", reason: "Scheduled", action: "Binding", note: `Successfully assigned ${place.namespace}/${place.name} to ${node}` });
  return done;
}

async function refuse(pod: DeepReadonly<Pod>, message: string, key: ObjectKey, client: ReconcileContext["client"], { waiting, recorder, clock }: Scheduling): Promise<Result> {
  waiting.add(key);
  recorder.eventf({ regarding: pod, type: "Warning", reason: "FailedScheduling", action: "Scheduling", note: message });
  const before = pod.status?.conditions?.find(({ type }) => type === "PodScheduled");
  if (before?.status !== "False" || before.reason !== "Unschedulable" || before.message !== message) {
    const { name, namespace } = splitObjectKey(key);
    const lastTransitionTime = (before?.status === "False" ? before.lastTransitionTime : undefined) ?? formatTime(clock.now());
    const condition = { type: "PodScheduled", status: "False", reason: "Unschedulable", message, lastTransitionTime } as const;
    await client.resource(Pod).status.patch(name, { type: "strategic", body: { status: { conditions: [condition] } } }, { namespace });
  }
  return after(lookAgainMs);
}
