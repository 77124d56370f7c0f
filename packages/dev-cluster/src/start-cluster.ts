/**
 * A complete Kubernetes cluster in this process: API server, controllers, scheduler, and simulated nodes.
 *
 *     await using cluster = await startCluster();
 *     await cluster.client.create(Deployment, …)
 *
 * The default runtime uses real time; with a manual clock (`startCluster({ runtime: testRuntime() })`) the test advances time.
 */
import { ServiceAccount } from "@drover/api/core/v1";
import { createApiServer } from "@drover/apiserver";
import type { ApiServer, ApiServerOptions, TokenSigner, User } from "@drover/apiserver";
import { nodeHost, openDataFolder, openEtcd } from "@drover/apiserver/node";
import type { EtcdOptions } from "@drover/apiserver/node";
import type { Cluster } from "@drover/cache";
import { createClient } from "@drover/client";
import type { Client, TransportWrapper } from "@drover/client";
import {
  builtInControllers,
  controllerRegistry,
  createControllerManager,
  policyStatusController,
  rootCaPublisherController,
  serviceAccountController,
  serviceAccountTokenController,
} from "@drover/controller-manager";
import type { ControllerDescriptor, ControllerManagerOptions } from "@drover/controller-manager";
import type { EventBroadcaster, Manager, ManagerRuntime } from "@drover/controller";
import { definedOnly, isAlreadyExists } from "@drover/machinery";
import type { Transport } from "@drover/machinery";
import { nodeRuntime } from "drover";
import { controllerManagerUser, controllerUser, kubeletUser, schedulerUser } from "./cluster-users.ts";
import { inTurns, wayGiven } from "./in-turns.ts";
import { addKubelets } from "./node/kubelets.ts";
import type { Kubelets } from "./node/kubelets.ts";
import { promptPods } from "./node/pod-conduct.ts";
import type { PodTimes } from "./node/pod-conduct.ts";
import { addScheduler } from "./scheduler/scheduler.ts";
import { addVolumeBinder } from "./volumes/volume-binder.ts";

/** What kubectl prints for exec, attach, cp, port-forward and proxies. */
const noStreams =
  "pods are simulated: no process runs in them, so exec, attach, cp, port-forward and proxy have nothing to connect to. " +
  "kubectl logs works; annotations of a pod set its log (drover.dev/log) and how it ends (drover.dev/exit-after, drover.dev/exit-code). " +
  "To talk to a program, run it on this machine";

export interface StartClusterOptions extends Pick<ControllerManagerOptions, "controllers" | "preset" | "tape"> {
  /** @default the real runtime, without a log */
  readonly runtime?: ManagerRuntime;
  /** Number of nodes at the start: "node-1", "node-2", … @default 3 */
  readonly nodes?: number;
  /** Durations for pods whose annotations name none. @default `promptPods` */
  readonly pods?: PodTimes;
  /**
   * Further options of the API server: authorization, admission plug-ins, storage. Its plug-in ServiceAccount runs unless it is disabled,
   * or the controller that creates service accounts does not run. @default none
   */
  readonly server?: ServerOptions;
  /**
   * Folder in which the cluster survives the process: objects, history, and the key of service account tokens. One process can use it
   * at a time. Excludes `on` and `server.store`. @default in memory
   */
  readonly data?: string;
  /**
   * The etcd in which the cluster is, in the layout of kube-apiserver; needs the package `@grpc/grpc-js`. Excludes `data`, `on` and
   * `server.store`. @default in memory
   */
  readonly etcd?: EtcdOptions;
  /** An existing server, which keeps running when the cluster stops; `server` is then ignored. @default a new server */
  readonly on?: ApiServer;
  /**
   * The key of service account tokens of the server in `on`, for Secrets of type `kubernetes.io/service-account-token`. @default that of
   * a new server; such Secrets stay empty with `on`
   */
  readonly tokenSigner?: () => TokenSigner;
  /** Certificate authority for pods, in PEM: every namespace gets the ConfigMap `kube-root-ca.crt`. @default no such ConfigMap */
  readonly authorityPem?: string;
  /**
   * Milliseconds for which the controllers, the scheduler and the kubelets may send requests in one turn of the event loop, before
   * clients that use a socket get theirs. A manual clock needs Infinity. @default 20, on a manual clock Infinity
   */
  readonly holdMs?: number;
  /**
   * Whether a client that uses a socket should be answered before the cluster goes on to start; asked often. Controllers send no
   * requests while it returns true. @default never
   */
  readonly giveWay?: () => boolean;
}

type ServerOptions = Omit<ApiServerOptions, "runtime" | "host">;

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

/**
 * Starts a cluster. Resolves when everything runs and the nodes are registered. Rejects with a `DataFolderError` if `data` cannot be
 * used, and with an `EtcdAddressError` if `etcd` cannot.
 */
