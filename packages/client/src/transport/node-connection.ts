/**
 * A socket that carries HTTP/1.1, one exchange at a time. Node's own client needs three times as much processor time for a small request.
 *
 *     open(method, user) → write … socket → ResponseReader → user.head, body, end, read … close
 */
import type { Socket } from "node:net";
import { ResponseReader } from "./response-reader.ts";
import type { ResponseSink } from "./response-reader.ts";

/** An exchange that uses the connection. */
export interface ConnectionUser extends ResponseSink {
  /** Everything of one read of the socket has been passed on. */
  read(): void;
  /** The response will not be completed. Undefined if the other side closed the connection in order. */
  failed(error: unknown): void;
}

export interface NodeConnectionOptions {
  readonly headerBytesMax: number;
  /** How long it may be idle. */
  readonly keepAliveMs: number;
  /** Takes no request after this time. */
  readonly expiresMs: number;
}

/** Guarantees: `failed` is called at most once for a user, and nothing else after it; bytes without a user close the connection. */
export class NodeConnection {
  readonly socket: Socket;
  readonly expiresMs: number;
  /** How many exchanges have begun. */
  exchanges = 0;
  /** Undefined while it is in use or was closed by ourselves. */
  idleSinceMs: number | undefined;
  readonly #keepAliveMs: number;
  readonly #reader: ResponseReader;
  #user: ConnectionUser | undefined;

  constructor(socket: Socket, { headerBytesMax, keepAliveMs, expiresMs }: NodeConnectionOptions) {
    this.socket = socket;
    this.expiresMs = expiresMs;
    this.#keepAliveMs = keepAliveMs;
    this.#reader = new ResponseReader({ headerBytesMax });
    socket.on("data", (bytes: Uint8Array) => this.#take(bytes));
    socket.on("end", () => this.#ended());
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", () => this.#fail(undefined));
    socket.on("timeout", () => {
      this.idleSinceMs = undefined;
      socket.destroy();
    });
  }

  /** Begins an exchange. */
  open(method: string, user: ConnectionUser): void {
    this.#reader.begin(method, user);
    this.#user = user;
    this.exchanges++;
    this.idleSinceMs = undefined;
    this.socket.setTimeout(0);
    // The reader of the previous body may have left it paused.
    if (this.socket.isPaused()) this.socket.resume();
  }

  /** The exchange is over, and the connection can take another. `limitMs` is how long the server keeps it. */
  rest(nowMs: number, limitMs: number = Infinity): void {
    this.#user = undefined;
    this.idleSinceMs = nowMs;
    this.socket.setTimeout(Math.min(this.#keepAliveMs, limitMs));
    // A close is noticed only by a socket that is read.
    if (this.socket.isPaused()) this.socket.resume();
  }

  #take(bytes: Uint8Array): void {
    const user = this.#user;
    try {
      this.#reader.push(bytes);
    } catch (error) {
      // What came before it is still passed on.
      user?.read();
      this.#fail(error);
      this.socket.destroy();
      return;
    }
    user?.read();
  }

  #ended(): void {
    const user = this.#user;
    if (this.#reader.close()) user?.read();
    else this.#fail(undefined);
  }

  #fail(error: unknown): void {
    const user = this.#user;
    this.#user = undefined;
    user?.failed(error);
  }
}
