import { describe, expect, it } from "vitest";
import { isFeed } from "./feed.ts";
import { PulledFeed } from "./pulled-feed.ts";

describe("isFeed", () => {
  it("distinguishes a feed from a plain async iterable", () => {
    const loop = (async function* () {
      yield 1;
    })();
    expect([isFeed(loop), isFeed(new PulledFeed(loop))]).toEqual([false, true]);
  });
});
