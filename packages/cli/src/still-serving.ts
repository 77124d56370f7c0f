/**
 * Finds out whether the server that a kubeconfig describes still runs. A process id does not tell: after `kill -9` the
 * system gives it to another program. Its port does: only that server has a certificate of the file's authority, which
 * is new at every start.
 */
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { connect } from "node:tls";

/** Server and authority of a kubeconfig. */
export interface ServerAddress {
  /** "https://127.0.0.1:40123" */
  readonly url: string;
  /** CA of the server's certificate, PEM. */
  readonly authorityPem: string;
}

/** Milliseconds for an answer from this machine. */
const patienceMs = 3000;

/**
 * "no": nothing listens there, or another program. "elsewhere": the address is not one of this machine, and no
 * connection was tried. A server that accepts the connection and does not answer counts as running. Never rejects.
 */
export async function stillServing({ url, authorityPem }: ServerAddress): Promise<"yes" | "no" | "elsewhere"> {
  const place = URL.canParse(url) ? new URL(url) : undefined;
  const host = place?.hostname.replace(/^\[(.*)\]$/, "$1") ?? "";
  if (place === undefined || place.port === "" || !isLocal(host)) return "elsewhere";
  return await new Promise((resolve) => {
    try {
      const socket = connect({
        host,
        port: Number(place.port),
        ca: authorityPem,
        checkServerIdentity: () => undefined,
        timeout: patienceMs,
      });
      const end = (answer: "yes" | "no"): void => {
        resolve(answer);
        socket.destroy();
      };
      socket.once("secureConnect", () => end("yes"));
      socket.once("timeout", () => end("yes"));
      socket.on("error", () => end("no"));
      socket.once("close", () => end("no"));
    } catch {
      // No certificate: no server has one of its authority.
      resolve("no");
    }
  });
}

function isLocal(host: string): boolean {
  if (isIP(host) === 0) return false;
  if (host.startsWith("127.") || host === "::1") return true;
  return Object.values(networkInterfaces()).some((list = []) => list.some(({ address }) => address === host));
}
