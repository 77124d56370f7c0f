/**
 * Serves HTTP/2: many requests at once on each connection.
 *
 *     TLSSocket → session → stream → Http2Exchange
 *
 * nghttp2, which Node includes, refuses invalid frames and ends sessions that flood it with settings, pings, resets or header
 * continuations. This file limits what remains: streams, time, and work for clients that are gone.
 */
import { constants, performServerHandshake } from "node:http2";
import type { ServerHttp2Session, ServerHttp2Stream } from "node:http2";
import type { TLSSocket } from "node:tls";
import type { Exchanges } from "./exchanges.ts";
import { Http2Exchange } from "./http2-exchange.ts";
import type { Http2Link } from "./http2-exchange.ts";
import { peerOf } from "./socket-peer.ts";
import { UploadSlots } from "./upload-slots.ts";

/** Most request bodies fit into the window of a stream, as in kube-apiserver. */
const windowBytes = 256 * 1024;
/** Window of a connection. Node returns it as bytes arrive; the windows of the streams hold senders back. */
const sessionWindowBytes = 4 * 1024 * 1024;
/** How many bodies that exceed the window are read at once. */
const uploadsMax = 16;
/** Memory of a session in megabytes, above which it takes no new streams. */
const sessionMemoryMb = 64;
/** Requests whose clients have reset them still occupy the server; as in Go, a client may have this many times `streamsMax`. */
const runningFactor = 4;
/** Interval of pings to a connection with streams. */
const pingIntervalMs = 30_000;
/** Resets by a client, at once and per second, before its session ends. nghttp2 allows 1,000, which a hundred connections multiply. */
const resetBurst = 100;
const resetsPerSecond = 33;

/** State of one connection. */
interface Connection {
  readonly session: ServerHttp2Session;
  readonly socket: TLSSocket;
  readonly link: Http2Link;
  readonly streams: Set<Http2Exchange>;
  /** Requests whose handlers run, for clients that are gone too. */
  running: number;
  hasAsked: boolean;
  /** Recent resets by the client, and when they were counted. */
  resets: number;
  resetMs: number;
  /** Since when there is no stream. */
  quietMs: number;
  /** When the client last answered a ping, or the connection began; and when the ping was sent that it has not answered. */
  aliveMs: number;
  pingMs: number | undefined;
  /** Since when the session closes. */
  closingMs: number | undefined;
}

/** All HTTP/2 connections of one port. */
export class Http2Front {
  readonly #exchanges: Exchanges;
  readonly #connections = new Set<Connection>();
  #cancelCheck: (() => void) | undefined;

  constructor(exchanges: Exchanges) {
    this.#exchanges = exchanges;
  }

  /** Takes over a connection whose handshake has chosen HTTP/2. */
  accept(socket: TLSSocket): void {
    try {
      this.#open(socket);
    } catch (error) {
      // No request could be answered with it.
      this.#exchanges.options.log.error("connection failed before its first request", { remoteAddress: socket.remoteAddress, error });
      socket.destroy();
    }
  }

