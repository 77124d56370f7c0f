/**
 * A connection that carries HTTP/2: many exchanges at a time.
 *
 *     dialler → TLS socket with ALPN "h2" → openHttp2Session → NodeHttp2Session → NodeHttp2Exchange, one for each request
 *
 * A dead server is noticed by pings while exchanges are open, as client-go does.
 */
import { connect, constants } from "node:http2";
import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from "node:http2";
import type { Socket } from "node:net";
import type { Clock, HttpRequest, HttpResponse } from "@drover/machinery";
import type { ExchangePlace } from "./node-exchange.ts";
import { NodeHttp2Exchange } from "./node-http2-exchange.ts";
import type { ExchangeSession } from "./node-http2-exchange.ts";
import { TransportError } from "./transport-error.ts";

/** Silence after which a ping is sent, and how long its answer may take: those of client-go. */
const pingAfterMs = 30_000;
const pongWithinMs = 15_000;
/** How much of a body may arrive before its reader takes it. */
const streamWindowBytes = 1024 * 1024;
/** How much of all bodies may be on its way at once; unread bytes count for their stream only. */
const sessionWindowBytes = 16 * 1024 * 1024;
/** Memory of one session in megabytes, Node's unit; reached by 500 bodies that nobody reads. */
const sessionMemoryMax = 512;
/** Exchanges of one session, if the server allows that many. */
const streamsMax = 1000;

export interface NodeHttp2SessionOptions {
  /** "127.0.0.1:6443" */
  readonly authority: string;
  readonly clock: Clock;
  readonly headerBytesMax: number;
  /** How long it may have no exchange. */
  readonly keepAliveMs: number;
  /** Takes no exchange after this time. */
  readonly expiresMs: number;
  /** Called once, when it is closed. */
  readonly closed: () => void;
}

/**
 * Resolves when the server has sent its settings. Rejects with a `TransportError` when the connection ends before, or with the signal's
 * reason.
 */
export async function openHttp2Session(socket: Socket, options: NodeHttp2SessionOptions, signal: AbortSignal): Promise<NodeHttp2Session> {
  const { authority, headerBytesMax } = options;
  const session = connect(`https://${authority}`, {
    createConnection: () => socket,
    maxSessionMemory: sessionMemoryMax,
    settings: { enablePush: false, initialWindowSize: streamWindowBytes, maxHeaderListSize: headerBytesMax },
  });
  // An error without a listener would end the process; streams report it.
  session.on("error", () => undefined);
  await new Promise<void>((resolve, reject) => {
    const settle = (act: () => void): void => {
      session.off("remoteSettings", ready).off("close", fail);
      signal.removeEventListener("abort", abort);
      act();
    };
    const ready = (): void => settle(resolve);
    const fail = (): void =>
      settle(() =>
        reject(
          new TransportError(`connect to ${authority}: it closed the connection before its HTTP/2 settings`, {
            reason: "aborted-by-peer",
            sent: "no",
          }),
        ),
      );
    const abort = (): void =>
      settle(() => {
        session.destroy();
        reject(signal.reason);
      });
    session.on("remoteSettings", ready).on("close", fail);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
  });
  session.setLocalWindowSize(sessionWindowBytes);
  return new NodeHttp2Session(session, options);
}

/** Guarantees: `closed` is called once; a session that no longer answers pings is destroyed, and every stream with it. */
export class NodeHttp2Session implements ExchangeSession {
  readonly expiresMs: number;
  exchanges = 0;
  failure: unknown;
  readonly #session: ClientHttp2Session;
  readonly #options: NodeHttp2SessionOptions;
  /** Open exchanges, and those about to begin. */
  #streams = 0;
  #cancelTimer: () => void = () => undefined;

  constructor(session: ClientHttp2Session, options: NodeHttp2SessionOptions) {
    this.#session = session;
    this.#options = options;
    this.expiresMs = options.expiresMs;
    session.on("error", (error) => {
      this.failure ??= error;
    });
    session.on("close", () => {
      this.#cancelTimer();
      options.closed();
    });
    this.#rest();
  }

  /** Whether it takes another exchange now. */
  get isUsable(): boolean {
    const { closed, destroyed, remoteSettings } = this.#session;
    const allowed = Math.min(remoteSettings.maxConcurrentStreams ?? streamsMax, streamsMax);
    return !closed && !destroyed && this.#streams < allowed && this.#options.clock.monotonic() < this.expiresMs;
  }

  get isDestroyed(): boolean {
    return this.#session.destroyed;
  }

  /** Takes room for one exchange. Returns a function that gives it back; idempotent. */
  reserve(): () => void {
    let isHeld = true;
    if (this.#streams++ === 0) this.#listen();
    return () => {
      if (!isHeld) return;
      isHeld = false;
      if (--this.#streams === 0) this.#rest();
    };
  }

  /** Sends a request. `release` is called once, when its stream is closed. */
  exchange(place: ExchangePlace, request: HttpRequest, release: () => void): Promise<HttpResponse> {
    return new NodeHttp2Exchange(place, this, { request, release }).response;
  }

  request(headers: OutgoingHttpHeaders, { hasBody }: { readonly hasBody: boolean }): ClientHttp2Stream {
    const stream = this.#session.request(headers, { endStream: !hasBody });
    this.exchanges++;
    return stream;
  }

  /** Takes no more exchanges, and closes after the last. */
  retire(): void {
    if (!this.#session.destroyed) this.#session.close();
  }

  destroy(error?: Error): void {
    this.failure ??= error;
    this.#session.destroy(error, constants.NGHTTP2_CANCEL);
  }

  /** No exchange is open. */
  #rest(): void {
    const { clock, keepAliveMs } = this.#options;
    this.#cancelTimer();
    if (this.#session.destroyed) return;
    this.#cancelTimer = clock.timer(keepAliveMs, () => this.#session.close());
  }

  /** Exchanges are open: pings the server now and then. */
  #listen(): void {
    const { clock, authority } = this.#options;
    this.#cancelTimer();
    this.#cancelTimer = clock.timer(pingAfterMs, () => {
      if (this.#session.destroyed) return;
      this.#cancelTimer = clock.timer(pongWithinMs, () =>
        this.destroy(Object.assign(new Error(`${authority} answers no ping`), { code: "ETIMEDOUT" })),
      );
      this.#session.ping(() => {
        if (!this.#session.destroyed && this.#streams > 0) this.#listen();
      });
    });
  }
}
