/**
 * The standard transport to a cluster: wraps sockets with everything an access specifies, in client-go's order.
 *
 *     deadline → impersonation → user agent → credentials → unknown outcomes → retry → throttle → trace → metrics → clock skew → sockets
 */
import { definedOnly, Secret } from "@drover/machinery";
import type { Runtime, Transport } from "@drover/machinery";
import { noCredential } from "../auth/credential-source.ts";
import { credentialSource } from "../auth/credentials.ts";
import type { CredentialDeps } from "../auth/credentials.ts";
import { impersonate, impersonationHeaders } from "./impersonation.ts";
import type { PairCheck } from "../encoding/pem.ts";
import type { TransportTo } from "../auth/transport-to.ts";
import type { Host } from "../host.ts";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";
import { authenticate } from "./authenticate.ts";
import { clockSkew } from "./clock-skew.ts";
import { callDeadline } from "./deadline.ts";
import type { DialOptions } from "./dial-options.ts";
import type { NodeTransport } from "./node-transport.ts";
import type { NodeTransportOptions } from "./node-transport-options.ts";
import type { NodeWebSocketOptions } from "./node-web-socket.ts";
import { proxyFromRules } from "./proxy-target.ts";
import { requestMetrics } from "./request-metrics.ts";
import { retry } from "./retry.ts";
import type { RetryOptions } from "./retry.ts";
import { parseServerAddress } from "./server-address.ts";
import { throttle } from "./throttle.ts";
import { tlsSource } from "./tls-source.ts";
import type { TransportLimits } from "./transport-limits.ts";
import { trace } from "./trace.ts";
import type { TraceOptions } from "./trace.ts";
import { userAgent } from "./user-agent.ts";
import { wrap } from "./wrapper.ts";
import type { TransportWrapper } from "./wrapper.ts";
import { writeOutcome } from "./write-outcome.ts";

export interface ClusterTransportDeps extends Pick<Runtime, "clock" | "random" | "log" | "metrics"> {
  readonly host: Host;
  readonly isPair: PairCheck;
  /** Creates the innermost transport, with sockets: `nodeTransport`. */
  readonly connect: (options: NodeTransportOptions) => NodeTransport;
  /** Name of this program in the server's audit log; see `formatUserAgent`. */
  readonly userAgent: string;
  /** Limit for the whole of each call, retries and body included; streams have none. @default Infinity */
  readonly timeoutMs?: number;
  /** Client-side rate limit. @default none: the server has its own */
  readonly throttle?: { readonly qps: number; readonly burst: number };
  /** How requests are retried. @default as `retry` does */
  readonly retry?: Pick<RetryOptions, "retriesMax" | "waitMaxMs" | "lostConnectionWaitMs">;
  /** Called for every attempt. @default no callback */
  readonly onRequest?: TraceOptions["onRequest"];
  /** Records durations, sizes and retries as well as counts. @default false */
  readonly detailedMetrics?: boolean;
  /** Whether to offer HTTP/2 to servers with TLS; see `NodeTransportOptions.http2`. @default false */
  readonly http2?: boolean;
  /** Timeouts and limits of connections. @default those of `nodeTransport` */
  readonly limits?: TransportLimits & Pick<DialOptions, "lookup" | "addressTimeoutMs">;
  /** Innermost wrappers, around the sockets. @default none */
  readonly wrappers?: readonly TransportWrapper[];
  /** Options for credentials. @default those of `credentialSource` */
  readonly credentials?: Pick<CredentialDeps, "tokenFile" | "exec" | "oidc">;
}

/**
 * A transport, and the options for WebSockets of the same user to the same cluster: `nodeWebSocket(transport.webSocket)`.
 * Both share their credentials.
 */
export type ClusterTransport = NodeTransport & { readonly webSocket: NodeWebSocketOptions };

/**
 * Returns a transport to a cluster as a user. Always uses the `proxyUrl` of the access; without one, the host's
 * `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` decide. Throws for an invalid address, proxy or set of credentials; opens no
 * connection by itself.
 */
export function clusterTransport(access: ClusterAccess, deps: ClusterTransportDeps): ClusterTransport {
  const { clock, random, log, metrics } = deps;
  const server = parseServerAddress(access.server);
  const source = credentialSource(access.credentials, { ...deps, ...deps.credentials, transportTo: transportTo(deps) });
  const tls = tlsSource(access, source, deps);
  const place = { ...wayOf(deps.limits), server: access.server, tls, clock, ...proxyOf(access, deps.host) };
  const base = deps.connect({
    ...deps.limits,
    ...place,
    log,
    random: random.stream("connections"),
    ...definedOnly({ disableCompression: access.disableCompression, http2: deps.http2 }),
  });
  const measure = deps.detailedMetrics === true ? { measure: { metrics, host: server.authority } } : {};
  const stack: readonly (TransportWrapper | undefined)[] = [
    callDeadline({ clock, timeoutMs: deps.timeoutMs ?? Infinity }),
    access.impersonate === undefined ? undefined : impersonate(access.impersonate),
    userAgent(deps.userAgent),
    authenticate(source, access.credentials.clientCertificate === undefined ? {} : { tls }),
    writeOutcome(),
    retry({ clock, random: random.stream("retry"), log, ...deps.retry }),
    deps.throttle === undefined ? undefined : throttle({ clock, log, ...deps.throttle, ...measure }),
    deps.onRequest === undefined ? undefined : trace({ clock, onRequest: deps.onRequest }),
    requestMetrics({ clock, metrics, host: server.authority, detailed: deps.detailedMetrics ?? false }),
    clockSkew({ clock, log, host: server.authority }),
    ...(deps.wrappers ?? []),
  ];
  const transport = wrap(base, ...stack.filter((wrapper) => wrapper !== undefined));
  const headers = { ...(access.impersonate === undefined ? {} : impersonationHeaders(access.impersonate)), "user-agent": deps.userAgent };
  return Object.assign((request: Parameters<Transport>[0]) => transport(request), {
    close: base.close,
    webSocket: { ...place, credentials: source, headers },
  });
}

/** Name resolution, which WebSockets use as well. */
function wayOf({ lookup, addressTimeoutMs }: Pick<DialOptions, "lookup" | "addressTimeoutMs"> = {}): Pick<
  DialOptions,
  "lookup" | "addressTimeoutMs"
> {
  return definedOnly({ lookup, addressTimeoutMs });
}

function proxyOf(
  { server, proxyUrl }: Pick<ClusterAccess, "server" | "proxyUrl">,
  { env }: Pick<Host, "env">,
): { readonly proxyUrl?: Secret } {
  if (proxyUrl !== undefined) return { proxyUrl };
  const variable = (name: string): string => env[name] ?? env[name.toLowerCase()] ?? "";
  const found = proxyFromRules(parseServerAddress(server), {
    httpsProxy: variable("HTTPS_PROXY"),
    httpProxy: variable("HTTP_PROXY"),
    noProxy: variable("NO_PROXY"),
  });
  return found === undefined ? {} : { proxyUrl: new Secret(found) };
}

/** Transport to token issuers: the same sockets and proxies, no credentials. */
function transportTo(deps: ClusterTransportDeps): TransportTo {
  return (origin, { trust }) => {
    const { clock, log, host, connect, limits } = deps;
    return connect({
      ...limits,
      server: origin,
      tls: tlsSource({ trust, credentials: {} }, noCredential, deps),
      clock,
      log,
      ...proxyOf({ server: origin }, host),
    });
  };
}
