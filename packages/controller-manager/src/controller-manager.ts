/**
 * kube-controller-manager as a value: a cluster, a manager, an event broadcaster and the selected controllers.
 *
 *     createControllerManager({ runtime, transport }) → { manager, run(signal) }
 */
import { noWarnings, throttle, userAgent as userAgentWrapper } from "@drover/client";
import type { TransportWrapper } from "@drover/client";
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
  /** Sends requests to the API server, with credentials; those of `system:kube-controller-manager` suffice with `credentials`. */
  readonly transport: Transport;
  /**
   * Returns a wrapper that authenticates the requests of one controller as its service account in kube-system, as with
   * `--use-service-account-credentials`. Informers and Events use `transport`. @default every controller uses `transport` too
   */
  readonly credentials?: (serviceAccount: string) => TransportWrapper;
  /** Controllers to run: names and aliases, "-name" to exclude one, "*" for all that are not disabled by default. @default ["*"] */
  readonly controllers?: readonly string[];
  /** Controllers to choose from. @default the built-in controllers */
  readonly known?: readonly ControllerDescriptor[];
  /**
   * "parity" uses kube-controller-manager's limits: each controller sends 20 requests a second after a burst of 30, and retries 10
   * keys a second after a burst of 100. "drover" limits no requests, and a failed key waits only for its own backoff. @default
   * "drover"
   */
  readonly preset?: ControllerContext["preset"];
  /**
   * Runs the controllers only while this process holds the lease, kube-system/kube-controller-manager unless it says otherwise.
   * @default no leader election: the controllers start at once
   */
  readonly leaderElection?: Omit<LeaderElectionOptions, "name" | "namespace"> & Partial<Pick<LeaderElectionOptions, "name" | "namespace">>;
  /** User agent of the program; each controller appends its name. @default "kube-controller-manager" */
  readonly userAgent?: string;
  /** Options for all informers. @default as in `createCluster` */
  readonly informers?: ClusterOptions["informers"];
}

export interface ControllerManager {
  readonly manager: Manager;
  readonly events: EventBroadcaster;
  /** Canonical names of the selected controllers. */
  readonly controllers: readonly string[];
  /** Runs everything until the signal is aborted: `manager.run`. */
  run(signal: AbortSignal): Promise<void>;
}

/** Creates the manager and its controllers; sends no request until it runs. Throws for the name of an unknown controller. */
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
  // One writer that pauses: a busy process writes events last, and the long queue loses none of them.
  const events = createEventBroadcaster({
    ...runtime,
    client: eventClient(cluster, preset),
    writersMax: 1,
    writeShare: 0.2,
    queueMax: 20_000,
  });
  // Needs no lease: events recorded under the lease are still written after its loss.
  manager.add({ name: "events", needs: [eventNeed], run: (signal) => events.run(signal) }, { needsLease: false });
  for (const { add, name, serviceAccount = name } of chosen)
    add({
      manager,
      events,
      preset,
      userAgent,
      ...definedOnly({ credentials: serviceAccount === "" ? undefined : options.credentials?.(serviceAccount) }),
    });
  return { manager, events, controllers: chosen.map(({ name }) => name), run: (signal) => manager.run(signal) };
}

function clusterOf({ runtime, transport, informers }: ControllerManagerOptions, userAgent: string): Cluster {
  // Requests of controllers carry their own user agent already.
  return createCluster({
    runtime,
    namespace: "default",
    transport: userAgentWrapper(`${userAgent}/shared-informers`)(transport),
    onWarning: noWarnings,
    ...definedOnly({ informers }),
  });
}

/** Upstream, each controller's events share the rate limit of its requests; here all events together have the rate of one controller. */
function eventClient(cluster: Cluster, preset: ControllerContext["preset"]): Cluster["client"] {
  const { clock, log } = cluster.runtime;
  return preset === "parity" ? cluster.clientThrough(throttle({ clock, log, qps: 20, burst: 30 })) : cluster.client;
}
