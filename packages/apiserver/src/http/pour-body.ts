/** A body into a connection, as fast as the other side takes it. */
import { isFeed } from "../feed/feed.ts";
import type { Feed } from "../feed/feed.ts";
import type { LineMemo } from "./line-memo.ts";

/** What bytes can be written to. */
export interface ByteSink {
  /** False when nothing more should come until `drained`. */
  readonly write: (bytes: Uint8Array) => boolean;
  /** Resolves when there is room again, and also when there never will be. */
  readonly drained: () => Promise<void>;
  readonly isClosed: () => boolean;
  /** Calls back once, when nobody is there any more to take bytes. */
  readonly onClosed: (callback: () => void) => void;
}

type Piece = string | Uint8Array;

/**
 * Resolves when the body has come to its end or the other side has gone, and the body has been told. Rejects with what the body throws
 * while somebody is still there to miss the rest.
 */
export async function pourBody(body: AsyncIterable<Piece>, sink: ByteSink, lines: LineMemo): Promise<void> {
  if (isFeed(body)) return await pourFeed(body, sink, lines);
  const iterator = body[Symbol.asyncIterator]();
  // A body may be waiting for something that comes in an hour. What it says to its dismissal is nobody's business any more.
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

/** What has come goes out in the very turn in which it has come, until the other side is full; then nothing is taken until it has room. */
function pourFeed(feed: Feed<Piece>, sink: ByteSink, lines: LineMemo): Promise<void> {
  return new Promise((resolve, reject) => {
    let isFull = false;
    const end = (): void => {
      feed.dismiss();
      resolve();
    };
    const room = (): void => {
      isFull = false;
      flow();
    };
    const flow = (): void => {
      try {
        while (!isFull && !sink.isClosed()) {
          const piece = feed.take();
          if (piece === undefined) return feed.isOver ? resolve() : undefined;
          isFull = !sink.write(lines.bytesOf(piece));
        }
      } catch (error) {
        feed.dismiss();
        return sink.isClosed() ? resolve() : reject(error);
      }
      if (sink.isClosed()) end();
      else sink.drained().then(room, reject);
    };
    sink.onClosed(end);
    feed.onNews(() => {
      if (!isFull) flow();
    });
    flow();
  });
}
