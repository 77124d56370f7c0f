import { describe, expect, it } from "vitest";
import { feedIterator } from "./feed-iterator.ts";
import { TestFeed } from "./testing/test-feed.ts";

describe("feedIterator", () => {
  it("yields available and later values in order until the feed ends", async () => {
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

  it("serves concurrent calls of next in order", async () => {
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

  it("rejects once when the feed fails, then is done", async () => {
    const feed = new TestFeed<number>();
    const iterator = feedIterator(feed);
    const asked = iterator.next();
    const broken = new Error("broken");
    feed.break(broken);
    await expect(asked).rejects.toBe(broken);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  it("return resolves a pending next", async () => {
    const feed = new TestFeed<number>();
    const iterator = feedIterator(feed);
    const asked = iterator.next();
    await iterator.return?.();
    expect([await asked, feed.isDismissed]).toEqual([{ done: true, value: undefined }, true]);
  });
});
