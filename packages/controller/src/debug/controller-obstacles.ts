/**
 * Finds what keeps a key from being reconciled, as far as manager, caches and queue know.
 *
 *     ManagerState, KeyReport, tape → controllerObstacles → not the leader, cache not synced, backing off, parked, ignored change
 */
import { errorText } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import type { ManagerState } from "../manager/manager-options.ts";
import { durationText } from "../tape/duration-text.ts";
import type { Obstacle } from "../tape/obstacle.ts";
import { oneLine } from "../tape/one-line.ts";
import type { RunRecord } from "../tape/run-record.ts";
import { elsewhere } from "./asked-object.ts";
import type { AskedObject } from "./asked-object.ts";
import type { DebuggedController, DebugSubject } from "./debug-subject.ts";

/** Returns obstacles of one controller, the most general first. */
export function controllerObstacles(
  subject: DebugSubject,
  { controller, obstacles }: DebuggedController,
  asked: AskedObject,
): readonly Obstacle[] {
  const state = subject.manager.state();
  const general = [...phaseObstacles(state), ...leaseObstacles(state), ...cacheObstacles(state, controller.name)];
  const missing = missingObstacle(subject, asked);
  if (missing !== undefined) return [...general, missing];
  const own = obstacles?.(asked.key) ?? [];
  return [
    ...general,
    ...own,
    ...queueObstacles(controller, asked.key),
    ...(own.length === 0 ? ignoredChange(subject, controller.name, asked) : []),
  ];
}

/** Returns why an object of a watched kind has no reconciles at all. */
export function unreconciled({ name, controllers }: DebugSubject, { kind }: AskedObject): Obstacle {
  const names = controllers.flatMap((each) => (each.kind === undefined ? [] : [each.kind.kind]));
  return {
    reason: "NotReconciled",
    state: `is not reconciled by ${name}`,
    message: `${name} watches ${kind.kind} for other objects, and has no controller for it; it has controllers for ${names.join(", ")}`,
  };
}

function phaseObstacles({ phase }: ManagerState): readonly Obstacle[] {
  if (phase === "running") return [];
  return phase === "idle" || phase === "starting"
    ? [{ reason: "Starting", state: "waits for the start of the operator", message: "the operator has not started everything yet" }]
    : [{ reason: "Stopping", state: "waits for another process", message: "the operator is stopping" }];
}

function leaseObstacles({ election, shards }: ManagerState): readonly Obstacle[] {
  if (election !== undefined && !election.isLeader)
    return [
      {
        reason: "NotLeader",
        state: "waits for the lease",
        message:
          election.leader === ""
            ? `no replica is known to hold the lease ${election.lease}`
            : `another replica holds the lease ${election.lease}: ${election.leader}`,
        ...(election.leader === "" ? {} : { fix: "ask that replica" }),
      },
    ];
  if (shards?.blockedBy === undefined) return [];
  return [
    { reason: "OtherShard", state: "waits for a shard", message: `replicas with another layout of shards still hold ${shards.blockedBy}` },
  ];
}

function cacheObstacles({ controllers, clusters }: ManagerState, name: string): readonly Obstacle[] {
  const waiting = (controllers.find((state) => state.name === name)?.watches ?? []).filter(({ isSynced }) => !isSynced);
  const failing = clusters.flatMap(({ informers }) => informers.filter(({ reflector }) => reflector.hasFailed));
  return [
    ...waiting.map((watch): Obstacle => ({
      reason: "CacheNotSynced",
      state: "waits for a cache",
      message: `the controller waits for ${watch.name}${watch.waitingFor === undefined ? "" : `: ${oneLine(watch.waitingFor)}`}`,
    })),
    ...failing.map(({ name: cache, reflector: { lastError } }): Obstacle => ({
      reason: "CacheFailing",
      state: "may have missed changes",
      message: `the cache ${cache} cannot be updated${lastError === undefined ? "" : `: ${oneLine(errorText(lastError.error)).slice(0, 300)}`}`,
    })),
  ];
}

function missingObstacle(subject: DebugSubject, asked: AskedObject): Obstacle | undefined {
  const { kind, key } = asked;
  const cache = subject.cacheOf(kind);
  if (cache === undefined) return undefined;
  try {
    if (cache.get(key) !== undefined) return undefined;
  } catch (error) {
    return {
      reason: "Unreadable",
      state: "cannot be read",
      message: `the cached object cannot be decoded: ${oneLine(errorText(error)).slice(0, 300)}`,
    };
  }
  const fix = elsewhere(subject, asked);
  return {
    reason: "NotFound",
    state: "does not exist",
    message: `the cache of ${kind.kind} has no object ${key}`,
    ...(fix === undefined ? {} : { fix }),
  };
}

function queueObstacles(controller: DebuggedController["controller"], key: ObjectKey): readonly Obstacle[] {
  const report = controller.inspect(key);
  if (report === undefined) return [];
  const { state, attempts, reason, nextRunInMs = 0 } = report;
  const error = reason === undefined ? "" : `: ${oneLine(reason)}`;
  if (state === "parked")
    return [
      {
        reason: "Parked",
        state: "is parked until its next event",
        message: `it failed ${attempts} times and has no retries left${error}`,
        fix: "remove the cause, then change the object, for example an annotation; or raise retry.max of the controller",
      },
    ];
  if (state !== "waiting" || attempts === 0) return [];
  return [
    {
      reason: "BackingOff",
      state: `failed and is retried in ${durationText(nextRunInMs)}`,
      message: `retry ${attempts} is due in ${durationText(nextRunInMs)}${error}`,
    },
  ];
}

/** The newest version is neither the one that the last run saw nor one that a run wrote: predicates have ignored it. */
function ignoredChange(subject: DebugSubject, controller: string, { kind, key }: AskedObject): readonly Obstacle[] {
  const { tape } = subject;
  if (tape === undefined || subject.controllers.find((each) => each.controller.name === controller)?.controller.inspect(key) !== undefined)
    return [];
  const { uid, resourceVersion = "" } = subject.cacheOf(kind)?.get(key)?.metadata ?? {};
  const runs = tape.runs({ controller, key, last: 5 });
  const seen = runs.flatMap(versionsSeen(kind));
  if (uid === undefined || seen.length === 0 || seen.includes(resourceVersion) || runs.some(hasWritten(uid, resourceVersion))) return [];
  return [
    {
      reason: "Ignored",
      state: "is done, and ignored its last change",
      message: `version ${resourceVersion} did not pass the predicates of ${controller}: by default, changes of status and managed fields only`,
    },
  ];
}

const versionsSeen =
  ({ group, kind }: AskedObject["kind"]) =>
  ({ causes }: RunRecord): readonly string[] =>
    causes.flatMap((cause) =>
      cause.type === "change" && cause.via === "self" && cause.kind.kind === kind && cause.kind.group === group
        ? [cause.resourceVersion]
        : [],
    );

const hasWritten =
  (uid: string, version: string) =>
  ({ calls }: RunRecord): boolean =>
    calls.some(({ wrote }) => wrote?.uid === uid && wrote.resourceVersion === version);
