/**
 * A server behind a bad network, without sockets: connections that are refused, cut, silent, slow or stale, on a manual
 * clock. Replaces `nodeTransport` under `clusterTransport`, fails as sockets fail, and has the same limits.
 *
 *     const server = faultServer({ clock, serve, faults: [undefined, { kind: "cut", at: "answer", how: "reset" }] });
 *     const transport = clusterTransport(access, { …, connect: server.connect });
 */
import { abortable, deadline, definedOnly, isTimeoutError, sleep } from "@drover/machinery";
import type { Clock, HttpBody, HttpRequest, HttpResponse, Transport } from "@drover/machinery";
import { ConnectionPool } from "../transport/connection-pool.ts";
import type { NodeTransport } from "../transport/node-transport.ts";
import type { NodeTransportOptions } from "../transport/node-transport-options.ts";
import { attemptOf, isStream } from "../transport/request-nature.ts";
import { ResponseBody } from "../transport/response-body.ts";
import type { BodyFailure } from "../transport/response-body.ts";
import { withTlsSettings } from "../transport/tls-settings.ts";
import { TransportError } from "../transport/transport-error.ts";
import type { TransportFailure } from "../transport/transport-error.ts";
import { transportLimits } from "../transport/transport-limits.ts";
import type { TransportLimits } from "../transport/transport-limits.ts";
import type { Fault } from "./fault.ts";
import { FaultyBody } from "./faulty-body.ts";

export interface FaultServerOptions {
  readonly clock: Clock;
  /** The server without faults. */
  readonly serve: Transport;
  /** Faults of requests, in the order they are sent; undefined, and requests after the last fault, succeed. @default no faults */
  readonly faults?: readonly (Fault | undefined)[] | ((request: HttpRequest, index: number) => Fault | undefined);
  /** Faults of connections, in order: no listener, or no response. @default every connection succeeds */
  readonly connects?: readonly ("refused" | "unreachable" | undefined)[];
}

/** A server that records what it received. */
export interface FaultServer {
  /** Replaces `nodeTransport`. */
  readonly connect: (options: NodeTransportOptions) => NodeTransport;
  /** The requests that the server received, whether or not their responses arrived. */
  readonly served: readonly HttpRequest[];
  /** Number of connections so far. */
  readonly opened: () => number;
  /** Number of open connections. */
  readonly open: () => number;
}

interface Connection {
  state: "open" | "stale" | "closed";
  exchanges: number;
  readonly expiresMs: number;
  /** Ends the server's work for this connection. */
  readonly hangUp: AbortController;
}

/** Returns a server behind a bad network. Guarantees: the same faults on the same clock give the same run. */
export function faultServer({ clock, serve, faults = [], connects = [] }: FaultServerOptions): FaultServer {
  const served: HttpRequest[] = [];
  const connections = new Set<Connection>();
  let sent = 0;
  let opened = 0;
  const faultOf = (request: HttpRequest): Fault | undefined => {
    const index = sent++;
    return typeof faults === "function" ? faults(request, index) : faults[index];
  };
  const close = (connection: Connection): void => {
    connection.state = "closed";
    connection.hangUp.abort(new DOMException("the client has gone", "AbortError"));
    connections.delete(connection);
  };
  const dial = async (limits: Required<TransportLimits>, signal: AbortSignal | undefined): Promise<Connection> => {
    const fault = connects[opened++];
    if (fault !== undefined) return failConnect(fault, { clock, limits, signal });
    const connection: Connection = {
      state: "open",
      exchanges: 0,
      expiresMs: clock.monotonic() + limits.connectionAgeMaxMs,
      hangUp: new AbortController(),
    };
    connections.add(connection);
    return connection;
  };
  const connect = (options: NodeTransportOptions): NodeTransport => {
    const limits = transportLimits(options);
    const pool = new ConnectionPool<Connection>({
      connect: ({ signal }) => dial(limits, signal),
      close,
      callsMax: limits.callsMax,
      isUsable: ({ state, expiresMs }) => state !== "closed" && clock.monotonic() < expiresMs,
    });
    let isClosed = false;
    const send: Transport = async (request) => {
      const { signal } = request;
      signal?.throwIfAborted();
      if (isClosed) throw new TransportError(`${attemptOf(request)}: this transport has been closed`, { reason: "closed", sent: "no" });
      request.onSent?.("no");
      const { connection, release } = await withTlsSettings(options.tls, signal, () =>
        pool.acquire({ counted: !isStream(request), signal }),
      );
      request.onSent?.("maybe");
      const exchange = new Exchange({ clock, limits, request, connection, close: () => close(connection), release });
      // A stale connection consumes no fault: the fault is for the next request that is sent.
      return await (connection.state === "stale"
        ? exchange.fail("reset")
        : exchange.run(faultOf(request), (seen) => {
            served.push(seen);
            return serve(seen);
          }));
    };
    return Object.assign(send, {
      close: () => {
        isClosed = true;
        pool.close();
      },
    });
  };
  return { connect, served, opened: () => opened, open: () => connections.size };
}

