/**
 * The other function type at the wire: a connection that carries messages both ways. `exec`, `attach` and port forwarding stand on it.
 *
 *     exec, port-forward → WebSocketConnect → sockets (transport/node-web-socket.ts), or a pair in the same process
 */
import { errorBrand } from "@drover/machinery";
import type { HttpHeaders } from "@drover/machinery";

/** Text is a string, binary is bytes. */
export type WebSocketMessage = string | Uint8Array;

export interface WebSocketRequest {
  /** Path and query as they stand in the request line, percent-encoded. */
  readonly path: string;
  readonly headers: HttpHeaders;
  /** The subprotocols we speak, the best first. */
  readonly protocols: readonly string[];
  /** Ends the connection at any time, also after it has been made. */
  readonly signal?: AbortSignal;
}

/** How a connection ended: code and words of the closing frame; 1006 when there was none. */
export interface WebSocketClose {
  readonly code: number;
  readonly reason: string;
}

export interface WebSocketChannel {
  /** The subprotocol that the other side chose. */
  readonly protocol: string;
  /**
   * What the other side sends, for one reader. Reading slowly slows the sender down. Ends when either side has closed the connection in
   * good order; throws a `StreamError` when it broke, and the reason of the signal when that ended it.
   */
  readonly messages: AsyncIterable<WebSocketMessage>;
  /**
   * Resolves when there is room for the next message. Rejects with a `StreamError` of reason "lost" when the connection
   * is no longer open.
   */
  send(message: WebSocketMessage): Promise<void>;
  /**
   * Says good-bye and resolves when the connection is really over; what has not been read by then is dropped. Doing it
   * twice does no harm.
   */
  close(): Promise<void>;
  /** Resolves when the connection is over, however it ended. */
  readonly closed: Promise<WebSocketClose>;
}

/**
 * Opens a connection. Rejects with an `UpgradeRefusedError` when the server answered with something else, with a `StreamError` of reason
 * "protocol" when it answered what is no WebSocket, with a `TransportError` when there was no answer, and with the reason of the signal.
 */
export type WebSocketConnect = (request: WebSocketRequest) => Promise<WebSocketChannel>;

const brand = errorBrand<UpgradeRefusedError>("UpgradeRefusedError");

/** The server answered the request for a connection with an ordinary HTTP answer: most often an error with a Status in its body. */
export class UpgradeRefusedError extends Error {
  static {
    brand.mark(this);
  }

  override readonly name = "UpgradeRefusedError";
  readonly status: number;
  readonly headers: HttpHeaders;
  /** The beginning of the answer's body. */
  readonly body: string;

  constructor(status: number, headers: HttpHeaders, body: string) {
    super(`the server answered ${status} instead of opening a WebSocket`);
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/** Reports whether the error is a `UpgradeRefusedError`, also one of another copy of this package. */
export function isUpgradeRefusedError(error: unknown): error is UpgradeRefusedError {
  return brand.is(error);
}

/** How a closing is told to people. */
export function closeText(code: number, reason: string): string {
  return code === 1006 ? "the connection broke" : `the connection was closed with code ${code}${reason === "" ? "" : `: ${reason}`}`;
}
