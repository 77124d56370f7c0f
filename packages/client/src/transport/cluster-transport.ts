/**
 * The standard way to a cluster: everything an access says, put around sockets in the order client-go uses.
 *
 *     deadline → impersonation → user agent → credentials → unknown outcomes → retry → throttle → trace → metrics → sockets
 */
import type { Runtime, Transport } from "@drover/machinery";
import { credentialSource } from "../auth/credentials.ts";
import type { CredentialDeps } from "../auth/credentials.ts";
import { impersonate } from "../auth/impersonation.ts";
import type { PairCheck } from "../auth/pem.ts";
import type { TransportTo } from "../auth/transport-to.ts";
import type { Host } from "../host.ts";
import type { ClusterAccess } from "../kubeconfig/cluster-access.ts";
import { authenticate } from "./authenticate.ts";
import { callDeadline } from "./deadline.ts";
import type { NodeTransport, NodeTransportOptions } from "./node-transport.ts";
import { proxyFromRules } from "./proxy-target.ts";
import { requestMetrics } from "./request-metrics.ts";
import { retry } from "./retry.ts";
import type { RetryOptions } from "./retry.ts";
import { parseServerUrl } from "./server-url.ts";
import { throttle } from "./throttle.ts";
import { tlsSource } from "./tls-source.ts";
import { trace } from "./trace.ts";
import type { TraceOptions } from "./trace.ts";
import { userAgent } from "./user-agent.ts";
import { wrap } from "./wrapper.ts";
import type { TransportWrapper } from "./wrapper.ts";
import { writeOutcome } from "./write-outcome.ts";

export interface ClusterTransportDeps extends Pick<Runtime, "clock" | "random" | "log" | "metrics"> {
  readonly host: Host;
  readonly isPair: PairCheck;
  /** Makes the end that has sockets: `nodeTransport`. */
  readonly connect: (options: NodeTransportOptions) => NodeTransport;
  /** What the server's audit log calls this program; see `formatUserAgent`. */
  readonly userAgent: string;
  /** A limit on the whole of each call, retries and body included; streams have none. @default Infinity */
  readonly timeoutMs?: number;
  /** Holds requests back on our side. @default not at all: the server defends itself */
  readonly throttle?: { readonly qps: number; readonly burst: number };
  /** How requests are repeated. @default as `retry` does */
  readonly retry?: Pick<RetryOptions, "retriesMax" | "waitMaxMs" | "lostConnectionWaitMs">;
  /** Is told of every attempt. @default nobody is */
  readonly onRequest?: TraceOptions["onRequest"];
  /** Durations, sizes and retries as well as counts. @default false */
  readonly detailedMetrics?: boolean;
  /** Timeouts and bounds of connections. @default those of `nodeTransport` */
  readonly limits?: Omit<NodeTransportOptions, "server" | "tls" | "clock" | "log" | "proxyUrl" | "noProxy" | "disableCompression">;
  /** Put innermost, around the sockets. @default none */
  readonly wrappers?: readonly TransportWrapper[];
  /** How credentials are looked after. @default those of `credentialSource` */
  readonly credentials?: Pick<CredentialDeps, "tokenFile" | "exec" | "oidc">;
}

/**
 * A transport to a cluster as a user. A `proxyUrl` of the access is always used; without one the host's `HTTPS_PROXY`, `HTTP_PROXY` and
 * `NO_PROXY` decide. Throws what a wrong address, proxy or set of credentials throws; opens no connection by itself.
 */
export function clusterTransport(access: ClusterAccess, deps: ClusterTransportDeps): NodeTransport {
  const { clock, random, log, metrics } = deps;
  const server = parseServerUrl(access.server);
  const source = credentialSource(access.credentials, { ...deps, ...deps.credentials, transportTo: transportTo(deps) });
  const base = deps.connect({ ...deps.limits, server: access.server, tls: tlsSource(access, source, deps), clock, log, ...proxyOf(access, deps.host), ...(access.disableCompression === undefined ? {} : { disableCompression: access.disableCompression }) });
  const measure = deps.detailedMetrics === true ? { measure: { metrics, host: server.authority } } : {};
  const stack: readonly (TransportWrapper | undefined)[] = [
    callDeadline({ clock, timeoutMs: deps.timeoutMs ?? Infinity }),
    access.impersonate === undefined ? undefined : impersonate(access.impersonate),
    userAgent(deps.userAgent),
    authenticate(source),
    writeOutcome(),
    retry({ clock, random: random.stream("retry"), log, ...deps.retry }),
    deps.throttle === undefined ? undefined : throttle({ clock, log, ...deps.throttle, ...measure }),
    deps.onRequest === undefined ? undefined : trace({ clock, onRequest: deps.onRequest }),
    requestMetrics({ clock, metrics, host: server.authority, detailed: deps.detailedMetrics ?? false }),
    ...(deps.wrappers ?? []),
  ];
  const transport = wrap(base, ...stack.filter((wrapper) => wrapper !== undefined));
  return Object.assign((request: Parameters<Transport>[0]) => transport(request), { close: base.close });
}

function proxyOf({ server, proxyUrl }: Pick<ClusterAccess, "server" | "proxyUrl">, { env }: Pick<Host, "env">): { readonly proxyUrl?: string } {
  if (proxyUrl !== undefined) return { proxyUrl };
  const variable = (name: string): string => env[name] ?? env[name.toLowerCase()] ?? "";
  const found = proxyFromRules(parseServerUrl(server), { httpsProxy: variable("HTTPS_PROXY"), httpProxy: variable("HTTP_PROXY"), noProxy: variable("NO_PROXY") });
  return found === undefined ? {} : { proxyUrl: found };
}

/** The way to issuers of tokens: the same sockets and proxies, no credentials. */
function transportTo(deps: ClusterTransportDeps): TransportTo {
  const nobody = { header: () => Promise.resolve(undefined), refused: () => Promise.resolve(false) };
  return (origin, { trust }) => {
    const { clock, log, host, connect, limits } = deps;
    return connect({ ...limits, server: origin, tls: tlsSource({ trust, credentials: {} }, nobody, deps), clock, log, ...proxyOf({ server: origin }, host) });
  };
}
