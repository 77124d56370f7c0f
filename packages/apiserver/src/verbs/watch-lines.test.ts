import { describe, expect, it } from "vitest";
import { TestFeed } from "../feed/testing/test-feed.ts";
import { errorFrame } from "../registry/watch-frames.ts";
import type { WatchFrame } from "../registry/watch-frames.ts";
import type { StoreBatch } from "../storage/store.ts";
import { WatchLines } from "./watch-lines.ts";
import type { WatchSource } from "./watch-lines.ts";

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

/** A frame identified by its message. */
const frame = (message: string): WatchFrame => errorFrame({ kind: "Status", apiVersion: "v1", metadata: {}, message });

const batch = (...keys: readonly string[]): StoreBatch => ({
  revision: 1,
  events: keys.map((key) => ({ revision: 1, key, current: undefined, previous: undefined })),
});

interface Watched {
  readonly lines: WatchLines<string>;
  readonly batches: TestFeed<StoreBatch>;
  readonly released: () => number;
}

function watched(
  initial: readonly string[],
  begin: (source: WatchSource) => Promise<WatchSource> = (source) => Promise.resolve(source),
): Watched {
  const batches = new TestFeed<StoreBatch>();
  let releases = 0;
  const lines = new WatchLines<string>({
    begin: () => begin({ initial: initial.map(frame), batches, framesOf: ({ events }) => events.map(({ key }) => frame(key)) }),
    print: ({ body }) => body.object()["message"] as string,
    lastFrame: (error) => {
      if (error instanceof RangeError) return frame(error.message);
      if (error instanceof TypeError) return undefined;
      throw error;
    },
    release: () => void releases++,
  });
  return { lines, batches, released: () => releases };
}

/** Returns everything that can be taken now. */
function taken(lines: WatchLines<string>): readonly string[] {
  const all: string[] = [];
  for (let line = lines.take(); line !== undefined; line = lines.take()) all.push(line);
  return all;
}

describe("WatchLines", () => {
  it("starts on the first read, with the initial frames, then follows the store", async () => {
    const { lines, batches, released } = watched(["a", "b"]);
    let news = 0;
    lines.onNews(() => void news++);
    await turns();
    expect([news, lines.take()]).toEqual([0, undefined]);
    await turns();
    expect([news, taken(lines)]).toEqual([1, ["a", "b"]]);
    batches.tell(batch("c", "d"), batch(), batch("e"));
    expect([news, taken(lines), lines.isOver]).toEqual([2, ["c", "d", "e"], false]);
    batches.end();
    expect([taken(lines), lines.isOver, released()]).toEqual([[], true, 1]);
  });

  it("keeps the order of frames written while the initial ones are read", async () => {
    const { lines, batches } = watched(["a", "b", "c"]);
    lines.take();
    await turns();
    expect(lines.take()).toBe("a");
    batches.tell(batch("d"));
    expect(taken(lines)).toEqual(["b", "c", "d"]);
  });

  it("ends with an error frame, without one, or throws", async () => {
    for (const [error, last] of [
      [new RangeError("too old"), ["x", "too old"]],
      [new TypeError("over"), ["x"]],
    ] as const) {
      const { lines, batches, released } = watched([]);
      lines.take();
      await turns();
      batches.tell(batch("x"));
      batches.break(error);
      expect([taken(lines), lines.isOver, released()]).toEqual([last, true, 1]);
    }
    const { lines, batches, released } = watched([]);
    lines.take();
    await turns();
    batches.break(new Error("a bug"));
    expect(() => lines.take()).toThrow("a bug");
    expect([lines.take(), lines.isOver, released()]).toEqual([undefined, true, 1]);
  });

  it("reports why the watch could not start", async () => {
    const { lines, released } = watched([], () => Promise.reject(new RangeError("too large")));
    lines.take();
    await turns();
    expect([taken(lines), lines.isOver, released()]).toEqual([["too large"], true, 1]);
  });

  it("releases everything when its reader leaves, even before it started", async () => {
    let open: () => void = () => undefined;
    const { lines, batches, released } = watched(["a"], (source) => new Promise((resolve) => void (open = (): void => resolve(source))));
    lines.take();
    lines.dismiss();
    expect(released()).toBe(1);
    open();
    await turns();
    expect([lines.take(), batches.isDismissed, released()]).toEqual([undefined, true, 1]);
    const unread = watched(["a"]);
    unread.lines.dismiss();
    expect([unread.lines.take(), unread.released()]).toEqual([undefined, 0]);
  });
});
