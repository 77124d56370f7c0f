/**
 * Makes connections: TCP, through a proxy if there is one, and TLS on top. The one place of this package where connections are made;
 * whoever dials brings its own deadline in the signal.
 *
 *     node-transport.ts, node-web-socket.ts → dialler → TCP → proxy → TLS → a socket that is ready
 */
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

/** A way to one server. */
export interface Dialler {
  /** For messages: "", or " through the proxy proxy.example:3128". */
  readonly through: string;
  /**
   * Connects. Rejects with the signal's reason, or with a `TransportError` that says `sent: "no"`; no socket is left behind then. Whoever
   * gets a socket owns it; an error on it does not end the process.
   */
  readonly dial: (settings: TlsSettings, signal: AbortSignal) => Promise<Socket>;
}

/** After this long without a byte the system asks the other side whether it is still there: a dead peer is found in about 40 seconds. */
export const tcpKeepAliveMs = 30_000;

interface Way {
  readonly server: ServerAddress;
  readonly proxy: ProxyTarget | undefined;
  readonly addressTimeoutMs: number;
  readonly lookup: { readonly lookup?: LookupFunction };
}

/** A way to a server, directly or through a proxy. Throws a `TypeError` for a proxy URL that is none. Guarantees TLS 1.2 or later. */
export function dialler(server: ServerAddress, { proxyUrl, noProxy = "", lookup, addressTimeoutMs = 1000 }: DialOptions): Dialler {
  const proxy = proxyUrl === undefined || matchesNoProxy(server, noProxy) ? undefined : proxyTarget(proxyUrl);
  const way: Way = { server, proxy, addressTimeoutMs, lookup: lookup === undefined ? {} : { lookup: nodeLookup(lookup) } };
  // Reading certificates is slow, and settings stay the same object for as long as they are the same.
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
  const { server, proxy } = way;
  const viaProxy = proxy === undefined ? undefined : `the proxy ${proxy.authority}`;
  let socket = await opened(tcp(way), "connect", server, viaProxy, signal);
  try {
    if (proxy !== undefined) {
      if (proxy.kind === "https")
        socket = await opened(
          secured(socket, proxy.host, settings.insecure, contextOf(settings)),
          "secureConnect",
          server,
          viaProxy,
          signal,
        );
      await tunnel(socket, server, proxy, signal);
    }
    return server.secure
      ? await opened(
          secured(socket, settings.serverName ?? server.host, settings.insecure, contextOf(settings)),
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

/** In the form Node asks for. It wants all addresses as long as families are selected, which they always are here. */
function nodeLookup(lookup: (name: string) => Promise<readonly string[]>): LookupFunction {
  return (name, _, callback) => {
    lookup(name).then(
      (found) =>
        callback(
          found.length === 0 ? Object.assign(new Error(`${name} has no address`), { code: "ENODATA" }) : null,
          found.map((address) => ({ address, family: isIP(address) })),
        ),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), []),
    );
  };
}

function secureContext({ authority }: ServerAddress, { ca, certificate, key }: TlsSettings): SecureContext {
  try {
    return createSecureContext({
      minVersion: "TLSv1.2",
      // As in Go, any certificate in the bundle may be the anchor, not only a self-signed one.
      allowPartialTrustChain: true,
      ...(ca === undefined ? {} : { ca }),
      ...(certificate === undefined ? {} : { cert: certificate }),
      ...(key === undefined ? {} : { key: key.reveal() }),
    });
  } catch (error) {
    const { code } = classifyError(error);
    throw new TransportError(
      `connect to ${authority}: certificate-authority, client-certificate or client-key cannot be used; they must be PEM, and certificate and key must belong together`,
      {
        reason: "tls",
        sent: "no",
        ...(code === undefined ? {} : { code }),
        cause: error,
      },
    );
  }
}

function secured(socket: Socket, name: string, insecure: boolean, context: SecureContext): Socket {
  return connectTls({
    socket,
    secureContext: context,
    rejectUnauthorized: !insecure,
    ALPNProtocols: ["http/1.1"],
    // An address may not stand in the handshake, yet it is what the certificate must name.
    servername: isIP(name) === 0 ? name : "",
    checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
  });
}

/** Resolves with the socket when the event comes; destroys it when anything else does. */
function opened(
  socket: Socket,
  event: "connect" | "secureConnect",
  { authority }: ServerAddress,
  peer: string | undefined,
  signal: AbortSignal,
): Promise<Socket> {
  // Whatever happens to it in its life, an error without a listener would end the process.
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
      const { reason, code, what } = classifyError(
        error instanceof Error ? error : Object.assign(new Error("closed"), { code: "ECONNRESET" }),
      );
      const during = event === "secureConnect" && reason === "reset" ? " during the TLS handshake" : "";
      giveUp(
        new TransportError(`connect to ${authority}: ${peer ?? "it"} ${what}${during}`, {
          reason: peer === undefined ? reason : "proxy",
          sent: "no",
          ...(code === undefined ? {} : { code }),
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

/** Asks the proxy to connect onwards. */
function tunnel(socket: Socket, server: ServerAddress, proxy: ProxyTarget, signal: AbortSignal): Promise<void> {
  const login = proxy.login === undefined ? {} : { login: proxy.login };
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
      if (next.kind === "done") return next.rest.length > 0 ? refuse("it sent something before it was asked") : settle(resolve);
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
