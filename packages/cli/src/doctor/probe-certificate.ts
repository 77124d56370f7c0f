/**
 * The certificate that a server presents, of any authority. Sends nothing after the handshake.
 *
 *     host, port → probeCertificate → validity and issuer
 */
import { connect } from "node:tls";

/** Facts of a certificate. */
export interface PresentedCertificate {
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  /** Name of the authority. */
  readonly issuer: string;
}

/** Resolves with undefined if there is no TLS server, or not within the time. Never rejects. */
export async function probeCertificate(server: string, timeoutMs: number): Promise<PresentedCertificate | undefined> {
  const { protocol, hostname, port } = new URL(server);
  if (protocol !== "https:") return undefined;
  const host = hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve) => {
    // Reads the certificate only: requests go through a connection that verifies it.
    const socket = connect({ host, port: Number(port || 443), rejectUnauthorized: false, timeout: timeoutMs, ...nameOf(host) });
    const end = (found?: PresentedCertificate): void => {
      clearTimeout(late);
      socket.destroy();
      resolve(found);
    };
    const late = setTimeout(end, timeoutMs);
    socket.once("error", () => end());
    socket.once("timeout", () => end());
    socket.once("secureConnect", () => {
      const { valid_from: from, valid_to: to, issuer } = socket.getPeerCertificate();
      end(
        from === undefined
          ? undefined
          : { notBeforeMs: Date.parse(from), notAfterMs: Date.parse(to), issuer: issuer?.CN ?? issuer?.O ?? "unnamed" },
      );
    });
  });
}

/** Names of hosts are sent for servers with several certificates; addresses must not be. */
const nameOf = (host: string): { readonly servername?: string } => (/^[\d.]+$|:/.test(host) ? {} : { servername: host });
