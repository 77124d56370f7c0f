import { describe, expect, it } from "vitest";
import { PulledFeed } from "./pulled-feed.ts";

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

describe("PulledFeed", () => {
  it("requests one value at a time and notifies when it arrives", async () => {
    let made = 0;
    const feed = new PulledFeed(
      (async function* () {
        for (; made < 3; made++) yield made;
      })(),
    );
    let news = 0;
    feed.onNews(() => void news++);
    await turns();
    expect([made, news]).toEqual([0, 0]);
    expect([feed.take(), feed.take()]).toEqual([undefined, undefined]);
    await turns();
    expect([made, news, feed.take()]).toEqual([0, 1, 0]);
    expect(feed.take()).toBe(undefined);
    await turns();
    expect([feed.take(), feed.take()]).toEqual([1, undefined]);
    await turns();
    expect([feed.take(), feed.take(), feed.isOver]).toEqual([2, undefined, false]);
    await turns();
    expect([feed.take(), feed.isOver, news]).toEqual([undefined, true, 4]);
  });

  it("throws the source's error once", async () => {
    const broken = new Error("broken");
    const feed = new PulledFeed<number>({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(broken) }) });
    feed.take();
    await turns();
    expect(() => feed.take()).toThrow(broken);
    expect([feed.take(), feed.isOver]).toEqual([undefined, true]);
  });

  it("dismisses its source and stays silent afterwards", async () => {
    let returned = 0;
    let release: (result: IteratorResult<number>) => void = () => undefined;
    const feed = new PulledFeed<number>({
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise((resolve) => void (release = resolve)),
        return: () => {
          returned++;
          return Promise.reject(new Error("ignored"));
        },
      }),
    });
    let news = 0;
    feed.onNews(() => void news++);
    feed.take();
    feed.dismiss();
    feed.dismiss();
    release({ done: false, value: 1 });
    await turns();
    expect([feed.take(), feed.isOver, returned, news]).toEqual([undefined, true, 1, 0]);
  });

  it("can be iterated", async () => {
    const feed = new PulledFeed(
      (async function* () {
        yield "a";
        yield "b";
      })(),
    );
    const seen: string[] = [];
    for await (const value of feed) seen.push(value);
    expect(seen).toEqual(["a", "b"]);
  });
});
