/**
 * Serves a `Transport` per connection over TCP or TLS, with HTTP/1.1 or HTTP/2.
 *
 *     socket → Peer → connection(peer) → Transport;   request → HttpRequest → Transport → HttpResponse → socket
 *
 * The TLS handshake chooses the protocol (ALPN). A connection that asks for nothing, and every one without TLS, has HTTP/1.1.
 */
import { createServer } from "node:http";
import type { Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { Exchanges } from "./exchanges.ts";
import { Http1Front } from "./http1-front.ts";
import { Http2Front } from "./http2-front.ts";
import type { ListenLimits } from "./listen-limits.ts";
import type { ListenOptions } from "./listen-options.ts";

export interface Listener {
  readonly host: string;
  readonly port: number;
  /** "https://127.0.0.1:40123" */
  readonly url: string;
  /**
   * Serves until the signal aborts, and resolves when the last connection is closed. On abort it stops accepting connections,
   * aborts the signals of streams, lets other requests finish, and closes what is left after the grace period.
   */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** When a connection or a request began last, by `clock.monotonic()`; -Infinity before the first. */
  readonly heardMs: () => number;
}

/** Opens the port and starts to serve. Rejects when the port is not available. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { host = "127.0.0.1", port = 0 } = options;
  const front = new Front(options);
  const { server } = front;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const bound = server.address() as AddressInfo;
  const name = bound.family === "IPv6" ? `[${bound.address}]` : bound.address;
  return {
    host: bound.address,
    port: bound.port,
    url: `${options.tls === "none" ? "http" : "https"}://${name}:${bound.port}`,
    run: (signal) => front.run(signal),
    heardMs: () => front.heardMs,
  };
}

/** All connections of one port. */
class Front {
  readonly server: Server;
  readonly #exchanges: Exchanges;
  readonly #http2: Http2Front;

  constructor(options: ListenOptions) {
    this.#exchanges = new Exchanges({ ...options, nextTurn: setImmediate });
    this.#http2 = new Http2Front(this.#exchanges);
    this.server = openServer(options, this.#exchanges.limits);
    this.server.on("connection", () => this.#exchanges.hear());
    new Http1Front(this.server, this.#exchanges).open();
    divert(this.server, this.#http2);
  }

  get heardMs(): number {
    return this.#exchanges.heardMs;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { server } = this;
    const exchanges = this.#exchanges;
    await new Promise<void>((resolve, reject) => {
      server.on("error", reject);
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
    exchanges.end();
    this.#http2.close();
    let cancel: () => void = () => undefined;
    const graceOver = new Promise<void>((resolve) => {
      cancel = exchanges.options.clock.timer(exchanges.limits.graceMs, () => {
        server.closeAllConnections();
        this.#http2.destroy();
        resolve();
      });
    });
    await closed;
    await Promise.race([exchanges.settled(), graceOver]);
    cancel();
    exchanges.close();
  }
}

/** Passes the TLS connections that negotiated HTTP/2 on, and leaves the others to Node's HTTP/1.1 server. */
function divert(server: Server, http2: Http2Front): void {
  const serveHttp1 = server.listeners("secureConnection");
  server.removeAllListeners("secureConnection");
  server.on("secureConnection", (socket: TLSSocket) => {
    if (socket.alpnProtocol === "h2") return http2.accept(socket);
    for (const listener of serveHttp1) Reflect.apply(listener, server, [socket]);
  });
}

function openServer({ tls, http2 = true }: ListenOptions, limits: Required<ListenLimits>): Server {
  const http = {
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.timeoutCheckMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    noDelay: true,
  };
  const server =
    tls === "none"
      ? createServer(http)
      : createTlsServer({
          ...http,
          cert: tls.certificatePem,
          key: tls.privateKeyPem,
          minVersion: tls.minVersion ?? "TLSv1.2",
          ALPNProtocols: http2 ? ["h2", "http/1.1"] : ["http/1.1"],
          handshakeTimeout: limits.handshakeTimeoutMs,
          // An invalid certificate is answered with a 401 instead of a failed handshake.
          // As in Go, an intermediate authority needs no other above it.
          ...(tls.clientAuthorityPem === undefined
            ? {}
            : { ca: tls.clientAuthorityPem, allowPartialTrustChain: true, requestCert: true, rejectUnauthorized: false }),
        });
  // Node would silently drop headers beyond its own limit; `headersMax` and the head size bound them here.
  server.maxHeadersCount = 0;
  server.maxConnections = limits.connectionsMax;
  return server;
}
