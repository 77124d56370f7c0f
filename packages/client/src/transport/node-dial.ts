/**
 * Opens connections: TCP, through a proxy if configured, and TLS on top. The only place of this package that does; the
 * caller's signal sets the deadline.
 *
 *     node-transport.ts, node-web-socket.ts → dialler → TCP → proxy → TLS → a socket that is ready
 */
import { definedOnly, errorText, isError } from "@drover/machinery";
import { connect as connectTcp, isIP } from "node:net";
import type { LookupFunction, Socket } from "node:net";
import { checkServerIdentity, connect as connectTls, createSecureContext } from "node:tls";
import type { SecureContext } from "node:tls";
import type { DialOptions } from "./dial-options.ts";
import { connectStart, connectStep } from "./http-connect-state.ts";
import { matchesNoProxy, proxyTarget } from "./proxy-target.ts";
import type { ProxyTarget } from "./proxy-target.ts";
import type { ServerAddress } from "./server-address.ts";
import { socks5Start, socks5Step } from "./socks5-state.ts";
import type { TlsSettings } from "./tls-settings.ts";
import { TransportError, classifyError } from "./transport-error.ts";

/** Opens connections to one server. */
export interface Dialler {
  /** For messages: "", or " through the proxy proxy.example:3128". */
  readonly through: string;
  /**
   * Connects. Rejects with the signal's reason, or with a `TransportError` with `sent: "no"`, and leaves no socket open. The
   * caller owns the socket; an error on it does not end the process.
   */
  readonly dial: (settings: TlsSettings, signal: AbortSignal) => Promise<Socket>;
}

/** Idle time after which the system sends TCP keep-alive probes: a dead peer is detected in about 40 seconds. */
export const tcpKeepAliveMs = 30_000;

interface Way {
  readonly server: ServerAddress;
  readonly proxy: ProxyTarget | undefined;
  readonly protocols: readonly string[];
  readonly addressTimeoutMs: number;
  readonly lookup: { readonly lookup?: LookupFunction };
}

/**
 * Returns a dialler for a server, directly or through a proxy. Throws a `TypeError` for an invalid proxy URL. Guarantees TLS
 * 1.2 or later.
 */
export function dialler(
  server: ServerAddress,
  { proxyUrl, noProxy = "", lookup, addressTimeoutMs = 1000 }: DialOptions,
  /** For ALPN, the preferred one first. */
  protocols: readonly string[] = ["http/1.1"],
): Dialler {
  const proxy = proxyUrl === undefined || matchesNoProxy(server, noProxy) ? undefined : proxyTarget(proxyUrl);
  const way: Way = { server, proxy, protocols, addressTimeoutMs, lookup: lookup === undefined ? {} : { lookup: nodeLookup(lookup) } };
  // Parsing certificates is slow, and unchanged settings are the same object.
  let last: { readonly settings: TlsSettings; readonly context: SecureContext } | undefined;
  const contextOf = (settings: TlsSettings): SecureContext => {
    if (last?.settings !== settings) last = { settings, context: secureContext(server, settings) };
    return last.context;
  };
  return {
    through: proxy === undefined ? "" : ` through the proxy ${proxy.authority}`,
    dial: (settings, signal) => dial(way, settings, contextOf, signal),
  };
}

