/**
 * The one call a program begins with: finds the cluster, logs in, and hands out everything that talks to it.
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

export interface ConnectOptions extends ClusterChoice, Pick<ClientOptions, "fieldManager" | "onWarning"> {
  /** What the server's audit log calls this program: "shop-operator/1.0". @default made from the file that Node was started with */
  readonly userAgent?: string;
  /**
   * Deadlines, retries, limits, throttling, tracing, further wrappers, and how credentials are looked after. @default
   * what `clusterTransport` does by itself
   */
  readonly transport?: Omit<ClusterTransportDeps, keyof Runtime | "host" | "isPair" | "connect" | "userAgent">;
  /**
   * How often pings are sent over the WebSockets of exec, attach and port-forward, and how long their absence is borne.
   * @default what `nodeWebSocket` does by itself
   */
  readonly webSocket?: Pick<NodeWebSocketOptions, "connectTimeoutMs" | "pingIntervalMs" | "silenceTimeoutMs">;
  /** Clock, chance, log and metrics. @default `nodeRuntime()`: the real ones, the log on the standard error from level "info" on */
  readonly runtime?: Runtime;
  /** Environment, files and programs. @default `nodeHost()`: the real ones */
  readonly host?: Host;
  /** What opens connections; a test hands in its own. @default `nodeTransport` and `nodeWebSocket` */
  readonly sockets?: Sockets;
}

/** The two ends that touch the network. */
export interface Sockets {
  readonly transport: (options: NodeTransportOptions) => NodeTransport;
  readonly webSocket: (options: NodeWebSocketOptions) => WebSocketConnect;
}

/** A cluster, as one user. All parts share their connections and their credentials. `await using` closes it at the end of the block. */
export interface Connection extends PodStreams, AsyncDisposable {
  /** The shared caches of this connection: informers of all vocabularies that use it share their watches. */
  readonly cluster: Cluster;
  /** Typed verbs for every kind; `client.dynamic` and `client.metadata` are its other two views. */
  readonly client: Client;
  /** Where namespaced requests go that name no namespace. */
  readonly namespace: string;
  /**
   * The client of whatever a word means to the server: "deploy", "deployments", "Deployment", "deployments.v1.apps"; or
   * of a group and kind. A kind that was
   * defined a moment ago is found. Rejects with a `NoResourceMatchError` or a `NoKindMatchError`.
   */
  dynamic(what: string | (GroupKind & { readonly version?: string }), options?: WaitOptions): Promise<DynamicClient>;
  /** Which kinds the server has, and in which versions. */
  readonly discovery: DiscoveryClient;
  /** From kinds and words to resources; remembers, and looks again when something is missing. */
  readonly mapper: DynamicMapper;
  /** The way to the cluster that was found. */
  readonly access: ClusterAccess;
  /** Any request, with credentials, retries and metrics around it. */
  readonly transport: Transport;
  /** Any WebSocket to the same cluster as the same user. */
  readonly webSocket: WebSocketConnect;
  readonly runtime: Runtime;
  /**
   * Destroys every connection, forwarded ports included, and resolves when all are over; whatever is under way fails,
   * with a `TransportError` of reason "closed" behind it. Doing it twice does no harm.
   */
  close(): Promise<void>;
}

/**
 * A connection to the cluster that kubectl or a controller would reach from here. Nothing is sent before the first request.
 *
 *     await using cluster = await connect();
 *     for await (const pod of cluster.client.listAll(Pod)) console.log(pod.metadata.name);
 *
 * Rejects with a `KubeconfigError` that names file, entry and fix when no cluster can be found; with a `TypeError` for
 * options that contradict each other.
 */
export async function connect(options: ConnectOptions = {}): Promise<Connection> {
  const {
    userAgent = defaultUserAgent(),
    transport: settings = {},
    webSocket: webSocketSettings = {},
    runtime = nodeRuntime(),
    host = nodeHost(),
    sockets = realSockets,
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
    ...(fieldManager === undefined ? {} : { fieldManager }),
    ...(onWarning === undefined ? {} : { onWarning }),
  });
  const { client } = cluster;
  const discovery = new DiscoveryClient(transport, runtime);
  const mapper = new DynamicMapper(discovery, runtime);
  const close = async (): Promise<void> => {
    // First the signal, so that nobody takes what breaks next for an accident.
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
