/**
 * Health and readiness of a manager, and the port that serves them.
 *
 *     checks of the manager and of its users → createProbeHandler → Listen
 */
import type { Transport } from "@drover/machinery";
import type { Cluster } from "@drover/cache";
import type { LeaderElector } from "../leader/leader-elector.ts";
import { EventLoopWatch } from "../serving/event-loop-watch.ts";
import type { HealthCheck } from "../serving/health-check.ts";
import { checkInformers } from "../serving/check-informers.ts";
import { createProbeHandler } from "../serving/probe-handler.ts";
import type { ShardSet } from "../shards/shard-set.ts";
import type { ThreadTeam } from "../threads/thread-team.ts";
import type { ManagerOptions, ManagerPhase } from "./manager-options.ts";
import type { RunnableGroup } from "./runnable-group.ts";

export interface ManagerProbesOptions extends Pick<ManagerOptions, "runtime" | "serving" | "leaderElection" | "shards"> {
  readonly shardSet: ShardSet | undefined;
  readonly elector: LeaderElector | undefined;
  readonly clusters: () => Iterable<Cluster>;
  readonly phase: () => ManagerPhase;
  readonly team: ThreadTeam | undefined;
}

/**
 * Healthy: the event loop is not blocked, and no work continues after its lease has expired. Ready: the manager has started and is not
 * stopping, every informer in use has synced and hears from the server, and a replica (this one or another) holds the lease.
 * With shards, the leases have been listed.
 */
export class ManagerProbes {
  readonly #options: ManagerProbesOptions;
  readonly #health = new Map<string, HealthCheck>();
  readonly #ready = new Map<string, HealthCheck>();
  readonly #loop: EventLoopWatch;
  readonly #handler: Transport;
  #address: string | undefined;

  constructor(options: ManagerProbesOptions) {
    const {
      runtime: { clock, metrics, log },
      elector,
      leaderElection: { healthToleranceMs = 20_000 } = {},
      team,
      serving: { blockedMs = 10_000, handlers = {} } = {},
    } = options;
    this.#options = options;
    this.#handler = createProbeHandler({
      health: this.#health,
      ready: this.#ready,
      metrics,
      handlers,
      log,
      ...(team === undefined ? {} : { threadMetrics: () => team.metrics() }),
    });
    this.#loop = new EventLoopWatch({ clock, toleranceMs: blockedMs });
    this.addHealthCheck("event-loop", () => this.#loop.check());
    this.addReadyCheck("manager", () => this.#checkPhase());
    this.addReadyCheck("informers", () => this.#checkInformers());
    this.#addShardChecks();
    if (team !== undefined) {
      this.addHealthCheck("threads", () => team.checkHealth(blockedMs));
      this.addReadyCheck("threads", () => team.checkReady());
    }
    if (elector === undefined) return;
    this.addHealthCheck("leader-election", () => {
      const problem = elector.check(healthToleranceMs);
      if (problem !== undefined) throw problem;
    });
    this.addReadyCheck("leader-election", () => {
      if (elector.candidateProblem !== undefined) throw new Error(elector.candidateProblem);
      if (!elector.isLeader && elector.leader === "") throw new Error(`no replica is known to hold lease ${elector.fence.lease}`);
    });
  }

  /** A replica that waits for shards, or for replicas with another layout to end, is ready: otherwise no rollout would replace those. */
  #addShardChecks(): void {
    const { shardSet, shards: { healthToleranceMs = 20_000 } = {} } = this.#options;
    if (shardSet === undefined) return;
    this.addHealthCheck("shards", () => {
      const problem = shardSet.check(healthToleranceMs);
      if (problem !== undefined) throw problem;
    });
    this.addReadyCheck("shards", () => {
      if (!shardSet.hasListed) throw new Error("the leases of the shards have not been listed yet");
    });
  }

  /** Throws why the manager itself is not ready, apart from leases and from what its users check. */
  checkOwn(): void {
    this.#checkPhase();
    this.#checkInformers();
  }

  #checkPhase(): void {
    checkPhase(this.#options.phase());
  }

  #checkInformers(): void {
    const { clusters, serving: { informerSilenceMs = 300_000 } = {} } = this.#options;
    checkInformers({ clusters, silenceMs: informerSilenceMs });
  }

  /** Address of the open port; undefined while it is closed. */
  get address(): string | undefined {
    return this.#address;
  }

  addHealthCheck(name: string, check: HealthCheck): void {
    add(this.#health, name, check);
  }

  addReadyCheck(name: string, check: HealthCheck): void {
    add(this.#ready, name, check);
  }

  /** Opens the port if serving is configured, and adds the server to the group. Rejects if the port cannot be opened. */
  async open(servers: RunnableGroup, signal: AbortSignal): Promise<void> {
    const {
      runtime: { log },
      serving,
    } = this.#options;
    if (serving === undefined) return;
    const { listen, host = "", port = 8080 } = serving;
    const listening = await listen(this.#handler, { host, port });
    // Running an open port is the only way to close it, so run it even if the manager is already stopping.
    if (signal.aborted) return listening.run(signal);
    this.#address = listening.address;
    log.info("serving probes and metrics", { address: listening.address });
    servers.add({ name: "probes and metrics", run: (stopping) => listening.run(stopping).finally(() => (this.#address = undefined)) });
    servers.add({ name: "event loop watch", run: (stopping) => this.#loop.run(stopping) });
  }
}

function add(checks: Map<string, HealthCheck>, name: string, check: HealthCheck): void {
  if (checks.has(name)) throw new Error(`a check named ${name} already exists`);
  checks.set(name, check);
}

function checkPhase(phase: ManagerPhase): void {
  if (phase !== "running")
    throw new Error(phase === "starting" || phase === "idle" ? "the manager has not started everything yet" : "the manager is stopping");
}