  /** Tells clients to use other connections, and closes each one after its last stream. */
  close(): void {
    for (const connection of this.#connections) this.#end(connection);
  }

  /** Closes every connection at once. */
  destroy(): void {
    for (const { session, socket } of this.#connections) {
      session.destroy();
      socket.destroy();
    }
  }

  #open(socket: TLSSocket): void {
    const { limits, options } = this.#exchanges;
    const peer = peerOf(socket);
    const transport = options.connection(peer);
    const session = performServerHandshake(socket, {
      // Pseudo headers count as well; above that Node resets the stream instead of a 431.
      maxHeaderListPairs: 2 * limits.headersMax + 8,
      maxSessionMemory: sessionMemoryMb,
      settings: { maxConcurrentStreams: limits.streamsMax, maxHeaderListSize: limits.headerBytesMax, initialWindowSize: windowBytes },
    });
    const connection: Connection = {
      session,
      socket,
      link: { peer, transport, uploads: new UploadSlots(uploadsMax), windowBytes },
      streams: new Set(),
      running: 0,
      hasAsked: false,
      resets: 0,
      resetMs: options.clock.monotonic(),
      quietMs: options.clock.monotonic(),
      aliveMs: options.clock.monotonic(),
      pingMs: undefined,
      closingMs: undefined,
    };
    this.#connections.add(connection);
    session.on("error", (error) => options.log.debug("HTTP/2 session failed", { remoteAddress: peer.remoteAddress, error }));
    session.on("stream", (stream: ServerHttp2Stream, _: unknown, flags: number, rawHeaders: readonly string[]) =>
      this.#begin(connection, stream, flags, rawHeaders),
    );
    session.setLocalWindowSize(sessionWindowBytes);
    socket.once("close", () => {
      this.#connections.delete(connection);
      if (this.#connections.size === 0) this.#stopChecks();
    });
    if (this.#exchanges.isEnding) this.#end(connection);
    this.#scheduleCheck();
  }

  #begin(connection: Connection, stream: ServerHttp2Stream, flags: number, rawHeaders: readonly string[]): void {
    const { session, link, streams } = connection;
    const { clock } = this.#exchanges.options;
    // Reset in the same packet.
    if (stream.closed || stream.destroyed) return this.#countReset(connection);
    if (connection.running >= runningFactor * this.#exchanges.limits.streamsMax)
      return session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
    const isBodyless = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    const onClose = ({ isReset }: { readonly isReset: boolean }): void => {
      streams.delete(exchange);
      if (streams.size === 0) connection.quietMs = clock.monotonic();
      if (isReset) this.#countReset(connection);
    };
    const exchange = new Http2Exchange(this.#exchanges, link, { stream, rawHeaders, isBodyless, onClose });
    connection.hasAsked = true;
    connection.running++;
    streams.add(exchange);
    this.#exchanges.begin(exchange.serve().finally(() => void connection.running--));
  }

  #countReset(connection: Connection): void {
    const nowMs = this.#exchanges.options.clock.monotonic();
    const forgotten = ((nowMs - connection.resetMs) * resetsPerSecond) / 1000;
    connection.resets = Math.max(0, connection.resets - forgotten) + 1;
    connection.resetMs = nowMs;
    const { session } = connection;
    if (connection.resets > resetBurst && !session.destroyed) session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
  }

  #end(connection: Connection): void {
    connection.closingMs ??= this.#exchanges.options.clock.monotonic();
    connection.session.close();
  }

  #scheduleCheck(): void {
    const { clock } = this.#exchanges.options;
    this.#cancelCheck ??= clock.timer(this.#exchanges.limits.timeoutCheckMs, () => {
      this.#cancelCheck = undefined;
      const nowMs = clock.monotonic();
      for (const connection of this.#connections) this.#check(connection, nowMs);
      if (this.#connections.size > 0) this.#scheduleCheck();
    });
  }

  #stopChecks(): void {
    this.#cancelCheck?.();
    this.#cancelCheck = undefined;
  }

  #check(connection: Connection, nowMs: number): void {
    const { streams, socket, session, quietMs, hasAsked, closingMs } = connection;
    const { idleTimeoutMs, headersTimeoutMs, graceMs } = this.#exchanges.limits;
    for (const exchange of streams) exchange.check(nowMs);
    if (streams.size > 0) return this.#ping(connection, nowMs);
    if (closingMs === undefined) {
      if (nowMs - quietMs >= (hasAsked ? idleTimeoutMs : headersTimeoutMs)) this.#end(connection);
    } else if (nowMs - closingMs >= graceMs) {
      // A client that reads nothing does not close its side either.
      session.destroy();
      socket.destroy();
    }
  }

  /**
   * Finds clients that read nothing, and sessions that nghttp2 has ended because of an invalid frame: it sends GOAWAY, and then neither
   * reads nor writes, but the connection stays open.
   */
  #ping(connection: Connection, nowMs: number): void {
    const { session, socket, aliveMs, pingMs } = connection;
    if (pingMs !== undefined) {
      if (nowMs - pingMs < this.#exchanges.limits.stallTimeoutMs) return;
      session.destroy();
      socket.destroy();
    } else if (nowMs - aliveMs >= pingIntervalMs && !session.destroyed) {
      connection.pingMs = nowMs;
      session.ping(() => {
        connection.pingMs = undefined;
        connection.aliveMs = this.#exchanges.options.clock.monotonic();
      });
    }
  }
}
