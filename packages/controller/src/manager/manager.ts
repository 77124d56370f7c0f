/**
 * Runs controllers and everything around them: start and stop order, grace period, leader election, probes and metrics.
 *
 *     start:  servers → permissions → caches → runnables without lease → warm-up → election → runnables with lease
 *     stop:   runnables without lease → runnables with lease → caches → servers → release of the lease
 */
import { abortable, definedOnly, guardRuntime } from "@drover/machinery";
import type { Log } from "@drover/machinery";
import type { Cluster } from "@drover/cache";
import type { Fence } from "../leader/fence.ts";
import { isFenced, isFencedError } from "../leader/fenced-error.ts";
import type { LeaderElector } from "../leader/leader-elector.ts";
import { createController } from "../reconcile/controller.ts";
import type { Controller } from "../reconcile/controller.ts";
import type { HealthCheck } from "../serving/health-check.ts";
import type { ShardSet } from "../shards/shard-set.ts";
import type { Shards } from "../shards/shards.ts";
import { untilAborted } from "../sources/until-aborted.ts";
import type { Tape } from "../tape/tape.ts";
import { SupervisedController } from "../threads/supervised-controller.ts";
import { ThreadMember } from "../threads/thread-member.ts";
import type { ThreadTeam } from "../threads/thread-team.ts";
import { checkNeeds } from "./check-needs.ts";
import { createTeam } from "./create-team.ts";
import { createElection } from "./election.ts";
import { LastingController } from "./lasting-controller.ts";
import { LeaderGroup } from "./leader-group.ts";
import { GracePeriodError, LeaderElectionLostError, joinErrors } from "./manager-error.ts";
import type { RunnableOptions, ManagedControllerOptions, ManagerOptions, ManagerPhase, ManagerState } from "./manager-options.ts";
import { ManagerProbes } from "./manager-probes.ts";
import { Removable } from "./removable.ts";
import { RunnableGroup } from "./runnable-group.ts";
import type { RunnableGroupOptions } from "./runnable-group.ts";
import type { Runnable } from "./runnable.ts";
import { createSharding } from "./sharding.ts";
import type { ShardsOptions } from "./sharding.ts";
import { stopInOrder } from "./stop-in-order.ts";

/**
 * Guarantees: groups start and stop in the order above. A runnable that needs the lease never runs without it, and the lease is released
 * only after all of them have ended. The first failure ends `run` and stops everything else. Two managers in one process share nothing.
 */
export interface Manager {
  readonly cluster: Cluster;
  readonly tape: Tape | undefined;
  /** Passes writes only while the lease is held; undefined without leader election. For clients outside the manager's own controllers. */
  readonly fence: Fence | undefined;
  /** Which keys this replica reconciles, and their fences; undefined without shards. */
  readonly shards: Shards | undefined;
  /** Resolves when the runnables that need the lease have started for the first time; without leader election, after the start. */
  readonly elected: Promise<void>;
  /**
   * Adds a runnable. It starts with its group, or immediately if the group has started. Throws if the name is taken or the manager is
   * stopping.
   */
  add(runnable: Runnable | Controller, options?: RunnableOptions): void;
  /** Stops one runnable and resolves when it has ended; its name is free then. Rejects for an unknown name. */
  remove(name: string): Promise<void>;
  /** Creates a controller with the manager's cluster, tape and fence, and adds it. */
  controller(options: ManagedControllerOptions): Controller;
  /**
   * Adds a cluster. Its caches start and sync before the controllers start, or immediately if those have started. Throws if the name is
   * taken or the manager is stopping.
   */
  addCluster(cluster: Cluster): void;
  /** Adds a check to /healthz: whether the process should be restarted. Throws if the name is taken. */
  addHealthCheck(name: string, check: HealthCheck): void;
  /** Adds a check to /readyz: whether the program does its work. Throws if the name is taken. */
  addReadyCheck(name: string, check: HealthCheck): void;
  state(): ManagerState;
  /**
   * Runs until the signal aborts, then stops everything in order and resolves. Can be called once. Rejects with the first failure of a
   * runnable, a `LeaderElectionLostError`, a `MissingPermissionsError` or a `NotSyncedError`; with a `GracePeriodError` that names
   * runnables that did not end in time; or with an `AggregateError` of a failure and a `GracePeriodError`. Later failures are logged.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** Returns a manager. It sends no request and opens no port until it runs. */
export function createManager(options: ManagerOptions): Manager {
  return new OrderedManager({ ...options, runtime: guardRuntime(options.runtime) });
}

const electionName = "leader election";
const shardsName = "shards";
const threadsName = "threads";

class OrderedManager implements Manager {
  readonly elected: Promise<void>;
  readonly #options: ManagerOptions;
  readonly #log: Log;
  readonly #graceMs: number;
  readonly #names = new Set([electionName, shardsName, threadsName]);
  readonly #clusters = new Map<string, Cluster>();
  /** By name, in the order added. */
  readonly #runnables = new Map<
    string,
    { readonly member: Removable; readonly cluster: Cluster; readonly controller: Controller | undefined }
  >();
  /** Controllers that reconcile only keys of held shards. */
  readonly #sharded = new WeakSet<object>();
  readonly #servers: RunnableGroup;
  readonly #caches: RunnableGroup;
  readonly #others: RunnableGroup;
  readonly #warmUps: RunnableGroup;
  readonly #leaders: LeaderGroup;
  readonly #election: RunnableGroup;
  readonly #elector: LeaderElector | undefined;
  readonly #shards: ShardSet | undefined;
  /** The threads that run the controllers of this manager. */
  readonly #team: ThreadTeam | undefined;
  /** This manager as one of those threads. */
  readonly #member: ThreadMember | undefined;
  /** The longest `drainMs` of a controller with shards. */
  #drainMaxMs = 0;
  readonly #probes: ManagerProbes;
  readonly #ending = new AbortController();
  #onElected: () => void = () => undefined;
  #phase: ManagerPhase = "idle";
  #failure: { readonly error: unknown; readonly graceMs?: number } | undefined;
  /** End of the grace period, on the monotonic clock. */
  #graceOverMs = Infinity;

