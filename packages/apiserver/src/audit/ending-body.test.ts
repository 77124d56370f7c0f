import { describe, expect, it } from "vitest";
import { TestFeed } from "../feed/testing/test-feed.ts";
import { isFeed } from "../feed/feed.ts";
import { endingBody } from "./ending-body.ts";

async function* pieces(...all: readonly string[]): AsyncGenerator<string> {
  yield* all;
}

describe("endingBody", () => {
  it("passes on every piece and calls back once at the end", async () => {
    let ends = 0;
    const seen: unknown[] = [];
    for await (const piece of endingBody(pieces("a", "b"), () => void ends++)) seen.push(piece, ends);
    expect([seen, ends]).toEqual([["a", 0, "b", 0], 1]);
  });

  it("calls back when the reader leaves a loop", async () => {
    let ends = 0;
    for await (const piece of endingBody(pieces("a", "b"), () => void ends++)) if (piece === "a") break;
    expect(ends).toBe(1);
  });

  it("keeps a feed a feed, and calls back when it is over or dismissed", () => {
    let ends = 0;
    const feed = new TestFeed<string>();
    const body = endingBody(feed, () => void ends++);
    if (!isFeed(body)) expect.fail("no longer a feed");
    feed.tell("a");
    expect([body.take(), body.take(), ends]).toEqual(["a", undefined, 0]);
    feed.end();
    expect([body.take(), body.isOver, ends]).toEqual([undefined, true, 1]);
    body.dismiss();
    expect(ends).toBe(1);
    const other = new TestFeed<string>();
    const dismissed = endingBody(other, () => void ends++);
    if (isFeed(dismissed)) dismissed.dismiss();
    expect([other.isDismissed, ends]).toEqual([true, 2]);
  });

  it("calls back when a feed fails", () => {
    let ends = 0;
    const feed = new TestFeed<string>();
    const body = endingBody(feed, () => void ends++);
    feed.break(new Error("broken"));
    expect(() => isFeed(body) && body.take()).toThrow("broken");
    expect(ends).toBe(1);
  });
});
