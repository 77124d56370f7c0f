/**
 * Who is at the other end of a connection, as far as the connection itself knows. What the headers of a request claim
 * is for the authenticators.
 */

/** A certificate that was presented, and verified against the authority for clients. */
export interface PeerCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** The SHA-256 of the certificate, in hexadecimal. */
  readonly sha256: string;
}

export interface Peer {
  /** Whether the caller stands in the same process and holds the server itself, so that there is nobody to mistrust. */
  readonly inProcess: boolean;
  /** Whether nobody in between can read along. */
  readonly encrypted: boolean;
  /** Without a port; "" in the same process. */
  readonly remoteAddress: string;
  /** @default none was presented, or none that holds */
  readonly certificate?: PeerCertificate;
  /** Why the certificate that was presented does not hold. @default none was presented, or it holds */
  readonly certificateProblem?: string;
}

/** The peer of those who call the server as a function. */
export const inProcessPeer: Peer = { inProcess: true, encrypted: true, remoteAddress: "" };
