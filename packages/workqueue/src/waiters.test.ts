import { describe, expect, it } from "vitest";
import { Waiters } from "./waiters.ts";

describe("Waiters", () => {
  it("resolves in the order of waiting", async () => {
    const waiters = new Waiters<number>();
    const all = [waiters.wait(undefined), waiters.wait(undefined), waiters.wait(undefined)];
    waiters.hand(1);
    waiters.hand(2);
    expect(waiters.size).toBe(1);
    waiters.handAll(3);
    expect(await Promise.all(all)).toEqual([1, 2, 3]);
  });

  it("rejects a waiter with the reason of its signal, and serves the next", async () => {
    const waiters = new Waiters<number>();
    const controller = new AbortController();
    const [leaves, stays] = [waiters.wait(controller.signal), waiters.wait(undefined)];
    controller.abort("enough");
    waiters.hand(1);
    await expect(leaves).rejects.toBe("enough");
    expect(await stays).toBe(1);
    expect(waiters.size).toBe(0);
  });

  it("keeps a delivered value when the signal aborts afterwards", async () => {
    const waiters = new Waiters<number>();
    const controller = new AbortController();
    const served = waiters.wait(controller.signal);
    waiters.hand(1);
    controller.abort("too late");
    expect(await served).toBe(1);
    expect(waiters.size).toBe(0);
  });
});
