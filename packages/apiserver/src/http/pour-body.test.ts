import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { TestFeed } from "../feed/testing/test-feed.ts";
import { LineMemo } from "./line-memo.ts";
import { pourBody } from "./pour-body.ts";
import type { ByteSink, PourLimits } from "./pour-body.ts";
import { WaitingBytes } from "./waiting-bytes.ts";

const limits = (bytesMax = Infinity): PourLimits => ({
  lines: new LineMemo((piece) => Buffer.from(piece)),
  waiting: new WaitingBytes({ bytesMax, clock: new ManualClock(), onEnded: () => undefined }),
});

/** A sink that is full after each `room` writes until `drain` is called. */
class TestSink implements ByteSink {
  readonly written: string[] = [];
  /** How often the body waited for room. */
  waits = 0;
  /** What the client has not read. */
  unread = 0;
  readonly #room: number;
  #closed = false;
  #onClosed: () => void = () => undefined;
  #drain: () => void = () => undefined;

  constructor(room = Infinity) {
    this.#room = room;
  }

  readonly write = (bytes: Uint8Array): boolean => this.written.push(new TextDecoder().decode(bytes)) % this.#room !== 0;
  readonly waitingBytes = (): number => this.unread;
  readonly cut = (): void => this.close();
  readonly isClosed = (): boolean => this.#closed;
  readonly onClosed = (callback: () => void): void => void (this.#onClosed = callback);
  readonly drained = (): Promise<void> => {
    this.waits++;
    return new Promise((resolve) => void (this.#drain = resolve));
  };
  readonly drain = (): void => this.#drain();
  readonly close = (): void => {
    this.#closed = true;
    this.#onClosed();
    this.#drain();
  };
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

describe("pourBody with an async iterable", () => {
  it("writes piece by piece, in order", async () => {
    const sink = new TestSink();
    await pourBody(
      (async function* () {
        yield "a";
        yield Uint8Array.of(98);
        yield "c";
      })(),
      sink,
      limits(),
    );
    expect(sink.written).toEqual(["a", "b", "c"]);
  });

  it("waits until the sink drains", async () => {
    const sink = new TestSink(2);
    let made = 0;
    const poured = pourBody(
      (async function* () {
        for (; made < 5; made++) yield "x";
      })(),
      sink,
      limits(),
    );
    await turns();
    expect([sink.written.length, made]).toEqual([2, 1]);
    sink.drain();
    await turns();
    expect(sink.written.length).toBe(4);
    sink.drain();
    await poured;
    expect(sink.written.length).toBe(5);
  });

  it("dismisses an idle body when the client disconnects", async () => {
    const sink = new TestSink();
    let returned = false;
    let release: (result: IteratorResult<string>) => void = () => undefined;
    const body: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise((resolve) => void (release = resolve)),
        return: () => {
          returned = true;
          release({ done: true, value: undefined });
          return Promise.resolve({ done: true, value: undefined });
        },
      }),
    };
    const poured = pourBody(body, sink, limits());
    await turns();
    sink.close();
    await poured;
    expect([returned, sink.written]).toEqual([true, []]);
  });

  it("dismisses the body when the client is already gone", async () => {
    const sink = new TestSink();
    sink.close();
    let returned = false;
    const body: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.reject(new Error("not to be asked")),
        return: () => Promise.resolve({ done: (returned = true), value: undefined }),
      }),
    };
    await pourBody(body, sink, limits());
    expect(returned).toBe(true);
  });

  it("rejects with the body's error only while the client is connected", async () => {
    const broken = new Error("broken");
    await expect(
      pourBody({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(broken) }) }, new TestSink(), limits()),
    ).rejects.toBe(broken);
    const sink = new TestSink();
    const poured = pourBody(
      {
        [Symbol.asyncIterator]: () => ({
          next: () => {
            sink.close();
            return Promise.reject(broken);
          },
          return: () => Promise.reject(broken),
        }),
      },
      sink,
      limits(),
    );
    await expect(poured).resolves.toBeUndefined();
  });
});

