/**
 * Requests over real sockets: HTTP/1.1 over TCP or TLS, or HTTP/2 over TLS, directly or through a proxy.
 *
 *     HttpRequest → TlsSource → NodeConnections → NodeExchange or NodeHttp2Exchange → HttpResponse
 */
import { setMaxListeners } from "node:events";
import type { HttpRequest, HttpResponse, Transport } from "@drover/machinery";
import { connectionPlace, NodeConnections } from "./node-connections.ts";
import type { NodeTransportOptions } from "./node-transport-options.ts";
import { attemptOf } from "./request-nature.ts";
import { withTlsSettings } from "./tls-settings.ts";
import type { TlsSettings } from "./tls-settings.ts";
import { TransportError } from "./transport-error.ts";

/** A transport with `close`, which destroys every connection, in use or not. */
export type NodeTransport = Transport & { readonly close: () => void };

/**
 * Returns a transport over sockets.
 *
 * Guarantees: never follows a redirect; TLS 1.2 or later; an abort at any time ends the request on the wire and rejects with the signal's
 * reason; every other failure is a `TransportError`. Dropping a partly read body closes its connection, or its HTTP/2 stream.
 */
export function nodeTransport(options: NodeTransportOptions): NodeTransport {
  const place = connectionPlace(options);
  let current: { readonly generation: number; readonly connections: NodeConnections } | undefined;
  let closed = false;
  const all = new Set<NodeConnections>();
  const connectionsFor = (settings: TlsSettings): NodeConnections => {
    if (current !== undefined && settings.generation <= current.generation) return current.connections;
    if (current !== undefined)
      place.log.debug("TLS settings changed; not reusing connections made with the old ones", {
        host: place.server.authority,
        generation: settings.generation,
      });
    current?.connections.retire();
    // Old connections have old keys; keep them only while there are some to close.
    for (const old of all) if (old.isDrained) all.delete(old);
    const connections = new NodeConnections(place, settings);
    all.add(connections);
    current = { generation: settings.generation, connections };
    return connections;
  };
  const send = async (request: HttpRequest): Promise<HttpResponse> => {
    const { signal } = request;
    signal?.throwIfAborted();
    // One signal may end a thousand watches; Node would report the eleventh listener as a leak.
    if (signal !== undefined) setMaxListeners(0, signal);
    if (closed) throw closedError(request);
    request.onSent?.("no");
    const grant = await withTlsSettings(options.tls, signal, (settings) => connectionsFor(settings).acquire(request));
    if (closed || signal?.aborted === true) {
      grant.giveBack({ isClosed: closed });
      signal?.throwIfAborted();
      throw closedError(request);
    }
    return await grant.exchange();
  };
  const close = (): void => {
    closed = true;
    for (const connections of all) connections.close();
  };
  return Object.assign(send, { close });
}

const closedError = (request: HttpRequest): TransportError =>
  new TransportError(`${attemptOf(request)}: this transport has been closed`, { reason: "closed", sent: "no" });
