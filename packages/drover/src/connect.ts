/**
 * Connects to a cluster: finds it, authenticates, and creates everything that talks to it.
 *
 *     connect() → chooseAccess → clusterTransport, nodeWebSocket → Connection: client, discovery, mapper, pods
 */
import { createCluster } from "@drover/cache";
import type { Cluster } from "@drover/cache";
import { DiscoveryClient, DynamicMapper, clusterTransport, nodeTransport, nodeWebSocket } from "@drover/client";
import type {
  Client,
  ClientOptions,
  ClusterAccess,
  ClusterTransportDeps,
  DynamicClient,
  Host,
  NodeTransport,
  NodeTransportOptions,
  NodeWebSocketOptions,
  WebSocketConnect,
} from "@drover/client";
import { definedOnly } from "@drover/machinery";
import type { GroupKind, Runtime, Transport, WaitOptions } from "@drover/machinery";
import { chooseAccess } from "./choose-access.ts";
import type { ClusterChoice } from "./choose-access.ts";
import { isKeyPair } from "./key-pair.ts";
import { Lifetime } from "./lifetime.ts";
import { nodeHost } from "./node-host.ts";
import { nodeRuntime } from "./node-runtime.ts";
import { podStreams } from "./pod-streams.ts";
import type { PodStreams } from "./pod-streams.ts";
import { defaultUserAgent } from "./program-name.ts";

/** Options of `connect`. */
export interface ConnectOptions extends ClusterChoice, Pick<ClientOptions, "fieldManager" | "onWarning"> {
  /** User agent, shown in the server's audit log: "shop-operator/1.0". @default from the file that Node was started with */
  readonly userAgent?: string;
  /**
   * Timeouts, retries, limits, throttling, tracing, additional wrappers, and credential handling. @default the defaults
   * of `clusterTransport`
   */
  readonly transport?: Omit<ClusterTransportDeps, keyof Runtime | "host" | "isPair" | "connect" | "userAgent">;
  /** Ping interval and timeouts of the WebSockets of exec, attach and port-forward. @default the defaults of `nodeWebSocket` */
  readonly webSocket?: Pick<NodeWebSocketOptions, "connectTimeoutMs" | "pingIntervalMs" | "silenceTimeoutMs">;
  /** What informers request built-in kinds as. Objects are the same; other kinds are always JSON. @default "protobuf" */
  readonly format?: "protobuf" | "json";
  /** Clock, random numbers, log and metrics. @default `nodeRuntime()`, which logs to standard error from level "info" */
  readonly runtime?: Runtime;
  /** Environment, files and programs. @default `nodeHost()` */
  readonly host?: Host;
  /** Opens connections; tests pass their own. @default `nodeTransport` and `nodeWebSocket` */
  readonly sockets?: Sockets;
}

/** The two functions that open network connections. */
export interface Sockets {
  readonly transport: (options: NodeTransportOptions) => NodeTransport;
  readonly webSocket: (options: NodeWebSocketOptions) => WebSocketConnect;
}

/** A connection to a cluster as one user. All parts share sockets and credentials. `await using` closes it at the end of the block. */
export interface Connection extends PodStreams, AsyncDisposable {
  /** Shared caches of this connection: all informers on it share their watches. */
  readonly cluster: Cluster;
  /** Typed verbs for every kind; `client.dynamic` and `client.metadata` are its other views. */
  readonly client: Client;
  /** Namespace of requests that specify none. */
  readonly namespace: string;
  /**
   * Returns a client for a resource name as the server knows it ("deploy", "deployments", "Deployment",
   * "deployments.v1.apps"), or for a group and kind. Finds kinds that were installed a moment ago. Rejects with
   * `NoResourceMatchError` or `NoKindMatchError`.
   */
  dynamic(what: string | (GroupKind & { readonly version?: string }), options?: WaitOptions): Promise<DynamicClient>;
  /** Discovery: which kinds and versions the server serves. */
  readonly discovery: DiscoveryClient;
  /** Maps kinds and names to resources; caches, and refreshes when something is missing. */
  readonly mapper: DynamicMapper;
  /** The access that was found. */
  readonly access: ClusterAccess;
  /** Sends any request, with credentials, retries and metrics. */
  readonly transport: Transport;
  /** Opens a WebSocket to the same cluster as the same user. */
  readonly webSocket: WebSocketConnect;
  readonly runtime: Runtime;
  /**
   * Closes all connections, including forwarded ports, and resolves when all are closed. Pending requests fail with a
   * `TransportError` with reason "closed". Safe to call twice.
   */
  close(): Promise<void>;
}

/**
 * Connects to the cluster that kubectl or a pod would reach from here. Sends nothing before the first request.
 *
 *     await using cluster = await connect();
 *     for await (const pod of cluster.client.listAll(Pod)) console.log(pod.metadata.name);
 *
 * Rejects with a `KubeconfigError` that names file, entry and fix if no cluster is found; with `TypeError` for
 * contradicting options.
 */
export async function connect(options: ConnectOptions = {}): Promise<Connection> {
  const {
    userAgent = defaultUserAgent(),
    transport: settings = {},
    webSocket: webSocketSettings = {},
    runtime = nodeRuntime(),
    host = nodeHost(),
    sockets = realSockets,
    format = "protobuf",
    fieldManager,
    onWarning,
    ...choice
  } = options;
  const access = await chooseAccess(choice, { host, log: runtime.log });
  const { namespace } = access;
  const transport = clusterTransport(access, { ...settings, ...runtime, host, isPair: isKeyPair, connect: sockets.transport, userAgent });
  const life = new Lifetime();
  const webSocket = life.bind(sockets.webSocket({ ...transport.webSocket, ...webSocketSettings }));
  const cluster = createCluster({
    runtime,
    transport,
    namespace,
    format,
    ...definedOnly({ fieldManager, onWarning }),
  });
  const { client } = cluster;
  const discovery = new DiscoveryClient(transport, runtime);
  const mapper = new DynamicMapper(discovery, runtime);
  const close = async (): Promise<void> => {
    // Abort first, so that the closed sockets are not taken for failures.
    const over = life.end();
    transport.close();
    await over;
  };
  return {
    cluster,
    client,
    namespace,
    discovery,
    mapper,
    access,
    transport,
    webSocket,
    runtime,
    dynamic: async (what, wait = {}) => client.dynamic(await mappingOf(mapper, what, wait)),
    ...podStreams({ ...runtime, transport, connect: webSocket, namespace, life }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const realSockets: Sockets = { transport: nodeTransport, webSocket: nodeWebSocket };

function mappingOf(
  mapper: DynamicMapper,
  what: Parameters<Connection["dynamic"]>[0],
  wait: WaitOptions,
): ReturnType<DynamicMapper["mappingFor"]> {
  if (typeof what === "string") return mapper.mappingFor(what, wait);
  return mapper.restMapping(what, { ...wait, ...(what.version === undefined ? {} : { versions: [what.version] }) });
}
