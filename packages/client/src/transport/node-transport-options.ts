/** Options of `nodeTransport`; a separate file, so that they can be imported without sockets. */
import type { Clock, Log, Random } from "@drover/machinery";
import type { DialOptions } from "./dial-options.ts";
import type { TlsSource } from "./tls-settings.ts";
import type { TransportLimits } from "./transport-limits.ts";

export interface NodeTransportOptions extends DialOptions, TransportLimits {
  /** URL of the server: scheme, host, port and a path that prefixes every request path. */
  readonly server: string;
  /** Called before every request; a new generation opens new connections. */
  readonly tls: TlsSource;
  readonly clock: Clock;
  readonly log: Log;
  /** Adds jitter to the maximum age of connections, so that many clients do not reconnect at the same time. @default no jitter */
  readonly random?: Random;
  /** Never requests gzip. @default false */
  readonly disableCompression?: boolean;
  /**
   * Whether to offer HTTP/2 to a server with TLS: all requests and watches then share one connection. A server that does not speak it
   * gets HTTP/1.1. @default false: HTTP/1.1 needs less processor time for each request
   */
  readonly http2?: boolean;
}
