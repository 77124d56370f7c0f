/** A connection to a cluster, and the options that `connect` takes. */
import type { Cluster, SnapshotOptions } from "@drover/cache";
import type {
  Client,
  ClientOptions,
  ClusterAccess,
  ClusterTransportDeps,
  DiscoveryClient,
  DynamicClient,
  DynamicMapper,
  Host,
  NodeTransport,
  NodeTransportOptions,
  NodeWebSocketOptions,
  WebSocketConnect,
} from "@drover/client";
import type { GroupKind, Runtime, Transport, WaitOptions } from "@drover/machinery";
import type { ClusterChoice } from "./choose-access.ts";
import type { PodStreams } from "./pod-streams.ts";

/** Options of `connect`. */
export interface ConnectOptions extends ClusterChoice, Pick<ClientOptions, "fieldManager" | "onWarning"> {
  /** User agent, shown in the server's audit log: "shop-operator/1.0". @default from the file that Node was started with */
  readonly userAgent?: string;
  /**
   * Timeouts, retries, limits, throttling, tracing, additional wrappers, credential handling, and HTTP/2, which the environment variable
   * `DROVER_HTTP2=1` turns on for programs that do not choose. @default the defaults of `clusterTransport`
   */
  readonly transport?: Omit<ClusterTransportDeps, keyof Runtime | "host" | "isPair" | "connect" | "userAgent">;
  /** Ping interval and timeouts of the WebSockets of exec, attach and port-forward. @default the defaults of `nodeWebSocket` */
  readonly webSocket?: Pick<NodeWebSocketOptions, "connectTimeoutMs" | "pingIntervalMs" | "silenceTimeoutMs">;
  /** What informers request built-in kinds as. Objects are the same; other kinds are always JSON. @default "protobuf" */
  readonly format?: "protobuf" | "json";
  /**
   * Keeps snapshots of the caches, with which the next process starts instead of listing: `{ store: snapshotFolder("/var/cache/shop") }`.
   * @default no snapshots
   */
  readonly snapshot?: SnapshotOptions;
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
