/** After the plan: faults end, nodes are on, sick pods recover, nothing is paused; then everything must settle. */
import { Node, Pod } from "@drover/api/core/v1";
import type { PodTemplateSpec } from "@drover/api/core/v1";
import { isConflict, isForbidden, isNotFound } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import type { WorkloadKind } from "./plan.ts";
import { giveLabelBack, setTaint } from "./play-step.ts";
import type { Stage } from "./stage.ts";
import { controllerUid } from "./world.ts";
import type { Resource } from "./world.ts";
import { kindOf, sickness } from "./workloads.ts";

const quietMs = 120_000;
const restMaxMs = 15 * 60_000;

export async function repair(stage: Stage, nodes: number): Promise<void> {
  stage.log.tell("repair");
  for (const process of stage.processes("both")) process.repair();
  await stage.revive();
  for (let index = 1; index <= nodes; index++) {
    const name = `node-${index}`;
    await stage.powerOn(name);
    await stage.user.patch(Node, name, { type: "merge", body: { spec: { unschedulable: false } } });
    await setTaint(stage, name, undefined);
  }
  await letGo(stage);
}

/** Lets time pass until nothing has been written for a while, and heals sick pods meanwhile; returns the problem if it does not settle. */
export async function comeToRest(stage: Stage): Promise<readonly string[]> {
  const { clock, world } = stage;
  const last = { atMs: clock.now(), writes: [] as string[] };
  world.listen(({ atMs, resource, key, before, after }) => {
    if (isHeartbeat(resource, before, after)) return;
    last.atMs = atMs;
    last.writes.push(`${resource}/${key}`);
  });
  const deadline = clock.now() + restMaxMs;
  while (clock.now() - last.atMs < quietMs || world.all("pods").some(isBackingOff)) {
    if (clock.now() > deadline)
      return [`not at rest after ${restMaxMs / 60_000} minutes; written lately: ${[...new Set(last.writes.slice(-20))].join(", ")}`];
    // Sick pods of an old revision may be created long after the others have recovered.
    await heal(stage);
    await stage.pass(10_000);
  }
  return [];
}

/** Nodes report their status every five minutes. */
export function isHeartbeat(resource: string, before: unknown, after: unknown): boolean {
  return resource === "minions" && before !== undefined && after !== undefined;
}

const held: readonly (readonly [Resource, WorkloadKind, object])[] = [
  ["deployments", "Deployment", { paused: false }],
  ["jobs", "Job", { suspend: false }],
  ["cronjobs", "CronJob", { suspend: true }],
];

/** Resumes what is paused, gives Jobs workers, and stops what would start again every minute. */
async function letGo(stage: Stage): Promise<void> {
  for (const [resource, kind, spec] of held) {
    for (const object of stage.world.all(resource)) await change(stage, kind, object.metadata, { spec });
  }
  for (const { metadata, spec } of stage.world.all("jobs"))
    if (spec?.parallelism === 0) await change(stage, "Job", metadata, { spec: { parallelism: 1 } });
}

const templated: readonly (readonly [Resource, WorkloadKind])[] = [
  ["deployments", "Deployment"],
  ["replicasets", "ReplicaSet"],
  ["statefulsets", "StatefulSet"],
  ["daemonsets", "DaemonSet"],
];

/** Pods of Jobs end in any case, so they are left alone. */
async function heal(stage: Stage): Promise<void> {
  const { world, user } = stage;
  const well = Object.fromEntries(sickness.map((annotation) => [annotation, null]));
  for (const [resource, kind] of templated) {
    for (const object of world.all(resource)) {
      const { spec } = object as DeepReadonly<{ readonly spec?: { readonly template?: PodTemplateSpec } }>;
      const isOfDeployment = kind === "ReplicaSet" && controllerUid(object) !== undefined;
      if (!isOfDeployment && isSick(spec?.template?.metadata?.annotations) && object.metadata.deletionTimestamp === undefined)
        await change(stage, kind, object.metadata, { spec: { template: { metadata: { annotations: well } } } });
    }
  }
  for (const pod of world.all("pods")) {
    const { name = "", namespace = "", annotations } = pod.metadata;
    if (isOfJob(pod) || pod.metadata.deletionTimestamp !== undefined) continue;
    if (/^db-.-\d+$/.test(name) && controllerUid(pod) === undefined) await ignoreGone(giveLabelBack(stage, pod));
    if (!isSick(annotations)) continue;
    await ignoreGone(user.patch(Pod, name, { type: "merge", body: { metadata: { annotations: well } } }, { namespace }));
  }
}

/** Five minutes at most, without a write. */
const isBackingOff = ({ status }: DeepReadonly<Pod>): boolean =>
  status?.containerStatuses?.some(({ state }) => state?.waiting?.reason === "CrashLoopBackOff") === true;

const isSick = (annotations: DeepReadonly<Record<string, string>> = {}): boolean =>
  sickness.some((annotation) => annotations[annotation] !== undefined);

const isOfJob = ({ metadata: { labels = {} } }: DeepReadonly<Pod>): boolean => labels["batch.kubernetes.io/job-name"] !== undefined;

async function change(
  { user }: Stage,
  kind: WorkloadKind,
  { name = "", namespace = "" }: { readonly name?: string | undefined; readonly namespace?: string | undefined },
  body: object,
): Promise<void> {
  await ignoreGone(user.patch(kindOf[kind], name, { type: "merge", body }, { namespace }));
}

async function ignoreGone(done: Promise<unknown>): Promise<void> {
  try {
    await done;
  } catch (error) {
    if (!isNotFound(error) && !isConflict(error) && !isForbidden(error)) throw error;
  }
}