describe("pourBody with a feed", () => {
  it("writes in the same turn, until the feed ends", async () => {
    const feed = new TestFeed<string>();
    feed.tell("a");
    const sink = new TestSink();
    const poured = pourBody(feed, sink, limits());
    expect(sink.written).toEqual(["a"]);
    feed.tell("b", "c");
    expect(sink.written).toEqual(["a", "b", "c"]);
    feed.end();
    await poured;
  });

  it("waits for a slow client only", async () => {
    const feeds = [new TestFeed<string>(), new TestFeed<string>(), new TestFeed<string>()] as const;
    const slow = new TestSink(2);
    const [before, after] = [new TestSink(), new TestSink()];
    const memo = limits();
    const poured = Promise.all([pourBody(feeds[0], before, memo), pourBody(feeds[1], slow, memo), pourBody(feeds[2], after, memo)]);
    for (const piece of ["a", "b", "c", "d", "e"]) for (const feed of feeds) feed.tell(piece);
    expect([before.written.join(""), slow.written.join(""), after.written.join("")]).toEqual(["abcde", "ab", "abcde"]);
    expect([feeds[1].ready.length, slow.waits]).toEqual([3, 1]);
    slow.drain();
    await turns();
    expect(slow.written.join("")).toBe("abcd");
    slow.drain();
    await turns();
    feeds[1].tell("f");
    expect([slow.written.join(""), feeds[1].ready.length]).toEqual(["abcdef", 0]);
    for (const feed of feeds) feed.end();
    slow.drain();
    await poured;
  });

  it("dismisses the feed when the client disconnects, whether it waits, is full or was never there", async () => {
    for (const room of [Infinity, 1]) {
      const feed = new TestFeed<string>();
      const sink = new TestSink(room);
      feed.tell("a");
      const poured = pourBody(feed, sink, limits());
      sink.close();
      await poured;
      feed.tell("b");
      expect([sink.written, feed.isDismissed]).toEqual([["a"], true]);
    }
    const sink = new TestSink();
    sink.close();
    const feed = new TestFeed<string>();
    feed.tell("a");
    await pourBody(feed, sink, limits());
    expect([sink.written, feed.isDismissed]).toEqual([[], true]);
  });

  it("rejects with the feed's error only while the client is connected", async () => {
    const broken = new Error("broken");
    const feed = new TestFeed<string>();
    const poured = pourBody(feed, new TestSink(), limits());
    feed.break(broken);
    await expect(poured).rejects.toBe(broken);
    const late = new TestFeed<string>();
    const sink = new TestSink();
    late.ready.push(() => {
      sink.close();
      throw broken;
    });
    await expect(pourBody(late, sink, limits())).resolves.toBeUndefined();
  });

  it("ends the slowest clients when too many bytes wait for all of them, and no others", async () => {
    const feeds = [new TestFeed<string>(), new TestFeed<string>(), new TestFeed<string>()] as const;
    const sinks = [new TestSink(), new TestSink(1), new TestSink()] as const;
    const shared = limits(20_000);
    const poured = feeds.map((feed, index) => pourBody(feed, sinks[index] as TestSink, shared));
    sinks[0].unread = 5000;
    sinks[1].unread = 9000;
    for (const feed of feeds) feed.tell("a");
    expect(sinks.map((sink) => sink.isClosed())).toEqual([false, false, false]);
    sinks[2].unread = 7000;
    feeds[2].tell("b");
    expect(sinks.map((sink) => sink.isClosed())).toEqual([false, true, false]);
    await poured[1];
    expect(feeds.map(({ isDismissed }) => isDismissed)).toEqual([false, true, false]);
    for (const feed of feeds) feed.tell("c");
    expect(sinks.map(({ written }) => written.join(""))).toEqual(["ac", "a", "abc"]);
    for (const feed of feeds) feed.end();
    await Promise.all(poured);
  });

  it("counts what the feed keeps for its reader", async () => {
    const feed = Object.assign(new TestFeed<string>(), { heldBytes: () => 30_000 });
    const sink = new TestSink(1);
    feed.tell("a", "b");
    await pourBody(feed, sink, limits(20_000));
    expect([sink.isClosed(), feed.isDismissed, sink.written]).toEqual([true, true, ["a"]]);
  });
});
