/** Writes a body to a connection, as fast as the client reads. */
import { isFeed } from "../feed/feed.ts";
import type { Feed } from "../feed/feed.ts";
import type { LineMemo } from "./line-memo.ts";
import type { WaitingBytes, WaitingStream } from "./waiting-bytes.ts";

/** A destination for bytes. */
export interface ByteSink {
  /** Returns false when the caller should wait for `drained`. */
  readonly write: (bytes: Uint8Array) => boolean;
  /** Returns the bytes that were written and that the client has not taken. */
  readonly waitingBytes: () => number;
  /** Closes the connection at once, without what waits. */
  readonly cut: () => void;
  /** Resolves when there is room again, or the connection is closed. */
  readonly drained: () => Promise<void>;
  readonly isClosed: () => boolean;
  /** Calls back once, when the connection is closed. */
  readonly onClosed: (callback: () => void) => void;
}

/** How pieces are encoded, and what bounds those that wait. */
export interface PourLimits {
  readonly lines: LineMemo;
  /** Counts what waits for the clients of feeds. */
  readonly waiting: WaitingBytes;
}

type Piece = string | Uint8Array;

/**
 * Resolves when the body has ended or the connection is closed, after dismissing the body. Rejects with the body's error while
 * the connection is open.
 */
export async function pourBody(body: AsyncIterable<Piece>, sink: ByteSink, { lines, waiting }: PourLimits): Promise<void> {
  if (isFeed(body)) return await pourFeed(body, sink, { lines, waiting });
  const iterator = body[Symbol.asyncIterator]();
  // A body may block for a long time; dismiss it without waiting. Errors of the dismissal do not matter.
  if (sink.isClosed()) return await dismiss(iterator);
  sink.onClosed(() => void dismiss(iterator));
  try {
    while (!sink.isClosed()) {
      const next = await iterator.next();
      if (next.done === true || sink.isClosed()) return;
      if (!sink.write(lines.bytesOf(next.value))) await sink.drained();
    }
  } catch (error) {
    if (!sink.isClosed()) throw error;
  }
}

async function dismiss(iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    return;
  }
}

/** Writes available pieces in the same turn until the sink is full, then waits for it to drain. */
function pourFeed(feed: Feed<Piece>, sink: ByteSink, { lines, waiting }: PourLimits): Promise<void> {
  const stream: WaitingStream = {
    waitingBytes: () => sink.waitingBytes() + (feed.heldBytes?.() ?? 0),
    end: () => {
      sink.cut();
      feed.dismiss();
    },
  };
  const poured = new Promise<void>((resolve, reject) => {
    let isFull = false;
    const end = (): void => {
      feed.dismiss();
      resolve();
    };
    const room = (): void => {
      isFull = false;
      waiting.forget(stream);
      flow();
    };
    const flow = (): void => {
      try {
        while (!isFull && !sink.isClosed()) {
          const piece = feed.take();
          if (piece === undefined) return feed.isOver ? resolve() : waiting.note(stream);
          isFull = !sink.write(lines.bytesOf(piece));
        }
      } catch (error) {
        feed.dismiss();
        return sink.isClosed() ? resolve() : reject(error);
      }
      if (isFull) waiting.note(stream);
      if (sink.isClosed()) end();
      else sink.drained().then(room, reject);
    };
    sink.onClosed(end);
    feed.onNews(() => {
      if (!isFull) flow();
    });
    flow();
  });
  return poured.finally(() => waiting.forget(stream));
}
