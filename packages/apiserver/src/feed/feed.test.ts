import { describe, expect, it } from "vitest";
import { isFeed } from "./feed.ts";
import { PulledFeed } from "./pulled-feed.ts";

describe("isFeed", () => {
  it("tells a feed from what can only be read in a loop", () => {
    const loop = (async function* () {
      yield 1;
    })();
    expect([isFeed(loop), isFeed(new PulledFeed(loop))]).toEqual([false, true]);
  });
});
