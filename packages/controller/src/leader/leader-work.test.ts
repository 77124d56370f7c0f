import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { LeaseFence } from "./fence.ts";
import { LeaderWork } from "./leader-work.ts";

function rig(start: (signal: AbortSignal) => Promise<void> | void): {
  readonly fence: LeaseFence;
  readonly work: LeaderWork;
  readonly failures: (readonly [unknown, boolean])[];
} {
  const clock = new ManualClock();
  const fence = new LeaseFence({ lease: "shop/web", clock });
  const token = fence.hold({ until: { monotonicMs: 10_000, wallMs: clock.now() + 10_000 }, transitions: 1 });
  const failures: (readonly [unknown, boolean])[] = [];
  return { fence, failures, work: new LeaderWork(token, { start, onFailure: (error, isLate) => void failures.push([error, isLate]) }) };
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

describe("LeaderWork", () => {
  it("stops with its term, which is not a failure", async () => {
    const { fence, work, failures } = rig(untilAborted);
    expect(work.hasEnded).toBe(false);
    fence.close("lost");
    await work.ended;
    expect([work.hasEnded, failures]).toEqual([true, []]);
  });

  it("stops earlier on request", async () => {
    const reasons: unknown[] = [];
    const { work, failures } = rig((signal) => untilAborted(signal).catch((error: unknown) => void reasons.push(error)));
    work.stop("enough");
    await work.ended;
    expect([reasons, failures]).toEqual([["enough"], []]);
  });

  it("may end by itself", async () => {
    const { work, failures } = rig(() => undefined);
    await work.ended;
    expect([work.hasEnded, failures]).toEqual([true, []]);
  });

  it.each(["throws", "rejects"])("reports a failure when it %s, and whether it was already stopping", async (how) => {
    const failure = new Error("broken");
    const early = rig(() => {
      if (how === "throws") throw failure;
      return Promise.reject(failure);
    });
    await early.work.ended;
    expect(early.failures).toEqual([[failure, false]]);
    const late = rig((signal) => untilAborted(signal).catch(() => Promise.reject(failure)));
    late.work.stop("enough");
    await late.work.ended;
    expect(late.failures).toEqual([[failure, true]]);
  });
});
