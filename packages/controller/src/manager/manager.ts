/**
 * The life around controllers: what starts before what, who ends first, who may write, and what probes are told.
 *
 *     start:  servers → webhooks → permissions → caches → what needs no lease → warm-up → election → what needs the lease
 *     stop:   what needs no lease → what needs the lease → caches → webhooks → servers → the lease is given back
 */
import { abortable } from "@drover/machinery";
import type { Log } from "@drover/machinery";
import type { Cluster } from "@drover/cache";
import type { Fence } from "../leader/fence.ts";
import { isFenced, isFencedError } from "../leader/fenced-error.ts";
import type { LeaderElector } from "../leader/leader-elector.ts";
import { checkPermissions } from "../permissions/check-permissions.ts";
import { leaseNeed } from "../permissions/permission-need.ts";
import type { PermissionNeed } from "../permissions/permission-need.ts";
import { createController } from "../reconcile/controller.ts";
import type { Controller } from "../reconcile/controller.ts";
import type { HealthCheck } from "../serving/health-check.ts";
import { untilAborted } from "../sources/until-aborted.ts";
import type { Tape } from "../tape/tape.ts";
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
import { stopInOrder } from "./stop-in-order.ts";

/**
 * Guarantees: groups start and stop in the order above; what needs the lease never runs without it, and the lease is given back only when
 * all of that has ended; the first failure ends `run`, and with it everything else; two managers in one process share nothing.
 */
export interface Manager {
  readonly cluster: Cluster;
  readonly tape: Tape | undefined;
  /** Lets writes pass while the lease is held; undefined without leader election. For clients outside of controllers that are made here. */
  readonly fence: Fence | undefined;
  /** Resolves when what needs the lease has been started for the first time; at once after the start without leader election. */
  readonly elected: Promise<void>;
  /**
   * Runs one more thing: from the start, or at once when its group has started. Throws for a name that is taken, and
   * when the manager is stopping.
   */
  add(runnable: Runnable | Controller, options?: RunnableOptions): void;
  /**
   * Tells one thing to stop, whatever else goes on, and resolves when it has ended; its name is free then. Rejects for
   * a name that is not there.
   */
  remove(name: string): Promise<void>;
  /** Makes a controller with the manager's cluster, tape and fence, and adds it. */
  controller(options: ManagedControllerOptions): Controller;
  /**
   * One more cluster: its caches start and sync before controllers do, or at once when they have started. Throws for a
   * name that is taken, and when the manager is stopping.
   */
  addCluster(cluster: Cluster): void;
  /** One more question for /healthz: whether the process should be restarted. Throws for a name that is taken. */
  addHealthCheck(name: string, check: HealthCheck): void;
  /** One more question for /readyz: whether it does its work. Throws for a name that is taken. */
  addReadyCheck(name: string, check: HealthCheck): void;
  state(): ManagerState;
  /**
   * Runs until the signal is aborted, then ends everything in order and resolves. Can be called once. Rejects with the first failure of a
   * runnable, with a `LeaderElectionLostError`, a `MissingPermissionsError`, a `NotSyncedError`; with a
   * `GracePeriodError` that names who has not
   * ended in time; or with an `AggregateError` of a failure and a `GracePeriodError`. What fails after the end has begun is logged.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** A manager; nothing is asked of the server, and nothing listens, until it is run. */
export function createManager(options: ManagerOptions): Manager {
  return new OrderedManager(options);
}

const electionName = "leader election";

class OrderedManager implements Manager {
  readonly elected: Promise<void>;
  readonly #options: ManagerOptions;
  readonly #log: Log;
  readonly #graceMs: number;
  readonly #names = new Set([electionName]);
  readonly #clusters = new Map<string, Cluster>();
  /** By name, in the order they came. */
  readonly #runnables = new Map<
    string,
    { readonly member: Removable; readonly cluster: Cluster; readonly controller: Controller | undefined }
  >();
  readonly #servers: RunnableGroup;
  readonly #webhooks: RunnableGroup;
  readonly #caches: RunnableGroup;
  readonly #others: RunnableGroup;
  readonly #warmUps: RunnableGroup;
  readonly #leaders: LeaderGroup;
  readonly #election: RunnableGroup;
  readonly #elector: LeaderElector | undefined;
  readonly #probes: ManagerProbes;
  readonly #ending = new AbortController();
  #onElected: () => void = () => undefined;
  #phase: ManagerPhase = "idle";
  #failure: { readonly error: unknown; readonly graceMs?: number } | undefined;
  /** When the time of grace is over, on the monotonic clock. */
  #graceOverMs = Infinity;

