import { describe, expect, it } from "vitest";
import { feedIterator } from "./feed-iterator.ts";
import { TestFeed } from "./testing/test-feed.ts";

describe("a feed in a loop", () => {
  it("gives what is there and what comes, in order, until the end", async () => {
    const feed = new TestFeed<number>();
    feed.tell(1, 2);
    const read = (async (): Promise<number[]> => {
      const seen: number[] = [];
      for await (const value of feed) seen.push(value);
      return seen;
    })();
    await Promise.resolve();
    feed.tell(3);
    feed.end();
    expect(await read).toEqual([1, 2, 3]);
  });

  it("answers those who ask all at once one after the other", async () => {
    const feed = new TestFeed<number>();
    const iterator = feedIterator(feed);
    const asked = [iterator.next(), iterator.next(), iterator.next()];
    feed.tell(1);
    feed.tell(2);
    feed.end();
    expect(await Promise.all(asked)).toEqual([
      { done: false, value: 1 },
      { done: false, value: 2 },
      { done: true, value: undefined },
    ]);
  });

  it("rejects once when the feed breaks off, and is at its end then", async () => {
    const feed = new TestFeed<number>();
    const iterator = feedIterator(feed);
    const asked = iterator.next();
    const broken = new Error("broken");
    feed.break(broken);
    await expect(asked).rejects.toBe(broken);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  it("lets a reader go who waits for something", async () => {
    const feed = new TestFeed<number>();
    const iterator = feedIterator(feed);
    const asked = iterator.next();
    await iterator.return?.();
    expect([await asked, feed.isDismissed]).toEqual([{ done: true, value: undefined }, true]);
  });
});
