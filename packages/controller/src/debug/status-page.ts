/**
 * The state of a program on one page.
 *
 *     DebugSubject → statusPage → DebugStatus
 */
import type { InformerState } from "@drover/cache";
import { definedOnly, errorText } from "@drover/machinery";
import type { ManagerState } from "../manager/manager-options.ts";
import type { ControllerState } from "../reconcile/controller.ts";
import { oneLine } from "../tape/one-line.ts";
import type { DebuggedController, DebugSubject } from "./debug-subject.ts";

/** A controller in numbers. */
export interface ControllerStatus extends Pick<ControllerState, "name" | "phase" | "workers" | "parked" | "runs"> {
  /** Kind of its keys; absent if unknown. */
  readonly kind?: string;
  /** Keys that a worker has. */
  readonly running: number;
  /** Keys that are ready for a worker. */
  readonly queued: number;
  /** Keys that are due later: delays and retries. */
  readonly waiting: number;
  /** Keys whose last run failed, parked ones included. */
  readonly failing: number;
  /** Sources that have not synced, each with what it waits for. */
  readonly waitingFor: readonly string[];
}

/** A cache in numbers. */
export interface CacheStatus {
  readonly name: string;
  /** Name of the cluster; "" for the default one. */
  readonly cluster: string;
  readonly phase: InformerState["reflector"]["phase"];
  readonly synced: boolean;
  readonly objects: number;
  /** Changes that are not stored yet. */
  readonly queued: number;
  /** Milliseconds since the server was last heard; absent before the first list. */
  readonly heardMsAgo?: number;
  /** Why the last list or watch failed; absent if it did not. */
  readonly error?: string;
}

/** The answer of /debug/drover/status. */
export interface DebugStatus {
  readonly name: string;
  readonly version: string;
  readonly pid: number;
  /** Times in milliseconds since 1970. */
  readonly startedAt: number;
  readonly at: number;
  readonly phase: ManagerState["phase"];
  /** Absent without leader election. */
  readonly election?: NonNullable<ManagerState["election"]>;
  /** Absent without shards. */
  readonly shards?: NonNullable<ManagerState["shards"]>;
  /** Number of threads that reconcile, whose queues and caches are not counted here; absent without threads. */
  readonly threads?: number;
  readonly controllers: readonly ControllerStatus[];
  readonly caches: readonly CacheStatus[];
  /** Whether runs are recorded. */
  readonly tape: "on" | "off";
  /** What is wrong, one sentence each; empty if nothing is known to be. */
  readonly problems: readonly string[];
}

/** Returns the state. Takes time in proportion to the keys in the queues. */
export function statusPage(subject: DebugSubject): DebugStatus {
  const { name, version, pid, startedAt, clock, manager, controllers, tape } = subject;
  const state = manager.state();
  const facts = controllers.map(controllerStatus);
  const caches = state.clusters.flatMap(({ name: cluster, informers }) => informers.map((informer) => cacheStatus(cluster, informer)));
  return {
    name,
    version,
    pid,
    startedAt,
    at: clock.now(),
    phase: state.phase,
    ...definedOnly({ election: state.election, shards: state.shards, threads: subject.threads }),
    controllers: facts,
    caches,
    tape: tape === undefined ? "off" : "on",
    problems: problemsOf(facts, caches),
  };
}

function controllerStatus({ controller, kind }: DebuggedController): ControllerStatus {
  const { name, phase, workers, active, ready, waiting, parked, runs, watches } = controller.state();
  return {
    name,
    ...definedOnly({ kind: kind?.kind }),
    phase,
    workers,
    running: active,
    queued: ready,
    waiting,
    failing: controller.inspectAll().filter(({ attempts, state }) => attempts > 0 && state !== "idle").length,
    parked,
    runs,
    waitingFor: watches.flatMap((watch) =>
      watch.isSynced ? [] : [`${watch.name}${watch.waitingFor === undefined ? "" : `: ${oneLine(watch.waitingFor)}`}`],
    ),
  };
}

function cacheStatus(cluster: string, { name, hasSynced, size, queued, reflector }: InformerState): CacheStatus {
  const { phase, lagMs, hasFailed, lastError } = reflector;
  return {
    name,
    cluster,
    phase,
    synced: hasSynced,
    objects: size,
    queued,
    ...definedOnly({
      heardMsAgo: lagMs === undefined ? undefined : Math.max(0, Math.round(lagMs)),
      error: hasFailed && lastError !== undefined ? oneLine(errorText(lastError.error)).slice(0, 500) : undefined,
    }),
  };
}

function problemsOf(controllers: readonly ControllerStatus[], caches: readonly CacheStatus[]): readonly string[] {
  return [
    ...caches.flatMap(({ name, synced, error }) =>
      error === undefined ? (synced ? [] : [`cache ${name} has not synced`]) : [`cache ${name}: ${error}`],
    ),
    ...controllers.flatMap(({ name, failing, parked }) => [
      ...(failing > parked ? [`${failing - parked} of ${name} ${failing - parked === 1 ? "fails and is" : "fail and are"} retried`] : []),
      ...(parked > 0 ? [`${parked} of ${name} ${parked === 1 ? "is" : "are"} parked: no retries left`] : []),
    ]),
  ];
}
