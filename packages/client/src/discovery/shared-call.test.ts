import { describe, expect, it } from "vitest";
import { SharedCall } from "./shared-call.ts";

describe("SharedCall", () => {
  it("returns its result to all waiters, and calls `ended` once", async () => {
    const ends: string[] = [];
    const call = new SharedCall(
      async () => 7,
      () => ends.push("ended"),
    );
    const controller = new AbortController();
    expect(await Promise.all([call.join(), call.join({ signal: controller.signal })])).toEqual([7, 7]);
    controller.abort();
    expect(ends).toEqual(["ended"]);
  });

  it("rejects for all waiters", async () => {
    const broken = new Error("broken");
    const call = new SharedCall(
      () => Promise.reject(broken),
      () => undefined,
    );
    await expect(call.join()).rejects.toBe(broken);
    await expect(call.join()).rejects.toBe(broken);
  });

  it("aborts its task when the last waiter has left, and not before", async () => {
    const seen: AbortSignal[] = [];
    const ends: string[] = [];
    const call = new SharedCall<never>(
      (signal) =>
        new Promise((_, reject) => {
          seen.push(signal);
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
      () => ends.push("ended"),
    );
    const [one, two] = [new AbortController(), new AbortController()];
    const waits = [one, two].map(async ({ signal }) => call.join({ signal }).catch((reason: unknown) => reason));
    await Promise.resolve();
    one.abort("one");
    expect(await waits[0]).toBe("one");
    expect([seen[0]?.aborted, ends.length]).toEqual([false, 0]);
    two.abort("two");
    expect(await waits[1]).toBe("two");
    expect([seen[0]?.aborted, ends.length]).toEqual([true, 1]);
  });

  it("does not start for a waiter that has already aborted", async () => {
    const seen: AbortSignal[] = [];
    const call = new SharedCall(
      async (signal) => void seen.push(signal),
      () => undefined,
    );
    await expect(call.join({ signal: AbortSignal.abort("gone") })).rejects.toBe("gone");
    expect(seen.every(({ aborted }) => aborted)).toBe(true);
  });
});
