/**
 * Opens a connection to a cluster. Imported by the first call of `connect`.
 *
 *     openConnection → chooseAccess → clusterTransport, nodeWebSocket → Connection
 */
import { createHash } from "node:crypto";
import { setMaxListeners } from "node:events";
import { createCluster } from "@drover/cache";
import type { ClusterAccess, ClusterTransport } from "@drover/client";
import { DiscoveryClient, DynamicMapper, clusterTransport, nodeTransport, nodeWebSocket } from "@drover/client";
import { definedOnly } from "@drover/machinery";
import type { WaitOptions } from "@drover/machinery";
import { chooseAccess } from "./choose-access.ts";
import type { Connection, ConnectOptions, Sockets } from "./connection.ts";
import { offersHttp2 } from "./http2-choice.ts";
import { isKeyPair } from "./key-pair.ts";
import { Lifetime } from "./lifetime.ts";
import { podStreams } from "./pod-streams.ts";
import { defaultUserAgent } from "./program-name.ts";

/** Finds the cluster and creates the connection; see `connect`. */
export async function openConnection(options: ConnectOptions & Required<Pick<ConnectOptions, "runtime" | "host">>): Promise<Connection> {
  const {
    userAgent = defaultUserAgent(),
    transport: settings = {},
    webSocket: webSocketSettings = {},
    runtime,
    host,
    sockets = realSockets,
    format = "protobuf",
    fieldManager,
    onWarning,
    snapshot,
    ...choice
  } = options;
  const access = await chooseAccess(choice, { host, log: runtime.log });
  const { namespace } = access;
  const transport = manyListeners(
    clusterTransport(access, {
      ...settings,
      http2: offersHttp2(settings.http2, host),
      ...runtime,
      host,
      isPair: isKeyPair,
      connect: sockets.transport,
      userAgent,
    }),
  );
  const life = new Lifetime();
  const webSocket = life.bind(sockets.webSocket({ ...transport.webSocket, ...webSocketSettings }));
  const cluster = createCluster({
    runtime,
    transport,
    namespace,
    format,
    ...definedOnly({ fieldManager, onWarning }),
    ...(snapshot === undefined ? {} : { snapshot: { server: addressOf(access), ...snapshot } }),
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

/** One signal may end a thousand requests; Node would report the eleventh that waits for its credentials as a leak. */
function manyListeners(transport: ClusterTransport): ClusterTransport {
  const { close, webSocket } = transport;
  return Object.assign(
    (request: Parameters<ClusterTransport>[0]) => {
      if (request.signal !== undefined) setMaxListeners(0, request.signal);
      return transport(request);
    },
    { close, webSocket },
  );
}

/** Returns the URL and a hash of the certificate authority, or its file: two clusters at one address have different ones. */
function addressOf({ server, trust: { ca } }: ClusterAccess): string {
  const authority = ca === undefined ? "" : ca.kind === "file" ? ca.path : createHash("sha256").update(ca.pem).digest("hex");
  return `${server} ${authority}`;
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
