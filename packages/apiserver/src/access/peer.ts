/** The other end of a connection, as far as the connection itself knows it. Headers are for the authenticators. */
import type { User } from "./user.ts";

/** A client certificate that was verified against the client CA. */
export interface PeerCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** SHA-256 of the certificate in hexadecimal. */
  readonly sha256: string;
}

export interface Peer {
  /** Whether the caller is in the same process and therefore trusted. */
  readonly inProcess: boolean;
  /** The user of a caller in the same process. @default `system:admin` */
  readonly user?: User;
  /** Whether the connection is encrypted. */
  readonly encrypted: boolean;
  /** Without a port; "" for a caller in the same process. */
  readonly remoteAddress: string;
  /** @default no valid certificate */
  readonly certificate?: PeerCertificate;
  /** Why the presented certificate is invalid. @default no certificate, or a valid one */
  readonly certificateProblem?: string;
}

/** The peer of callers in the same process. */
export const inProcessPeer: Peer = { inProcess: true, encrypted: true, remoteAddress: "" };
