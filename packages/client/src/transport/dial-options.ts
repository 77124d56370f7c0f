/**
 * Options for opening connections; a separate file, so that it can be imported without sockets.
 */
import type { Secret } from "@drover/machinery";

export interface DialOptions {
  /** `http:`, `https:` or `socks5:` URL, may include user name and password. @default none */
  readonly proxyUrl?: string | Secret;
  /** Servers to reach without the proxy, in the form of `NO_PROXY`. @default none */
  readonly noProxy?: string;
  /** Resolves a name to addresses, in the order to try them; called for every new connection. @default the system's resolver */
  readonly lookup?: (name: string) => Promise<readonly string[]>;
  /**
   * How long one of several addresses may take before the next is tried in parallel. Node's default of 250 ms is too short
   * for distant servers. @default 1 second
   */
  readonly addressTimeoutMs?: number;
}
