/**
 * A manager on a manual clock and a scripted server, with a record of what happens.
 *
 *     const { manager, run, events } = managerRig({ leaderElection: true });
 */
import { ScriptedApi } from "@drover/cache/testing";
import { jsonResponse, statusResponse } from "@drover/client/testing";
import { newServiceUnavailable } from "@drover/machinery";
import type { HttpRequest, Transport } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { createCluster } from "@drover/cache";
import type { Cluster, ClusterOptions } from "@drover/cache";
import { LeaseServer } from "../../leader/testing/lease-server.ts";
import type { Listen } from "../../serving/listen.ts";
import { untilAborted } from "../../sources/until-aborted.ts";
import type { LeaderElectionOptions } from "../election.ts";
import { createManager } from "../manager.ts";
import type { Manager } from "../manager.ts";
import type { ManagerOptions } from "../manager-options.ts";
import type { Runnable } from "../runnable.ts";

export interface ManagerRigOptions extends Partial<Omit<ManagerOptions, "leaderElection" | "runtime">> {
  /** Competes for lease web in shop as "me". @default no leader election */
  readonly leaderElection?: Partial<LeaderElectionOptions> | true;
  /** @default a new runtime */
  readonly clock?: ManualClock;
  /** @default a new server */
  readonly leases?: LeaseServer;
}

export interface ManagerRig {
  readonly runtime: TestRuntime;
  readonly clock: ManualClock;
  readonly leases: LeaseServer;
  /** Config maps to list and watch. */
  readonly api: ScriptedApi;
  readonly cluster: Cluster;
  readonly manager: Manager;
  /** What happened, in order: "web starts", "web ends". */
  readonly events: string[];
  /** Stops the run. */
  readonly stop: AbortController;
  /** State of the run: "idle", "running", "over", or its error. */
  readonly outcome: { run: unknown };
  /** Transports to the server and to its leases; tests may replace them. */
  readonly network: { transport: Transport; leases: Transport };
  /** Runs the manager and lets everything settle. */
  readonly run: () => Promise<void>;
  /** Records its start and end. With `endsAfterMs` it takes that long to end after the stop. */
  readonly runnable: (name: string, options?: Partial<Runnable> & { readonly endsAfterMs?: number }) => Runnable;
}

export function managerRig(options: ManagerRigOptions = {}): ManagerRig {
  const { clock = new ManualClock(), leases = new LeaseServer(), leaderElection, ...given } = options;
  const runtime = testRuntime({ clock });
  const api = new ScriptedApi({ clock, random: runtime.random });
  const network: ManagerRig["network"] = { transport: (request) => route(api, request), leases: leases.transport };
  const transport: Transport = (request) => (request.path.includes("/leases") ? network.leases : network.transport)(request);
  const cluster = given.cluster ?? rigCluster(runtime, { transport });
  const election =
    leaderElection === undefined
      ? {}
      : { leaderElection: { namespace: "shop", name: "web", identity: "me", ...(leaderElection === true ? {} : leaderElection) } };
  const manager = createManager({ runtime, ...given, cluster, ...election });
  const events: string[] = [];
  const stop = new AbortController();
  const outcome: { run: unknown } = { run: "idle" };
  const run = async (): Promise<void> => {
    outcome.run = "running";
    manager.run(stop.signal).then(
      () => (outcome.run = "over"),
      (error: unknown) => (outcome.run = error),
    );
    await clock.settle();
  };
  const runnable: ManagerRig["runnable"] = (name, { endsAfterMs = 0, ...more } = {}) => ({
    name,
    run: async (signal) => {
      events.push(`${name} starts`);
      await untilAborted(signal);
      if (endsAfterMs > 0) await new Promise<void>((resolve) => clock.timer(endsAfterMs, resolve));
      events.push(`${name} ends`);
    },
    ...more,
  });
  return { runtime, clock, leases, api, cluster, manager, events, stop, outcome, network, run, runnable };
}

/** A scripted cluster. */
export function rigCluster(runtime: TestRuntime, options: Pick<ClusterOptions, "transport"> & Partial<ClusterOptions>): Cluster {
  return createCluster({ runtime, namespace: "shop", informers: { audit: false }, ...options });
}

/** A server that is up but answers unavailable. */
export const down: Transport = () => Promise.resolve(statusResponse(newServiceUnavailable("down")));

/** Allows everything, and serves config maps. */
function route(api: ScriptedApi, request: HttpRequest): ReturnType<Transport> {
  if (!request.path.includes("selfsubject")) return api.transport(request);
  return Promise.resolve(jsonResponse({ ...(JSON.parse(request.body as string) as object), status: { allowed: true } }, { status: 201 }));
}

/** A listener without sockets: `ask` sends it a request while it is open. */
export function memoryListen(): {
  readonly listen: Listen;
  readonly ask: (path: string, method?: string) => Promise<string>;
  readonly isOpen: () => boolean;
} {
  let handler: Transport | undefined;
  return {
    isOpen: () => handler !== undefined,
    ask: async (path, method = "GET") => {
      if (handler === undefined) return "connection refused";
      const { status, body } = await handler({ method, path, headers: {} });
      return `${status} ${body as string}`;
    },
    listen: (given, { host, port }) => {
      handler = given;
      const run = async (signal: AbortSignal): Promise<void> => {
        await untilAborted(signal);
        handler = undefined;
      };
      return Promise.resolve({ address: `${host}:${port}`, run });
    },
  };
}
