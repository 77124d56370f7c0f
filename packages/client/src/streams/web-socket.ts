/**
 * A connection that carries messages both ways, for `exec`, `attach` and port forwarding.
 *
 *     exec, port-forward → WebSocketConnect → sockets (transport/node-web-socket.ts), or a pair in the same process
 */
import { errorBrand } from "@drover/machinery";
import type { HttpHeaders } from "@drover/machinery";

/** Text is a string, binary is bytes. */
export type WebSocketMessage = string | Uint8Array;

export interface WebSocketRequest {
  /** Path and query of the request line, percent-encoded. */
  readonly path: string;
  readonly headers: HttpHeaders;
  /** Supported subprotocols, best first. */
  readonly protocols: readonly string[];
  /** Ends the connection at any time, also after it was opened. */
  readonly signal?: AbortSignal;
}

/** How a connection ended: code and reason of the closing frame; 1006 without one. */
export interface WebSocketClose {
  readonly code: number;
  readonly reason: string;
}

export interface WebSocketChannel {
  /** Subprotocol that the other side chose. */
  readonly protocol: string;
  /**
   * Messages of the other side, for one reader. A slow reader slows the sender down. Ends when either side has closed the
   * connection cleanly; throws a `StreamError` if it broke, or the signal's reason.
   */
  readonly messages: AsyncIterable<WebSocketMessage>;
  /**
   * Resolves when there is room for the next message. Rejects with a `StreamError` of reason "lost" if the connection is no
   * longer open.
   */
  send(message: WebSocketMessage): Promise<void>;
  /** Sends a closing frame and resolves when the connection has ended; unread messages are dropped. Idempotent. */
  close(): Promise<void>;
  /** Resolves when the connection has ended, in any way. */
  readonly closed: Promise<WebSocketClose>;
}

/**
 * Opens a connection. Rejects with an `UpgradeRefusedError` if the server sent an ordinary response, a `StreamError` of
 * reason "protocol" if the response is not a valid WebSocket handshake, a `TransportError` if there was no response, or the
 * signal's reason.
 */
export type WebSocketConnect = (request: WebSocketRequest) => Promise<WebSocketChannel>;

const brand = errorBrand<UpgradeRefusedError>("UpgradeRefusedError");

/** The server answered with an ordinary HTTP response instead of a WebSocket, mostly an error with a Status. */
export class UpgradeRefusedError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "UpgradeRefusedError";
  readonly status: number;
  readonly headers: HttpHeaders;
  /** Start of the response body. */
  readonly body: string;

  constructor(status: number, headers: HttpHeaders, body: string) {
    super(`the server answered ${status} instead of opening a WebSocket`);
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/** Reports whether the error is an `UpgradeRefusedError`, also one of another copy of this package. */
export function isUpgradeRefusedError(error: unknown): error is UpgradeRefusedError {
  return brand.is(error);
}

/** Describes how a connection was closed. */
export function closeText(code: number, reason: string): string {
  return code === 1006 ? "the connection broke" : `the connection was closed with code ${code}${reason === "" ? "" : `: ${reason}`}`;
}
