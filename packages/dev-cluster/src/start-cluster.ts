/**
 * A whole Kubernetes in this process: API server, controllers, scheduler, and nodes on which pods seem to run.
 *
 *     await using cluster = await startCluster();
 *     await cluster.client.create(Deployment, …)
 *
 * With the real runtime things take their real time; with a manual clock (`startCluster({ runtime: testRuntime() })`)
 * time passes when the test says so.
 */
import { createApiServer } from "@drover/apiserver";
import type { ApiServer, ApiServerOptions } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import type { Client } from "@drover/client";
import { builtInControllers, createControllerManager, rootCaPublisherController } from "@drover/controller-manager";
import type { ControllerManagerOptions } from "@drover/controller-manager";
import type { EventBroadcaster, Manager, ManagerRuntime } from "@drover/controller";
import type { Transport } from "@drover/machinery";
import { nodeRuntime } from "drover";
import { addKubelets } from "./node/kubelets.ts";
import type { Kubelets } from "./node/kubelets.ts";
import { promptPods } from "./node/pod-conduct.ts";
import type { PodTimes } from "./node/pod-conduct.ts";
import { addScheduler } from "./scheduler/scheduler.ts";
import { addVolumeBinder } from "./volumes/volume-binder.ts";

export interface StartClusterOptions extends Pick<ControllerManagerOptions, "controllers" | "preset" | "tape"> {
  /** @default the real one, without a log */
  readonly runtime?: ManagerRuntime;
  /** How many nodes there are at the start: "node-1", "node-2", … @default 3 */
  readonly nodes?: number;
  /** How long pods take for what they do not say themselves. @default as fast as can be */
  readonly pods?: PodTimes;
  /** What else the API server is told: who may come in, where objects are kept. @default nothing */
  readonly server?: Omit<ApiServerOptions, "runtime" | "host">;
  /** A server that is there already, and stays when the cluster ends; `server` says nothing then. @default one of its own */
  readonly on?: ApiServer;
  /**
   * The authority, PEM, that pods are to trust: every namespace gets the ConfigMap `kube-root-ca.crt`. @default none,
   * and no such ConfigMap
   */
  readonly authorityPem?: string;
}

/** Guarantees: two clusters share nothing. */
export interface DevCluster extends AsyncDisposable {
  readonly server: ApiServer;
  /** Requests of this process, as an administrator. */
  readonly transport: Transport;
  readonly client: Client;
  /** What the controllers, the scheduler and the kubelets run in. */
  readonly manager: Manager;
  readonly kubelets: Kubelets;
  /** What is told about objects as Events. A busy cluster tells it late; `events.flush()` has all of it written. */
  readonly events: Pick<EventBroadcaster, "flush">;
  /**
   * Ends everything and resolves when it has ended; on a manual clock somebody must let time pass meanwhile. Rejects
   * with what ended the controllers before. Doing it twice does no harm.
   */
  stop(): Promise<void>;
}

/** Resolves when everything runs and the nodes are registered. */
export async function startCluster({
  runtime = nodeRuntime({ write: () => undefined }),
  nodes = 3,
  pods = promptPods,
  server: serverOptions = {},
  on,
  authorityPem,
  ...options
}: StartClusterOptions = {}): Promise<DevCluster> {
  if (!Number.isInteger(nodes) || nodes < 0 || nodes > 250)
    throw new RangeError(`startCluster: nodes must be a whole number from 0 to 250, not ${nodes}`);
  const server = on ?? (await createApiServer({ ...serverOptions, runtime, host: nodeHost }));
  const known = [...builtInControllers, ...(authorityPem === undefined ? [] : [rootCaPublisherController(authorityPem)])];
  const controllers = createControllerManager({ ...options, known, runtime, transport: server.handle, permissions: "off" });
  const { manager, events } = controllers;
  addScheduler({ manager, events });
  addVolumeBinder({ manager });
  const kubelets = addKubelets({ manager, times: pods });
  const withdrawLogs = server.serveLogs(kubelets.logs);
  const stopping = new AbortController();
  const ended = controllers.run(stopping.signal).finally(() => (on === undefined ? server.close() : withdrawLogs()));
  // Whoever stops it is told; until then a failure must not end the process.
  ended.catch(() => undefined);
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopping.abort(new DOMException("the cluster is stopped", "AbortError"));
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