export async function startCluster({ data, etcd, ...options }: StartClusterOptions = {}): Promise<DevCluster> {
  if (etcd !== undefined) {
    if (data !== undefined || options.on !== undefined || options.server?.store !== undefined)
      throw new TypeError("startCluster: etcd excludes data, on and server.store, because the objects are in etcd; remove one");
    return await startOnEtcd(etcd, options);
  }
  if (data === undefined) return await startOn(options);
  if (options.on !== undefined || options.server?.store !== undefined || options.tokenSigner !== undefined)
    throw new TypeError(
      "startCluster: data excludes on, server.store and tokenSigner, because the folder has its own store and key; remove one",
    );
  const runtime = options.runtime ?? nodeRuntime({ write: () => undefined });
  const { store, tokenSigner, close } = await openDataFolder(data, { runtime });
  try {
    const cluster = await startOn({ ...options, runtime, server: { ...options.server, store }, tokenSigner: () => tokenSigner });
    const stop = async (): Promise<void> => {
      try {
        await cluster.stop();
      } finally {
        await close();
      }
    };
    return { ...cluster, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startOnEtcd(etcd: EtcdOptions, options: Omit<StartClusterOptions, "data" | "etcd">): Promise<DevCluster> {
  const runtime = options.runtime ?? nodeRuntime({ write: () => undefined });
  const holdMs = options.holdMs ?? (options.runtime === undefined ? 20 : Infinity);
  const store = await openEtcd(etcd, runtime);
  try {
    return await startOn({ ...options, runtime, holdMs, server: { ...options.server, store } });
  } catch (error) {
    store.close();
    throw error;
  }
}

async function startOn({
  runtime = nodeRuntime({ write: () => undefined }),
  // Only the clock of an event loop has turns.
  holdMs = runtime.clock.turn === undefined ? Infinity : 20,
  nodes = 3,
  pods = promptPods,
  server: serverOptions = {},
  on,
  tokenSigner = on === undefined ? onceMade(nodeHost.tokenSigner) : undefined,
  authorityPem,
  giveWay,
  ...options
}: Omit<StartClusterOptions, "data" | "etcd">): Promise<DevCluster> {
  if (!Number.isInteger(nodes) || nodes < 0 || nodes > 250)
    throw new RangeError(`startCluster: nodes must be a whole number from 0 to 250, not ${nodes}`);
  const known: readonly ControllerDescriptor[] = [
    ...builtInControllers,
    policyStatusController((policy) => server.checkPolicyTypes(policy)),
    ...(authorityPem === undefined ? [] : [rootCaPublisherController(authorityPem)]),
    ...(tokenSigner === undefined ? [] : [serviceAccountTokenController({ key: tokenSigner, ...definedOnly({ authorityPem }) })]),
  ];
  const chosen = controllerRegistry(known).select(options.controllers ?? ["*"]);
  const hasAccounts = chosen.some(({ name }) => name === serviceAccountController.name);
  const host = tokenSigner === undefined ? nodeHost : { ...nodeHost, tokenSigner };
  const server: ApiServer =
    on ?? (await createApiServer({ ...(hasAccounts ? withServiceAccounts(serverOptions) : serverOptions), runtime, host }));
  const turns: TransportWrapper = holdMs === Infinity ? (next) => next : inTurns({ holdMs, ...definedOnly({ giveWay }) });
  const as = (user: User): Transport => turns(server.handleAs(user));
  if (giveWay !== undefined) await wayGiven(giveWay);
  // In the same process, a component authenticates by its connection.
  const credentials =
    (account: string): TransportWrapper =>
    () =>
      as(controllerUser(account));
  const controllers = createControllerManager({
    ...options,
    known,
    runtime,
    transport: as(controllerManagerUser),
    credentials,
    permissions: "off",
  });
  const { manager, events } = controllers;
  addScheduler({ manager, events, credentials: () => as(schedulerUser) });
  addVolumeBinder({ manager, credentials });
  const kubelets = addKubelets({ manager, times: pods, credentials: (node) => () => as(kubeletUser(node)) });
  const withdrawLogs = server.serveLogs(kubelets.logs, { noStreams });
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
    if (hasAccounts) await createFirstAccounts(as(controllerUser("service-account-controller")), runtime);
    for (let index = 1; index <= nodes; index++)
      await kubelets.addNode({ name: `node-${index}`, podCidr: `10.244.${index}.0/24`, address: `172.18.0.${index + 1}` });
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
  const client = adminClient(manager.cluster, turns(server.handle));
  return { server, transport: server.handle, client, manager, kubelets, events, stop, [Symbol.asyncDispose]: stop };
}

/** Makes the key when it is first needed, and only once. */
function onceMade(make: () => TokenSigner): () => TokenSigner {
  let made: TokenSigner | undefined;
  return () => (made ??= make());
}

/** The plug-in that gives pods a service account needs the controllers of the cluster, so the server alone does not run it. */
function withServiceAccounts({ admissionPlugins: { enable = [], disable = [] } = {}, ...options }: ServerOptions): ServerOptions {
  const own = ["ServiceAccount"].filter((plugin) => !disable.includes(plugin) && !enable.includes(plugin));
  return { ...options, admissionPlugins: { enable: [...enable, ...own], disable } };
}

/**
 * Creates the service accounts of the namespaces that every cluster has, so that pods can be created at once. Their controller does the
 * same, but on a manual clock only when time passes.
 */
async function createFirstAccounts(transport: Transport, runtime: ManagerRuntime): Promise<void> {
  const client = createClient({ ...runtime, transport, namespace: "default" });
  for (const namespace of ["default", "kube-system", "kube-public", "kube-node-lease"])
    await client.create(ServiceAccount, { metadata: { name: "default" } }, { namespace }).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
}

/** Returns a client for users of the cluster, whose writes the informers of the cluster wait for. */
function adminClient(cluster: Cluster, transport: Transport): Client {
  return cluster.clientThrough(
    (next) => cluster.readYourWrites.transport(next),
    () => transport,
  );
}