/** Rejects as a connection with this fault does. */
async function failConnect(
  fault: "refused" | "unreachable",
  {
    clock,
    limits,
    signal,
  }: { readonly clock: Clock; readonly limits: Required<TransportLimits>; readonly signal: AbortSignal | undefined },
): Promise<never> {
  if (fault === "refused")
    throw new TransportError("connect to the server: it refused the connection", { reason: "refused", sent: "no", code: "ECONNREFUSED" });
  await sleep(clock, limits.connectTimeoutMs, definedOnly({ signal }));
  throw new TransportError(`connect to the server: no connection after ${limits.connectTimeoutMs} ms`, {
    reason: "timeout",
    timeout: "connect",
    sent: "no",
  });
}

interface ExchangeOptions {
  readonly clock: Clock;
  readonly limits: Required<TransportLimits>;
  readonly request: HttpRequest;
  readonly connection: Connection;
  readonly close: () => void;
  readonly release: () => void;
}

/** One request on one connection. */
class Exchange {
  readonly #options: ExchangeOptions;
  readonly #reused: boolean;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#reused = options.connection.exchanges++ > 0;
  }

  /** Fails because the connection is gone. */
  fail(how: "reset" | "close"): Promise<never> {
    this.#giveUp();
    return Promise.reject(this.#lost(how));
  }

  async run(fault: Fault | undefined, serve: Transport): Promise<HttpResponse> {
    const {
      clock,
      limits,
      request: { signal },
    } = this.#options;
    const limit = deadline(clock, limits.headersTimeoutMs, definedOnly({ signal }));
    try {
      return this.#answer(await abortable(this.#head(fault, serve, limit.signal), limit.signal), fault);
    } catch (error) {
      this.#giveUp();
      if (!isTimeoutError(error) || error !== limit.signal.reason || signal?.aborted === true) throw error;
      throw this.#error(`the server did not answer within ${limits.headersTimeoutMs} ms`, { reason: "timeout", timeout: "headers" });
    } finally {
      limit.release();
    }
  }

  async #head(fault: Fault | undefined, serve: Transport, signal: AbortSignal): Promise<HttpResponse> {
    const { clock, request, connection } = this.#options;
    if (fault?.kind === "cut" && fault.at === "request") throw this.#lost(fault.how);
    if (fault?.kind === "silent") return new Promise(() => undefined);
    if (fault?.kind === "answered") return fault.response;
    if (fault?.kind === "late") await sleep(clock, fault.byMs, { signal });
    const response = await serve({ ...request, signal: connection.hangUp.signal });
    if (fault?.kind === "cut" && fault.at === "answer") throw this.#lost(fault.how);
    return response;
  }

  #answer({ status, headers, body }: HttpResponse, fault: Fault | undefined): HttpResponse {
    const { clock, limits, request } = this.#options;
    if (body === "") {
      this.#done(fault);
      return { status, headers, body };
    }
    const stream = isStream(request);
    const source = new FaultyBody(body, {
      clock,
      fault,
      lost: (how) => this.#lost(how),
      garbled: () => this.#error("the server answered with something that is not HTTP", { reason: "garbage" }),
      ended: () => this.#done(fault),
    });
    const read = new ResponseBody(source, {
      clock,
      signal: request.signal,
      idleMs: stream ? limits.streamIdleTimeoutMs : limits.idleTimeoutMs,
      unreadMs: limits.idleTimeoutMs,
      bytesMax: stream ? Infinity : limits.bodyBytesMax,
      aheadBytesMax: 0,
      failed: (failure) => this.#bodyError(failure),
      abandon: () => this.#giveUp(),
    });
    return { status, headers: fault?.kind === "last" ? { ...headers, connection: "close" } : headers, body: read satisfies HttpBody };
  }

  #bodyError(failure: BodyFailure): unknown {
    if (failure.kind === "idle") return this.#error("the server sent nothing more of the body", { reason: "timeout", timeout: "idle" });
    if (failure.kind === "unread") return this.#error("the body of the response was not read", { reason: "timeout", timeout: "unread" });
    if (failure.kind === "too-large") return this.#error("the body of the response is too large", { reason: "too-large" });
    return failure.error ?? this.#lost("close");
  }

  #done(fault: Fault | undefined): void {
    const { connection, close, release } = this.#options;
    if (fault?.kind === "last") close();
    if (fault?.kind === "stale") connection.state = "stale";
    release();
  }

  #giveUp(): void {
    this.#options.close();
    this.#options.release();
  }

  #lost(how: "reset" | "close"): TransportError {
    return how === "reset"
      ? this.#error("the server reset the connection", { reason: "reset", code: "ECONNRESET" })
      : this.#error("the server closed the connection before the response was complete", { reason: "aborted-by-peer" });
  }

  #error(what: string, failure: Omit<TransportFailure, "sent" | "reused">): TransportError {
    return new TransportError(`${attemptOf(this.#options.request)}: ${what}`, { sent: "maybe", reused: this.#reused, ...failure });
  }
}
