/**
 * kube-controller-manager as a value: a cluster, a manager, events, and the controllers that were asked for.
 *
 *     createControllerManager({ runtime, transport }) → { manager, run(signal) }
 */
import { noWarnings, throttle, userAgent as userAgentWrapper } from "@drover/client";
import { createEventBroadcaster, createManager, eventNeed } from "@drover/controller";
import { createCluster } from "@drover/cache";
import type { EventBroadcaster, LeaderElectionOptions, Manager, ManagerOptions } from "@drover/controller";
import type { Cluster, ClusterOptions } from "@drover/cache";
import { definedOnly } from "@drover/machinery";
import type { Transport } from "@drover/machinery";
import { builtInControllers } from "./built-in-controllers.ts";
import type { ControllerContext, ControllerDescriptor } from "./host/controller-descriptor.ts";
import { controllerRegistry } from "./controller-registry.ts";

export interface ControllerManagerOptions extends Pick<
  ManagerOptions,
  "runtime" | "serving" | "graceMs" | "syncTimeoutMs" | "permissions" | "tape"
> {
  /** The way to the API server, credentials included. */
  readonly transport: Transport;
  /** Which controllers run: names and aliases, "-name" for not that one, "*" for all that are not disabled by default. @default ["*"] */
  readonly controllers?: readonly string[];
  /** The controllers there are to choose from. @default those of this package */
  readonly known?: readonly ControllerDescriptor[];
  /**
   * "parity" has kube-controller-manager's numbers: each controller asks 20 times a second after a burst of 30, failed
   * keys of one controller come back
   * ten a second after a burst of 100. "drover" limits no requests, and keys that fail wait for nothing but their own
   * turn. @default "drover"
   */
  readonly preset?: ControllerContext["preset"];
  /**
   * Only one of several runs the controllers; the lease is kube-system/kube-controller-manager where nothing else is
   * said. @default without: they run at once
   */
  readonly leaderElection?: Omit<LeaderElectionOptions, "name" | "namespace"> & Partial<Pick<LeaderElectionOptions, "name" | "namespace">>;
  /** How the program calls itself at the server; each controller adds its name. @default "kube-controller-manager" */
  readonly userAgent?: string;
  /** What the caches have in common. @default as `createCluster` says */
  readonly informers?: ClusterOptions["informers"];
}

export interface ControllerManager {
  readonly manager: Manager;
  readonly events: EventBroadcaster;
  /** The canonical names of the controllers that run. */
  readonly controllers: readonly string[];
  /** Runs everything until the signal is aborted; as `manager.run` does, which it is. */
  run(signal: AbortSignal): Promise<void>;
}

/** Nothing is asked of the server until it is run. Throws for names of controllers that nobody has. */
export function createControllerManager(options: ControllerManagerOptions): ControllerManager {
  const {
    runtime,
    controllers = ["*"],
    known = builtInControllers,
    preset = "drover",
    leaderElection,
    userAgent = "kube-controller-manager",
  } = options;
  const chosen = controllerRegistry(known).select(controllers);
  const cluster = clusterOf(options, userAgent);
  const { serving, graceMs, syncTimeoutMs, permissions, tape } = options;
  const manager = createManager({
    runtime,
    cluster,
    ...definedOnly({ serving, graceMs, syncTimeoutMs, permissions, tape }),
    ...(leaderElection === undefined
      ? {}
      : { leaderElection: { namespace: "kube-system", name: "kube-controller-manager", ...leaderElection } }),
  });
  // One at a time, and with rests: to tell of what was done is the last thing that a busy process should be busy with,
  // and nothing told is to be lost for that.
  const events = createEventBroadcaster({
    ...runtime,
    client: eventClient(cluster, preset),
    writersMax: 1,
    writeShare: 0.2,
    queueMax: 20_000,
  });
  // Not behind the lease: what was recorded under it is written after its loss as well.
  manager.add({ name: "events", needs: [eventNeed], run: (signal) => events.run(signal) }, { needsLease: false });
  for (const { add } of chosen) add({ manager, events, preset, userAgent });
  return { manager, events, controllers: chosen.map(({ name }) => name), run: (signal) => manager.run(signal) };
}

function clusterOf({ runtime, transport, informers }: ControllerManagerOptions, userAgent: string): Cluster {
  // Requests of controllers have said who they are by then.
  return createCluster({
    runtime,
    namespace: "default",
    transport: userAgentWrapper(`${userAgent}/shared-informers`)(transport),
    onWarning: noWarnings,
    ...definedOnly({ informers }),
  });
}

/** Upstream each controller's events share the rate of its requests; here all events together have one controller's rate. */
function eventClient(cluster: Cluster, preset: ControllerContext["preset"]): Cluster["client"] {
  const { clock, log } = cluster.runtime;
  return preset === "parity" ? cluster.clientThrough(throttle({ clock, log, qps: 20, burst: 30 })) : cluster.client;
}