async function dial(
  way: Way,
  settings: TlsSettings,
  contextOf: (settings: TlsSettings) => SecureContext,
  signal: AbortSignal,
): Promise<Socket> {
  const { server, proxy, protocols } = way;
  const viaProxy = proxy === undefined ? undefined : `the proxy ${proxy.authority}`;
  let socket = await opened(tcp(way), "connect", server, viaProxy, signal);
  try {
    if (proxy !== undefined) {
      if (proxy.kind === "https")
        socket = await opened(
          secured(socket, proxy.host, { settings, context: contextOf(settings), protocols: ["http/1.1"] }),
          "secureConnect",
          server,
          viaProxy,
          signal,
        );
      await tunnel(socket, server, proxy, signal);
    }
    return server.secure
      ? await opened(
          secured(socket, settings.serverName ?? server.host, { settings, context: contextOf(settings), protocols }),
          "secureConnect",
          server,
          undefined,
          signal,
        )
      : socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function tcp({ server, proxy, lookup, addressTimeoutMs }: Way): Socket {
  const { host, port } = proxy ?? server;
  return connectTcp({
    host,
    port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: tcpKeepAliveMs,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: addressTimeoutMs,
    ...lookup,
  });
}

/** Node's form of a lookup function. Node asks for all addresses while it selects families, which it always does here. */
function nodeLookup(lookup: (name: string) => Promise<readonly string[]>): LookupFunction {
  return (name, _, callback) => {
    lookup(name).then(
      (found) =>
        callback(
          found.length === 0 ? Object.assign(new Error(`${name} has no address`), { code: "ENODATA" }) : null,
          found.map((address) => ({ address, family: isIP(address) })),
        ),
      (error: unknown) => callback(isError(error) ? error : new Error(errorText(error)), []),
    );
  };
}

function secureContext({ authority }: ServerAddress, { ca, certificate, key }: TlsSettings): SecureContext {
  try {
    return createSecureContext({
      minVersion: "TLSv1.2",
      // As in Go, any certificate of the bundle may be the trust anchor, not only a self-signed one.
      allowPartialTrustChain: true,
      ...definedOnly({ ca, cert: certificate, key: key?.reveal() }),
    });
  } catch (error) {
    const { code } = classifyError(error);
    throw new TransportError(
      `connect to ${authority}: certificate-authority, client-certificate or client-key cannot be used; they must be PEM, and certificate and key must match`,
      {
        reason: "tls",
        sent: "no",
        ...definedOnly({ code }),
        cause: error,
      },
    );
  }
}

interface Securing {
  readonly settings: TlsSettings;
  readonly context: SecureContext;
  readonly protocols: readonly string[];
}

function secured(socket: Socket, name: string, { settings: { insecure }, context, protocols }: Securing): Socket {
  return connectTls({
    socket,
    secureContext: context,
    rejectUnauthorized: !insecure,
    ALPNProtocols: [...protocols],
    // An IP address is not allowed as SNI, but the certificate must contain it.
    servername: isIP(name) === 0 ? name : "",
    checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
  });
}

/** Resolves with the socket on the event; destroys it on anything else. */
function opened(
  socket: Socket,
  event: "connect" | "secureConnect",
  { authority }: ServerAddress,
  peer: string | undefined,
  signal: AbortSignal,
): Promise<Socket> {
  // An error without a listener would end the process.
  socket.on("error", () => undefined);
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      socket.off(event, ready).off("error", fail).off("close", fail);
      signal.removeEventListener("abort", abort);
      act();
    };
    const giveUp = (error: unknown): void =>
      settle(() => {
        socket.destroy();
        reject(error);
      });
    const ready = (): void => settle(() => resolve(socket));
    const fail = (error: unknown): void => {
      const { reason, code, what } = classifyError(isError(error) ? error : Object.assign(new Error("closed"), { code: "ECONNRESET" }));
      const during = event === "secureConnect" && reason === "reset" ? " during the TLS handshake" : "";
      giveUp(
        new TransportError(`connect to ${authority}: ${peer ?? "it"} ${what}${during}`, {
          reason: peer === undefined ? reason : "proxy",
          sent: "no",
          ...definedOnly({ code }),
          cause: error,
        }),
      );
    };
    const abort = (): void => giveUp(signal.reason);
    socket.on(event, ready).on("error", fail).on("close", fail);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
  });
}

const encodeBase64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");

/** Asks the proxy to connect to the server. */
function tunnel(socket: Socket, server: ServerAddress, proxy: ProxyTarget, signal: AbortSignal): Promise<void> {
  const login = definedOnly({ login: proxy.login });
  const refused = (why: string): TransportError =>
    new TransportError(`connect to ${server.authority}: the proxy ${proxy.authority} did not connect us: ${why}`, {
      reason: "proxy",
      sent: "no",
    });
  return proxy.kind === "socks5"
    ? converse(socket, socks5Start({ host: server.host, port: server.port, ...login }), socks5Step, refused, signal)
    : converse(socket, connectStart({ authority: server.authority, ...login }, encodeBase64), connectStep, refused, signal);
}

type TunnelStep<S> =
  | { readonly kind: "more"; readonly state: S; readonly send?: Uint8Array }
  | { readonly kind: "done"; readonly rest: Uint8Array }
  | { readonly kind: "failed"; readonly why: string };

function converse<S>(
  socket: Socket,
  start: TunnelStep<S>,
  step: (state: S, chunk: Uint8Array) => TunnelStep<S>,
  refused: (why: string) => Error,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let state: S | undefined;
    const settle = (act: () => void): void => {
      socket.off("readable", readable).off("close", gone);
      signal.removeEventListener("abort", abort);
      act();
    };
    const refuse = (why: string): void => settle(() => reject(refused(why)));
    const take = (next: TunnelStep<S>): void => {
      if (next.kind === "failed") return refuse(next.why);
      if (next.kind === "done") return next.rest.length > 0 ? refuse("it sent data before the request") : settle(resolve);
      state = next.state;
      if (next.send !== undefined) socket.write(next.send);
    };
    const readable = (): void => {
      const chunk = socket.read() as Uint8Array | null;
      if (chunk !== null && state !== undefined) take(step(state, chunk));
    };
    const gone = (): void => refuse("it closed the connection");
    const abort = (): void => settle(() => reject(signal.reason));
    socket.on("readable", readable).on("close", gone);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    else take(start);
  });
}