  constructor(options: ManagerOptions) {
    const { runtime, cluster, leaderElection, shards, graceMs = 30_000 } = options;
    if (leaderElection !== undefined && shards !== undefined)
      throw new TypeError(
        "a manager has either leaderElection, so that one replica does everything, or shards, so that all replicas share the keys: remove one of the two options",
      );
    if (!(graceMs >= 0)) throw new RangeError(`graceMs of a manager must be zero or more milliseconds, or Infinity, not ${graceMs}`);
    this.#options = options;
    this.#log = runtime.log;
    this.#graceMs = graceMs;
    const on: RunnableGroupOptions = { onError: (error, name) => this.#failed(error, name) };
    this.#servers = new RunnableGroup(on);
    this.#caches = new RunnableGroup(on);
    this.#others = new RunnableGroup(on);
    this.#warmUps = new RunnableGroup(on);
    this.#leaders = new LeaderGroup({ onError: (error, name) => this.#leaderFailed(error, name) });
    this.#election = new RunnableGroup(on);
    this.elected = new Promise((resolve) => (this.#onElected = resolve));
    const hooks = { graceLeftMs: () => this.#graceLeftMs(), drainMaxMs: () => this.#drainMaxMs };
    this.#team = options.threads && createTeam(options.threads, options, hooks);
    this.#member = options.thread && this.#memberOf(options.thread);
    this.#elector =
      leaderElection === undefined
        ? undefined
        : createElection(leaderElection, {
            runtime,
            client: cluster.client,
            mirror: this.#team?.mirrorOf(0),
            hooks: {
              lead: (signal) => this.#lead(signal),
              drainMs: () => this.#graceLeftMs(),
              hasEnded: () => this.#graceLeftMs() > 0 && this.#leaders.running().length === 0 && this.#team?.isClean !== false,
            },
          });
    this.#election.add(
      this.#elector === undefined
        ? { name: "runnables with lease", run: (signal) => this.#lead(signal) }
        : { name: electionName, run: (signal) => this.#stand(signal) },
    );
    this.#shards = shards && this.#sharding(shards);
    if (this.#shards !== undefined) this.#election.add({ name: shardsName, run: (signal) => this.#share(signal) });
    this.#addTeam();
    this.#probes = new ManagerProbes({
      ...options,
      team: this.#team,
      elector: this.#elector,
      shardSet: this.#shards,
      clusters: () => this.#clusters.values(),
      phase: () => this.#phase,
    });
    this.addCluster(cluster);
  }

  get cluster(): Cluster {
    return this.#options.cluster;
  }

  get tape(): Tape | undefined {
    return this.#options.tape;
  }

  get fence(): Fence | undefined {
    return this.#elector?.fence ?? this.#member?.fence;
  }

  get shards(): Shards | undefined {
    return this.#shards ?? this.#member?.leased;
  }

  add(runnable: Runnable | Controller, options: RunnableOptions = {}): void {
    const itself: Runnable = runnable;
    const { cluster = this.cluster, group = itself.group, needsLease = itself.needsLease ?? group === undefined } = options;
    const { leaderElection: { warmStandby = true, onLostLease = "end" } = {} } = this.#options;
    this.#requireCluster(cluster, runnable.name);
    const isElected = needsLease && this.#elector !== undefined;
    if (isElected && onLostLease === "standAgain" && itself.runsAgain !== true) {
      throw new TypeError(
        `${runnable.name} needs the lease, and this manager competes for it again after a loss (onLostLease: "standAgain"): create the controller with manager.controller, or add a runnable whose run can be called again and that sets runsAgain`,
      );
    }
    if (itself.inThreads === true && needsLease && (this.#team ?? this.#member) !== undefined)
      throw new TypeError(`${runnable.name} sets inThreads, so it must not need the lease: set needsLease to false, or group to "server"`);
    // The main thread runs it.
    if (this.#member !== undefined && !this.#sharded.has(runnable) && itself.inThreads !== true) return this.#claim(runnable.name);
    const isSharded = needsLease && this.shards !== undefined;
    if (isSharded && !this.#sharded.has(runnable)) {
      throw new TypeError(
        `${runnable.name} needs the lease, and this manager has shards instead, so it would run on every replica: create a controller with manager.controller, or set needsLease to false if it may run on every replica`,
      );
    }
    this.#claim(runnable.name);
    const member = new Removable(runnable);
    this.#runnables.set(runnable.name, { member, cluster, controller: "inspectAll" in runnable ? runnable : undefined });
    if ((isSharded || (isElected && warmStandby)) && runnable.warmUp !== undefined)
      this.#warmUps.add({ name: `${runnable.name}, warming up`, run: (signal) => member.warmUp(signal) });
    if (needsLease) this.#leaders.add(member);
    else (group === "server" ? this.#servers : this.#others).add(member);
  }

  async remove(name: string): Promise<void> {
    const known = this.#runnables.get(name);
    if (known === undefined) throw new Error(`cannot remove ${name}: this manager has no runnable of that name`);
    if (known.member.runnable instanceof SupervisedController)
      throw new Error(`cannot remove controller ${name}: it runs in threads, which keep their controllers until they end`);
    this.#runnables.delete(name);
    this.#leaders.forget(known.member);
    await known.member.remove();
    this.#names.delete(name);
  }

  controller({ cluster = this.cluster, needsLease = true, ...options }: ManagedControllerOptions): Controller {
    const { tape, leaderElection } = this.#options;
    const drainMs = options.drainMs ?? this.#graceMs * 0.8;
    if (this.#team !== undefined) return this.#supervised(this.#team, { ...options, cluster, drainMs });
    const fence = needsLease ? this.fence : undefined;
    const shards = needsLease ? this.shards : this.#member?.free;
    const make = (): Controller =>
      createController({
        ...options,
        drainMs,
        cluster,
        ...definedOnly({ tape, fence, shards }),
      });
    this.#requireCluster(cluster, options.name);
    this.#requireFree(options.name);
    const controller = fence !== undefined && leaderElection?.onLostLease === "standAgain" ? new LastingController(make) : make();
    if (shards !== undefined) {
      this.#sharded.add(controller);
      this.#drainMaxMs = Math.max(this.#drainMaxMs, drainMs);
    }
    this.add(controller, { cluster, needsLease });
    return controller;
  }

  /** Threads have their controllers from their start. */
  #supervised(
    team: ThreadTeam,
    {
      name,
      cluster,
      workers = 1,
      writes = [],
      drainMs,
    }: ManagedControllerOptions & { readonly cluster: Cluster; readonly drainMs: number },
  ): Controller {
    this.#requireCluster(cluster, name);
    if (this.#phase !== "idle") throw new Error(`cannot add controller ${name}: the threads of this manager have started`);
    this.#claim(name);
    const controller = new SupervisedController({ name, workers, writes, team });
    this.#drainMaxMs = Math.max(this.#drainMaxMs, drainMs);
    this.#runnables.set(name, { member: new Removable(controller), cluster, controller });
    return controller;
  }

  addCluster(cluster: Cluster): void {
    const { name } = cluster;
    const title = name === "" ? "caches" : `caches of ${name}`;
    this.#claim(title);
    const { syncTimeoutMs = 120_000 } = this.#options;
    this.#clusters.set(name, cluster);
    this.#caches.add({
      name: title,
      run: (signal) => cluster.run(signal),
      ready: (signal) => cluster.informers.waitForSync(signal, { timeoutMs: syncTimeoutMs }),
    });
  }

  addHealthCheck(name: string, check: HealthCheck): void {
    this.#probes.addHealthCheck(name, check);
  }

  addReadyCheck(name: string, check: HealthCheck): void {
    this.#probes.addReadyCheck(name, check);
  }

  state(): ManagerState {
    const elector = this.#elector;
    const { address } = this.#probes;
    return {
      phase: this.#phase,
      ...definedOnly({
        election: elector && { lease: elector.fence.lease, isLeader: elector.isLeader, leader: elector.leader },
        shards: this.#shards?.state(),
        address,
      }),
      running: [this.#servers, this.#caches, this.#others, this.#warmUps, this.#leaders].flatMap((group) => group.running()),
      controllers: [...this.#runnables.values()].flatMap(({ controller }) => (controller === undefined ? [] : [controller.state()])),
      clusters: [...this.#clusters.values()].map(({ name, informers }) => ({ name, informers: informers.state() })),
    };
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#phase !== "idle") throw new Error("the manager has already run; create a new one to run again");
    this.#phase = "starting";
    await (this.#member === undefined ? this.#runAll(signal) : this.#member.run(signal, (either) => this.#runAll(either)));
  }

  async #runAll(signal: AbortSignal): Promise<void> {
    const end = (): void => this.#end(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
    await this.#start().catch((error: unknown) => this.#failed(error, "the start"));
    await untilAborted(this.#ending.signal);
    signal.removeEventListener("abort", end);
    const running = await this.#stop();
    this.#phase = "ended";
    const late = running.length === 0 ? undefined : new GracePeriodError(running, this.#graceMs);
    if (late !== undefined) throw this.#failure === undefined ? late : joinErrors(this.#failure.error, late);
    // oxlint-disable-next-line typescript/only-throw-error -- errors of runnables are passed on unchanged
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async #start(): Promise<void> {
    const { signal } = this.#ending;
    const start = (group: RunnableGroup) => (): Promise<void> => group.start();
    signal.throwIfAborted();
    // Not abortable: a port that is being opened must be closed again.
    await this.#probes.open(this.#servers, signal);
    for (const step of [
      start(this.#servers),
      () => this.#checkPermissions(signal),
      start(this.#caches),
      start(this.#others),
      start(this.#warmUps),
    ]) {
      signal.throwIfAborted();
      await abortable(step(), signal);
    }
    signal.throwIfAborted();
    this.#phase = "running";
    await this.#election.start();
  }

  async #checkPermissions(signal: AbortSignal): Promise<void> {
    await checkNeeds({ options: this.#options, clusters: this.#clusters.values(), runnables: this.#runnables.values(), signal });
  }

  #memberOf(thread: NonNullable<ManagerOptions["thread"]>): ThreadMember {
    return new ThreadMember({
      ...thread,
      runtime: this.#options.runtime,
      controllerOf: (name) => this.#runnables.get(name)?.controller,
      checkReady: () => this.#probes.checkOwn(),
    });
  }

  /** The threads have the caches, so they are among these; the work in them starts and ends with the lease. */
  #addTeam(): void {
    const team = this.#team;
    if (team === undefined) return;
    this.#caches.add({ name: threadsName, run: (signal) => team.run(signal), ready: (signal) => team.ready(signal) });
    if (this.#shards === undefined) this.#leaders.add({ name: "reconciles in threads", run: (signal) => team.lead(signal) });
    else this.#shards.add(team);
  }

  #sharding(options: ShardsOptions): ShardSet {
    const { runtime } = this.#options;
    const team = this.#team;
    return createSharding(options, {
      mirrorOf: team && ((shard) => team.mirrorOf(shard)),
      runtime,
      client: this.cluster.client,
      hooks: {
        graceLeftMs: () => this.#graceLeftMs(),
        drainMaxMs: () => this.#drainMaxMs,
        mayRelease: () =>
          !this.#ending.signal.aborted ||
          (this.#graceLeftMs() > 0 && this.#leaders.running().length === 0 && this.#team?.isClean !== false),
      },
    });
  }

  async #share(signal: AbortSignal): Promise<void> {
    await this.#shards?.run(signal);
  }

  async #stand(signal: AbortSignal): Promise<void> {
    await this.#elector?.run(signal);
  }

  /** Runs one term of the lease; without leader election, the only term. */
  async #lead(signal: AbortSignal): Promise<void> {
    if (this.#ending.signal.aborted) return;
    signal.addEventListener("abort", () => this.#lost(signal.reason), { once: true });
    await this.#leaders.lead(signal, this.#onElected);
  }

  #lost(reason: unknown): void {
    if (!isFencedError(reason)) return;
    // A manager that is stopping does not compete again.
    if (this.#ending.signal.aborted) return this.#election.stop(reason);
    const { leaderElection: { onLostLease = "end" } = {} } = this.#options;
    if (onLostLease === "standAgain")
      return this.#log.warn("lease lost, aborting runnables that need it and competing for it again", { reason });
    this.#failure = { error: new LeaderElectionLostError(this.#elector?.fence.lease ?? "", reason), graceMs: 0 };
    this.#end(reason);
  }

  #failed(error: unknown, name: string): void {
    if (this.#ending.signal.aborted) {
      if (error !== this.#ending.signal.reason)
        this.#log.error("runnable failed while the manager was stopping", { runnable: name, error });
      return;
    }
    this.#log.error("runnable failed, stopping the manager", { runnable: name, error });
    this.#failure = { error };
    this.#end(error);
  }

  #leaderFailed(error: unknown, name: string): void {
    // A failure of the term that has ended; the next term starts the runnable again.
    if (isFenced(error) && this.#elector?.isLeader === false)
      this.#log.info("runnable stopped because the lease was lost", { runnable: name, error });
    else this.#failed(error, name);
  }

  #end(reason: unknown): void {
    this.#ending.abort(reason);
  }

  async #stop(): Promise<readonly string[]> {
    const {
      runtime: { clock },
    } = this.#options;
    const graceMs = this.#failure?.graceMs ?? this.#graceMs;
    const reason: unknown = this.#ending.signal.reason;
    this.#phase = "stopping";
    this.#log.info("manager stopping", { reason, graceMs });
    this.#graceOverMs = clock.monotonic() + graceMs;
    this.#warmUps.stop(reason);
    this.#shards?.freeze();
    // A replica that stops must not acquire the lease while stopping.
    if (!this.#leaders.isLeading) this.#election.stop(reason);
    const running = await stopInOrder([this.#others, this.#leaders, this.#warmUps, this.#caches, this.#servers, this.#election], {
      clock,
      graceMs,
      reason,
    });
    // Resolve only after the fence is closed, even if some runnables still run. The elector may not have had time to release the lease
    // behind the closed fence.
    if ((this.#elector ?? this.#shards) !== undefined && !running.includes(electionName) && !running.includes(shardsName))
      await this.#election.ended();
    return [...running, ...(this.#team?.terminated ?? [])];
  }

  #graceLeftMs(): number {
    return Math.max(0, this.#graceOverMs - this.#options.runtime.clock.monotonic());
  }

  #requireCluster(cluster: Cluster, name: string): void {
    if (this.#clusters.get(cluster.name) !== cluster)
      throw new Error(
        `${name} works in a cluster${cluster.name === "" ? "" : ` named ${cluster.name}`} that this manager does not run; call addCluster first`,
      );
  }

  #requireFree(name: string): void {
    if (this.#ending.signal.aborted) throw new Error(`cannot add ${name}: the manager is stopping`);
    if (this.#names.has(name))
      throw new Error(
        `cannot add ${name}: this manager already has a runnable of that name; logs, metrics and causes identify runnables by name`,
      );
  }

  #claim(name: string): void {
    this.#requireFree(name);
    this.#names.add(name);
  }
}
