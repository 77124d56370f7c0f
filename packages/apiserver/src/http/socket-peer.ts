/** The peer of a connection: its address, and who its client certificate says it is. */
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Peer, PeerCertificate } from "../access/peer.ts";

export function peerOf(socket: Socket): Peer {
  const remoteAddress = socket.remoteAddress ?? "";
  if (!(socket instanceof TLSSocket)) return { inProcess: false, encrypted: false, remoteAddress };
  return { inProcess: false, encrypted: true, remoteAddress, ...certificateOf(socket) };
}

function certificateOf(socket: TLSSocket): Pick<Peer, "certificate" | "certificateProblem"> {
  const presented = socket.getPeerCertificate();
  // Node returns an empty object without a certificate.
  if (!Object.hasOwn(presented, "subject")) return {};
  if (!socket.authorized) return { certificateProblem: `x509: ${String(socket.authorizationError)}` };
  const { CN, O } = presented.subject as { readonly CN?: string | readonly string[]; readonly O?: string | readonly string[] };
  const certificate: PeerCertificate = {
    commonName: [CN ?? []].flat().at(-1) ?? "",
    organizations: [O ?? []].flat(),
    sha256: presented.fingerprint256.replaceAll(":", "").toLowerCase(),
  };
  return { certificate };
}
