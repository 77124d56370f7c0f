/** Options of a listener; a separate file, so that its parts can import them. */
import type { Clock, Log, Metrics, Transport } from "@drover/machinery";
import type { Peer } from "../access/peer.ts";
import type { HostGuardOptions } from "./host-guard.ts";
import type { ListenLimits } from "./listen-limits.ts";

/** Certificate of the server, and the CA of its clients. All PEM. */
export interface ListenerTls {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
  /** CA that signs client certificates. @default no client certificates */
  readonly clientAuthorityPem?: string;
  /** The oldest version of TLS that clients may use. @default "TLSv1.2" */
  readonly minVersion?: "TLSv1.2" | "TLSv1.3";
}

export interface ListenOptions extends HostGuardOptions {
  /** Called once per connection; returns the transport for its requests. */
  readonly connection: (peer: Peer) => Transport;
  /** "none" is for tests: the connection is not encrypted. */
  readonly tls: ListenerTls | "none";
  readonly clock: Clock;
  readonly log: Log;
  /** Counts requests that block the event loop. @default not counted */
  readonly metrics?: Metrics;
  /** Address to listen on. @default "127.0.0.1" */
  readonly host?: string;
  /** @default 0, any free port */
  readonly port?: number;
  /** Offers HTTP/2 besides HTTP/1.1 in the TLS handshake. Without TLS only HTTP/1.1 is served. @default true */
  readonly http2?: boolean;
  /** @default the defaults of `ListenLimits` */
  readonly limits?: ListenLimits;
}
