/**
 * Programs with threads on one manual clock: every "thread" is a manager of its own in this process, behind messages.
 *
 *     const { clock, api, program } = threadRig();   program({ shards }) → main thread and threads
 */
import { ConfigMap } from "@drover/api/core/v1";
import { createCluster } from "@drover/cache";
import { ScriptedApi } from "@drover/cache/testing";
import { jsonResponse } from "@drover/client/testing";
import type { ObjectKey, Transport } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { createManager } from "../../manager/manager.ts";
import type { Manager } from "../../manager/manager.ts";
import type { ManagerOptions } from "../../manager/manager-options.ts";
import type { Controller } from "../../reconcile/controller.ts";
import type { ReconcileContext } from "../../reconcile/reconciler.ts";
import { done } from "../../reconcile/result.ts";
import { ShardServer } from "../../shards/testing/shard-server.ts";
import { kindSource } from "../../sources/kind-source.ts";
import type { StartThread } from "../supervised-thread.ts";
import type { FromThread, ThreadSeat, ToThread } from "../thread-messages.ts";
import type { ManagerThread } from "../thread-member.ts";

/** A thread of a program. */
export interface RigThread {
  readonly seat: ThreadSeat;
  readonly manager: Manager;
  readonly runtime: TestRuntime;
  /** While it hangs, it receives and sends nothing. */
  isHanging: boolean;
  /** Ends it as an uncaught error does. */
  readonly crash: (error: unknown) => void;
}

/** One run of the controller of config maps. */
export interface RigRun {
  readonly program: string;
  readonly thread: number;
  readonly key: ObjectKey;
}

export interface RigProgramOptions {
  readonly name?: string;
  readonly count?: number;
  readonly options?: Partial<ManagerOptions>;
  readonly reconcile?: (context: ReconcileContext, thread: number) => Promise<void>;
  /** Adds more to every manager of the program. */
  readonly also?: (manager: Manager, thread: number) => void;
  /** Lets threads end before they call `run`. */
  readonly doesNotRun?: boolean;
}

export interface RigProgram {
  readonly manager: Manager;
  readonly controller: Controller;
  readonly runtime: TestRuntime;
  /** Threads that run, by number. */
  readonly threads: Map<number, RigThread>;
  readonly stop: AbortController;
  readonly outcome: { run: unknown };
  /** How the main thread reaches the leases. */
  readonly network: { leases: Transport };
}

export const threadMap = (name: string, step = ""): ConfigMap => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "shop" },
  data: { step },
});

export interface ThreadRig {
  readonly clock: ManualClock;
  readonly api: ScriptedApi;
  readonly leases: ShardServer;
  readonly runs: RigRun[];
  readonly program: (options?: RigProgramOptions) => RigProgram;
}

export function threadRig(): ThreadRig {
  const clock = new ManualClock();
  const leases = new ShardServer();
  const api = new ScriptedApi({ clock, random: testRuntime({ clock }).random });
  const runs: RigRun[] = [];
  return { clock, api, leases, runs, program: (options = {}) => startProgram({ clock, api, leases, runs }, options) };
}

type Rig = Omit<ThreadRig, "program">;
type RigNetwork = RigProgram["network"];
type RigManager = Pick<RigProgram, "manager" | "controller" | "runtime">;

function startProgram(rig: Rig, options: RigProgramOptions): RigProgram {
  const network = { leases: rig.leases.transport };
  const threads = new Map<number, RigThread>();
  const { count = 2 } = options;
  const commonMs = (): number => rig.clock.monotonic() + 1000;
  const start = threadStarter(rig, options, { network, threads, commonMs });
  const main = createPart(rig, options, { network, number: 0, part: { threads: { count, start, commonMs } }, isAlive: () => true });
  const stop = new AbortController();
  const outcome: { run: unknown } = { run: "running" };
  main.manager.run(stop.signal).then(
    () => (outcome.run = "over"),
    (error: unknown) => (outcome.run = error),
  );
  return { ...main, threads, stop, outcome, network };
}

interface Part {
  readonly network: RigNetwork;
  /** Number of the thread; 0 is the main thread. */
  readonly number: number;
  readonly part: Partial<ManagerOptions>;
  readonly isAlive: () => boolean;
}

/** Runs the program's module: a manager with one controller. */
function createPart(
  { clock, api, runs }: Rig,
  { name = "web", options = {}, reconcile, also }: RigProgramOptions,
  { network, number, part, isAlive }: Part,
): RigManager {
  const runtime = testRuntime({ clock });
  const transport: Transport = (request) => {
    if (!isAlive()) return new Promise(() => undefined);
    if (request.path.includes("/leases")) return network.leases(request);
    if (!request.path.includes("selfsubject")) return api.transport(request);
    return Promise.resolve(jsonResponse({ ...(JSON.parse(request.body as string) as object), status: { allowed: true } }, { status: 201 }));
  };
  const cluster = createCluster({ runtime, transport, namespace: "shop", informers: { audit: false } });
  const { leaderElection: _election, shards: _shards, serving: _serving, ...rest } = options;
  const manager = createManager({ runtime, cluster, ...(number === 0 ? options : rest), ...part });
  const controller = manager.controller({
    name: "web",
    reconcile: async (context) => {
      if (!isAlive()) return new Promise(() => undefined);
      runs.push({ program: name, thread: number, key: context.key });
      await reconcile?.(context, number);
      return done;
    },
  });
  controller.watch(kindSource(ConfigMap, { cluster }));
  also?.(manager, number);
  return { manager, controller, runtime };
}

function threadStarter(
  rig: Rig,
  options: RigProgramOptions,
  { network, threads, commonMs }: Pick<RigProgram, "network" | "threads"> & Pick<ManagerThread, "commonMs">,
): StartThread {
  return (seat, on) => {
    const waiting: ToThread[] = [];
    let receiver: ((message: ToThread) => void) | undefined;
    let isAlive = true;
    const later = (work: () => void): void => void Promise.resolve().then(() => isAlive && !thread.isHanging && work());
    const end = (why: unknown): void => {
      if (!isAlive) return;
      isAlive = false;
      threads.delete(seat.thread);
      on.exited(why);
    };
    const port: ManagerThread["port"] = {
      post: (message: FromThread) => later(() => on.message(structuredClone(message))),
      receive: (given) => {
        receiver = given;
        for (const message of waiting.splice(0)) later(() => given(message));
        return () => (receiver = undefined);
      },
    };
    const part = { thread: { seat, port, commonMs } };
    const { manager, runtime } = createPart(rig, options, { network, number: seat.thread, part, isAlive: () => isAlive });
    const thread: RigThread = { seat, manager, runtime, isHanging: false, crash: end };
    threads.set(seat.thread, thread);
    if (options.doesNotRun === true) void Promise.resolve().then(() => end("the thread exited with code 0"));
    else
      manager.run(new AbortController().signal).then(
        () => later(() => end("over")),
        (error: unknown) => later(() => end(error)),
      );
    return {
      post: (message) =>
        later(() => (receiver === undefined ? waiting.push(structuredClone(message)) : receiver(structuredClone(message)))),
      terminate: () => end("terminated"),
    };
  };
}
