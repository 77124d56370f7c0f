/** Names and addresses of a server: its certificate contains them, and it answers to no others. */
import { isIPv6 } from "node:net";
import { hostname, networkInterfaces } from "node:os";

/** Names and addresses of a server. */
export interface ServerNames {
  readonly dnsNames: readonly string[];
  readonly ips: readonly string[];
  /** Host part of the URL for programs on this machine. */
  readonly local: string;
}

/** Names by which Pods reach the server in every cluster. */
const inCluster: readonly string[] = ["kubernetes", "kubernetes.default", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local"];
const loopback: readonly string[] = ["127.0.0.1", "::1"];

/** Returns the names for a listen address; for all addresses, those of this machine. */
export function serverNames(host: string): ServerNames {
  const everywhere = host === "0.0.0.0" || host === "::";
  const addresses = everywhere ? Object.values(networkInterfaces()).flatMap((list = []) => list.map(({ address }) => address)) : [host];
  const local = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return {
    dnsNames: [...new Set(["localhost", ...(everywhere ? [hostname()] : []), ...inCluster])],
    ips: [...new Set([...loopback, ...addresses])],
    local: isIPv6(local) ? `[${local}]` : local,
  };
}
