/**
 * Two ends of a WebSocket in one process, for tests and for a server in the same process.
 *
 *     const [client, server] = webSocketPair("v5.channel.k8s.io");
 */
import { StreamError } from "./stream-error.ts";
import { MessageQueue } from "./message-queue.ts";
import { closeText } from "./web-socket.ts";
import type { WebSocketChannel, WebSocketClose, WebSocketMessage } from "./web-socket.ts";

/** One end, which can also break. */
export interface WebSocketEnd extends WebSocketChannel {
  /** Closes with this code and reason. */
  closeWith(code: number, reason: string): void;
  /** Breaks the connection of both ends, without a closing frame. */
  cut(): void;
}

/** Returns two connected ends with this `protocol`. A send resolves when the other end has room. */
export function webSocketPair(protocol: string): readonly [WebSocketEnd, WebSocketEnd] {
  const closing = new Closing();
  const there = new Direction(closing);
  const back = new Direction(closing);
  return [end(protocol, back, there, closing), end(protocol, there, back, closing)];
}

class Closing {
  state: WebSocketClose | undefined;
  readonly #listeners: ((close: WebSocketClose) => void)[] = [];
  readonly closed: Promise<WebSocketClose> = new Promise((resolve) => this.#listeners.push(resolve));

  listen(listener: (close: WebSocketClose) => void): void {
    this.#listeners.push(listener);
  }

  close(code: number, reason: string): void {
    if (this.state !== undefined) return;
    this.state = { code, reason };
    for (const listener of this.#listeners) listener(this.state);
  }
}

class Direction {
  readonly queue: MessageQueue<WebSocketMessage>;
  readonly #closing: Closing;
  #room: { readonly promise: Promise<void>; readonly open: () => void } | undefined;

  constructor(closing: Closing) {
    this.#closing = closing;
    this.queue = new MessageQueue({ onFull: (full) => this.#setFull(full) });
    closing.listen(({ code, reason }) => {
      if (code === 1000) this.queue.end();
      else this.queue.fail(new StreamError("lost", closeText(code, reason)));
      this.#setFull(false);
    });
  }

  async send(message: WebSocketMessage): Promise<void> {
    if (this.#closing.state !== undefined) throw new StreamError("lost", "the connection is closed");
    this.queue.push(message);
    await this.#room?.promise;
    if (this.#closing.state !== undefined) throw new StreamError("lost", "the connection is closed");
  }

  #setFull(full: boolean): void {
    this.#room?.open();
    this.#room = undefined;
    if (!full) return;
    let open = (): void => undefined;
    const promise = new Promise<void>((resolve) => (open = resolve));
    this.#room = { promise, open };
  }
}

function end(protocol: string, incoming: Direction, outgoing: Direction, closing: Closing): WebSocketEnd {
  return {
    protocol,
    messages: incoming.queue,
    closed: closing.closed,
    send: (message) => outgoing.send(message),
    close: () => {
      closing.close(1000, "");
      incoming.queue.discard();
      return Promise.resolve();
    },
    closeWith: (code, reason) => closing.close(code, reason),
    cut: () => closing.close(1006, ""),
  };
}
