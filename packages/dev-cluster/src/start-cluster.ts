/**
 * A complete Kubernetes cluster in this process: API server, controllers, scheduler, and simulated nodes.
 *
 *     await using cluster = await startCluster();
 *     await cluster.client.create(Deployment, …)
 *
 * The default runtime uses real time; with a manual clock (`startCluster({ runtime: testRuntime() })`) the test advances time.
 */
import { createApiServer } from "@drover/apiserver";
import type { ApiServer, ApiServerOptions } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import type { Client } from "@drover/client";
import { builtInControllers, createControllerManager, policyStatusController, rootCaPublisherController } from "@drover/controller-manager";
import type { ControllerManagerOptions } from "@drover/controller-manager";
import type { EventBroadcaster, Manager, ManagerRuntime } from "@drover/controller";
import { definedOnly } from "@drover/machinery";
import type { Transport } from "@drover/machinery";
import { nodeRuntime } from "drover";
import { inTurns, wayGiven } from "./in-turns.ts";
import { addKubelets } from "./node/kubelets.ts";
import type { Kubelets } from "./node/kubelets.ts";
import { promptPods } from "./node/pod-conduct.ts";
import type { PodTimes } from "./node/pod-conduct.ts";
import { addScheduler } from "./scheduler/scheduler.ts";
import { addVolumeBinder } from "./volumes/volume-binder.ts";

export interface StartClusterOptions extends Pick<ControllerManagerOptions, "controllers" | "preset" | "tape"> {
  /** @default the real runtime, without a log */
  readonly runtime?: ManagerRuntime;
  /** Number of nodes at the start: "node-1", "node-2", … @default 3 */
  readonly nodes?: number;
  /** Durations for pods whose annotations name none. @default `promptPods` */
  readonly pods?: PodTimes;
  /** Further options of the API server: authentication, admission plug-ins, storage. @default none */
  readonly server?: Omit<ApiServerOptions, "runtime" | "host">;
  /** An existing server, which keeps running when the cluster stops; `server` is then ignored. @default a new server */
  readonly on?: ApiServer;
  /** Certificate authority for pods, in PEM: every namespace gets the ConfigMap `kube-root-ca.crt`. @default no such ConfigMap */
  readonly authorityPem?: string;
  /**
   * Milliseconds for which the controllers, the scheduler and the kubelets may send requests in one turn of the event loop, before
   * clients that use a socket get theirs. A manual clock needs Infinity. @default 20, with another runtime Infinity
   */
  readonly holdMs?: number;
  /**
   * Whether a client that uses a socket should be answered before the cluster goes on to start; asked often. Controllers send no
   * requests while it returns true. @default never
   */
  readonly giveWay?: () => boolean;
}

/** Guarantees: two clusters share nothing. */
export interface DevCluster extends AsyncDisposable {
  readonly server: ApiServer;
  /** Sends requests within this process, as an administrator. */
  readonly transport: Transport;
  readonly client: Client;
  /** Runs the controllers, the scheduler and the kubelets. */
  readonly manager: Manager;
  readonly kubelets: Kubelets;
  /** Pending Events. A busy cluster writes them late; `events.flush()` writes all of them. */
  readonly events: Pick<EventBroadcaster, "flush">;
  /**
   * Stops everything and resolves when it has stopped; on a manual clock the caller must advance time meanwhile. Rejects with the
   * error that ended the controllers, if any. May be called twice.
   */
  stop(): Promise<void>;
}

/** Starts a cluster. Resolves when everything runs and the nodes are registered. */
export async function startCluster({
  runtime: given,
  holdMs = given === undefined ? 20 : Infinity,
  nodes = 3,
  pods = promptPods,
  server: serverOptions = {},
  on,
  authorityPem,
  giveWay,
  ...options
}: StartClusterOptions = {}): Promise<DevCluster> {
  if (!Number.isInteger(nodes) || nodes < 0 || nodes > 250)
    throw new RangeError(`startCluster: nodes must be a whole number from 0 to 250, not ${nodes}`);
  const runtime = given ?? nodeRuntime({ write: () => undefined });
  const server = on ?? (await createApiServer({ ...serverOptions, runtime, host: nodeHost }));
  const transport = holdMs === Infinity ? server.handle : inTurns(server.handle, { holdMs, ...definedOnly({ giveWay }) });
  if (giveWay !== undefined) await wayGiven(giveWay);
  const known = [
    ...builtInControllers,
    policyStatusController(server.checkPolicyTypes),
    ...(authorityPem === undefined ? [] : [rootCaPublisherController(authorityPem)]),
  ];
  const controllers = createControllerManager({ ...options, known, runtime, transport, permissions: "off" });
  const { manager, events } = controllers;
  addScheduler({ manager, events });
  addVolumeBinder({ manager });
  const kubelets = addKubelets({ manager, times: pods });
  const withdrawLogs = server.serveLogs(kubelets.logs);
  if (giveWay !== undefined) await wayGiven(giveWay);
  const stopping = new AbortController();
  const ended = controllers.run(stopping.signal).finally(() => (on === undefined ? server.close() : withdrawLogs()));
  // `stop` reports a failure; until then it must not end the process as an unhandled rejection.
  ended.catch(() => undefined);
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopping.abort(new DOMException("the cluster was stopped", "AbortError"));
    return (stopped ??= ended);
  };
  try {
    await Promise.race([manager.elected, ended]);
    for (let index = 1; index <= nodes; index++)
      await kubelets.addNode({ name: `node-${index}`, podCidr: `10.244.${index}.0/24`, address: `172.18.0.${index + 1}` });
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
  return { server, transport: server.handle, client: manager.cluster.client, manager, kubelets, events, stop, [Symbol.asyncDispose]: stop };
}