  constructor(options: ManagerOptions) {
    const { runtime, cluster, leaderElection, graceMs = 30_000 } = options;
    if (!(graceMs >= 0)) throw new RangeError(`graceMs of a manager must be zero or more milliseconds, or Infinity, not ${graceMs}`);
    this.#options = options;
    this.#log = runtime.log;
    this.#graceMs = graceMs;
    const on: RunnableGroupOptions = { onError: (error, name) => this.#failed(error, name) };
    this.#servers = new RunnableGroup(on);
    this.#webhooks = new RunnableGroup(on);
    this.#caches = new RunnableGroup(on);
    this.#others = new RunnableGroup(on);
    this.#warmUps = new RunnableGroup(on);
    this.#leaders = new LeaderGroup({ onError: (error, name) => this.#leaderFailed(error, name) });
    this.#election = new RunnableGroup(on);
    this.elected = new Promise((resolve) => (this.#onElected = resolve));
    this.#elector =
      leaderElection === undefined
        ? undefined
        : createElection(leaderElection, {
            runtime,
            client: cluster.client,
            hooks: {
              lead: (signal) => this.#lead(signal),
              drainMs: () => this.#graceLeftMs(),
              hasEnded: () => this.#graceLeftMs() > 0 && this.#leaders.running().length === 0,
            },
          });
    this.#election.add(
      this.#elector === undefined
        ? { name: "what needs the lease", run: (signal) => this.#lead(signal) }
        : { name: electionName, run: (signal) => this.#stand(signal) },
    );
    this.#probes = new ManagerProbes({
      ...options,
      elector: this.#elector,
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
    return this.#elector?.fence;
  }

  add(runnable: Runnable | Controller, options: RunnableOptions = {}): void {
    const itself: Runnable = runnable;
    const { cluster = this.cluster, group = itself.group, needsLease = itself.needsLease ?? group === undefined } = options;
    const { leaderElection: { warmStandby = true, onLostLease = "end" } = {} } = this.#options;
    this.#requireCluster(cluster, runnable.name);
    const isElected = needsLease && this.#elector !== undefined;
    if (isElected && onLostLease === "standAgain" && itself.runsAgain !== true) {
      throw new TypeError(
        `${runnable.name} needs the lease, and this manager stands again after it lost it: make the controller with manager.controller, or add something whose run can be called again and that says so with runsAgain`,
      );
    }
    this.#claim(runnable.name);
    const member = new Removable(runnable);
    this.#runnables.set(runnable.name, { member, cluster, controller: "inspectAll" in runnable ? runnable : undefined });
    if (isElected && warmStandby && runnable.warmUp !== undefined)
      this.#warmUps.add({ name: `${runnable.name}, warming up`, run: (signal) => member.warmUp(signal) });
    if (needsLease) this.#leaders.add(member);
    else this.#placeOf(group).add(member);
  }

  async remove(name: string): Promise<void> {
    const known = this.#runnables.get(name);
    if (known === undefined) throw new Error(`cannot remove ${name}: nothing of that name was added to this manager`);
    this.#runnables.delete(name);
    this.#leaders.forget(known.member);
    await known.member.remove();
    this.#names.delete(name);
  }

  controller({ cluster = this.cluster, needsLease = true, ...options }: ManagedControllerOptions): Controller {
    const { tape, leaderElection } = this.#options;
    const fence = needsLease ? this.fence : undefined;
    const make = (): Controller =>
      createController({
        drainMs: this.#graceMs * 0.8,
        ...options,
        cluster,
        ...(tape === undefined ? {} : { tape }),
        ...(fence === undefined ? {} : { fence }),
      });
    this.#requireCluster(cluster, options.name);
    this.#requireFree(options.name);
    const controller = fence !== undefined && leaderElection?.onLostLease === "standAgain" ? new LastingController(make) : make();
    this.add(controller, { cluster, needsLease });
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
      ...(elector === undefined ? {} : { election: { lease: elector.fence.lease, isLeader: elector.isLeader, leader: elector.leader } }),
      ...(address === undefined ? {} : { address }),
      running: [this.#servers, this.#webhooks, this.#caches, this.#others, this.#warmUps, this.#leaders].flatMap((group) =>
        group.running(),
      ),
      controllers: [...this.#runnables.values()].flatMap(({ controller }) => (controller === undefined ? [] : [controller.state()])),
      clusters: [...this.#clusters.values()].map(({ name, informers }) => ({ name, informers: informers.state() })),
    };
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#phase !== "idle") throw new Error("the manager was run already; make a new one for a second run");
    this.#phase = "starting";
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
    // oxlint-disable-next-line typescript/only-throw-error -- what a runnable rejected with is passed on as it is
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async #start(): Promise<void> {
    const { signal } = this.#ending;
    const start = (group: RunnableGroup) => (): Promise<void> => group.start();
    signal.throwIfAborted();
    // Not called off: a port that is being opened must be closed as well.
    await this.#probes.open(this.#servers, signal);
    for (const step of [
      start(this.#servers),
      start(this.#webhooks),
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
    const { permissions = "check", leaderElection } = this.#options;
    if (permissions === "off") return;
    for (const cluster of this.#clusters.values()) {
      const own = leaderElection !== undefined && cluster === this.cluster ? [leaseNeed(leaderElection.namespace)] : [];
      const needs = [...own, ...this.#needsIn(cluster)];
      if (needs.length > 0)
        await checkPermissions({
          client: cluster.client,
          needs,
          log: this.#log,
          signal,
          ...(leaderElection === undefined ? {} : { roleName: leaderElection.name }),
        });
    }
  }

  /** Whoever works in one cluster may watch others. */
  #needsIn({ name }: Cluster): readonly PermissionNeed[] {
    const all = [...this.#runnables.values()].flatMap(({ member, cluster }) =>
      (member.runnable.needs ?? []).map((need) => ({ ...need, cluster: need.cluster ?? cluster.name })),
    );
    return all.filter(({ cluster }) => cluster === name);
  }

  async #stand(signal: AbortSignal): Promise<void> {
    await this.#elector?.run(signal);
  }

  /** One term of the lease, or the only one where there is none. */
  async #lead(signal: AbortSignal): Promise<void> {
    if (this.#ending.signal.aborted) return;
    signal.addEventListener("abort", () => this.#lost(signal.reason), { once: true });
    await this.#leaders.lead(signal, this.#onElected);
  }

  #lost(reason: unknown): void {
    if (!isFencedError(reason)) return;
    // On the way out it is not stood for again.
    if (this.#ending.signal.aborted) return this.#election.stop(reason);
    const { leaderElection: { onLostLease = "end" } = {} } = this.#options;
    if (onLostLease === "standAgain")
      return this.#log.warn("the lease is lost; what needs it is aborted, and this manager stands for it again", { reason });
    this.#failure = { error: new LeaderElectionLostError(this.#elector?.fence.lease ?? "", reason), graceMs: 0 };
    this.#end(reason);
  }

  #failed(error: unknown, name: string): void {
    if (this.#ending.signal.aborted) {
      if (error !== this.#ending.signal.reason)
        this.#log.error("something failed while the manager was stopping", { runnable: name, error });
      return;
    }
    this.#log.error("something failed; the manager stops", { runnable: name, error });
    this.#failure = { error };
    this.#end(error);
  }

  #leaderFailed(error: unknown, name: string): void {
    // Of a term that is over; the next one starts it anew.
    if (isFenced(error) && this.#elector?.isLeader === false)
      this.#log.info("a runnable was stopped by the loss of the lease", { runnable: name, error });
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
    this.#log.info("the manager is stopping", { reason, graceMs });
    this.#graceOverMs = clock.monotonic() + graceMs;
    this.#warmUps.stop(reason);
    // A candidate that goes must not take the lease on its way out.
    if (!this.#leaders.isLeading) this.#election.stop(reason);
    const running = await stopInOrder(
      [this.#others, this.#leaders, this.#warmUps, this.#caches, this.#webhooks, this.#servers, this.#election],
      { clock, graceMs, reason },
    );
    // The fence is closed before this is over, whoever has not ended. Behind a closed fence the lease may still be
    // being given back, for which there is no time any more.
    if (this.#elector !== undefined && !running.includes(electionName)) await this.#election.ended();
    return running;
  }

  #graceLeftMs(): number {
    return Math.max(0, this.#graceOverMs - this.#options.runtime.clock.monotonic());
  }

  #placeOf(group: Runnable["group"]): RunnableGroup {
    if (group === undefined) return this.#others;
    return group === "server" ? this.#servers : this.#webhooks;
  }

  #requireCluster(cluster: Cluster, name: string): void {
    if (this.#clusters.get(cluster.name) !== cluster)
      throw new Error(
        `${name} works in a cluster${cluster.name === "" ? "" : ` named ${cluster.name}`} that this manager does not run; addCluster it first`,
      );
  }

  #requireFree(name: string): void {
    if (this.#ending.signal.aborted) throw new Error(`cannot add ${name}: the manager is stopping, and takes nothing new`);
    if (this.#names.has(name))
      throw new Error(
        `cannot add ${name}: this manager has something of that name already; logs, metrics and causes tell things apart by their names`,
      );
  }

  #claim(name: string): void {
    this.#requireFree(name);
    this.#names.add(name);
  }
}
