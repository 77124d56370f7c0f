/** Serves a handler on a port with TLS, for webhooks: HTTP/1.1 on Node's server, with certificates that can be replaced. */
import { createServer } from "node:https";
import { createSecureContext } from "node:tls";
import type { ListenTls, ServingPair } from "@drover/controller";
import { nodeCrypto } from "@drover/machinery/node";
import { listenOn } from "./node-listener.ts";

const handshakeTimeoutMs = 10_000;
/** Timeout for receiving the request head, and for the whole request; the API server waits thirty seconds at most. */
const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
const idleTimeoutMs = 90_000;
/** An API server uses a few connections; each may have one request. */
const connectionsMax = 2000;

/**
 * Opens the port, for TLS 1.2 and later. At the end it accepts no connections, answers the open requests, and closes. Rejects with an error
 * that names the address and the fix if it cannot listen, if key and certificate do not belong together, or if there is no certificate
 * in `clientCaPem`.
 */
export const serveHttps: ListenTls = async (handler, address, { pair, bodyBytesMax, clientCaPem }) => {
  if (clientCaPem !== undefined) checkAuthorities(clientCaPem);
  const contextOf = (next: ServingPair): object => ({ ...checkedContext(next), ...(clientCaPem === undefined ? {} : { ca: clientCaPem }) });
  const server = createServer({
    ...contextOf(pair),
    requestCert: clientCaPem !== undefined,
    rejectUnauthorized: clientCaPem !== undefined,
    ALPNProtocols: ["http/1.1"],
    handshakeTimeout: handshakeTimeoutMs,
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: idleTimeoutMs,
    noDelay: true,
  });
  server.maxConnections = connectionsMax;
  const listening = await listenOn(server, handler, address, { bodyBytesMax, onEnd: "answer" });
  return { ...listening, use: (next) => server.setSecureContext(contextOf(next)) };
};

/** Throws unless the text has certificates and all of them can be read: Node skips what it cannot read. */
function checkAuthorities(pem: string): void {
  const certificates = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (certificates.length === 0)
    throw new Error(
      "clientCaPem has no certificate; it must be the PEM text of the authorities that issue the certificates of API servers",
    );
  for (const certificate of certificates) nodeCrypto.readCertificate(certificate);
}

/** Returns the options of a context. Throws if it cannot be made, so that a server never gets half of it. */
function checkedContext({ certificatePem, privateKeyPem }: ServingPair): { cert: string; key: string; minVersion: "TLSv1.2" } {
  const options = { cert: certificatePem, key: privateKeyPem, minVersion: "TLSv1.2" } as const;
  try {
    createSecureContext(options);
  } catch (error) {
    throw new Error("the certificate and the key of the server cannot be used; both must be PEM and belong together", { cause: error });
  }
  return options;
}
