/** How connections are made, for whoever makes them: it stands apart from the sockets so that it can be spoken of without them. */
import type { Secret } from "@drover/machinery";

export interface DialOptions {
  /** `http:`, `https:` or `socks5:`, with user and password if it wants them. @default none */
  readonly proxyUrl?: string | Secret;
  /** Servers that are reached without the proxy, in the form of `NO_PROXY`. @default none */
  readonly noProxy?: string;
  /** The addresses of a name, those to be tried first in front; asked for every new connection. @default as the system finds them */
  readonly lookup?: (name: string) => Promise<readonly string[]>;
  /**
   * How long one address of several may take before the next is tried as well. Node's own 250 ms are too short for
   * far-away servers. @default 1 second
   */
  readonly addressTimeoutMs?: number;
}
