import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { updated } from "../testing/changes.ts";
import { OwnWrites } from "./own-writes.ts";
import { TapedRun } from "./taped-run.ts";
import { seen, shop, shopKey } from "./testing/tape-scene.ts";

const start = {
  run: "7f#1",
  controller: "web",
  key: shopKey,
  causes: [seen(updated(shop(1), shop(2, { replicas: 4 })))],
  causeCount: 3,
  attempts: 2,
  waitedMs: 5,
};
const call = { method: "PUT", path: "/x", atMs: 0, tookMs: 1, status: 200 };

function taped(callsMax = 2): {
  readonly clock: ManualClock;
  readonly ended: TapedRun[];
  readonly ownWrites: OwnWrites;
  readonly run: TapedRun;
} {
  const clock = new ManualClock();
  const ended: TapedRun[] = [];
  const ownWrites = new OwnWrites(10);
  return {
    clock,
    ended,
    ownWrites,
    run: new TapedRun(start, { clock, callsMax, ownWrites, grew: () => undefined, ended: (run) => ended.push(run) }),
  };
}

describe("TapedRun", () => {
  it("can be described while it runs, and completely when it has ended", async () => {
    const { clock, run, ended } = taped();
    const begun = {
      run: "7f#1",
      controller: "web",
      key: shopKey,
      startedAt: clock.now(),
      waitedMs: 5,
      attempts: 2,
      causeCount: 3,
      calls: [],
      callCount: 0,
    };
    expect(run.describe(new Map())).toEqual({
      ...begun,
      causes: [expect.objectContaining({ fields: [{ path: "spec.replicas", before: "1", after: "4" }], fieldCount: 1 })],
    });
    run.call(call);
    await clock.advance(30);
    run.end({ type: "done" });
    expect(run.describe(new Map())).toMatchObject({ tookMs: 30, calls: [call], callCount: 1, result: { type: "done" } });
    expect(ended).toEqual([run]);
  });

  it("ends once: the reconcile of an abandoned run may still end", async () => {
    const { clock, run, ended } = taped();
    run.end({ type: "abandoned", reason: "deadline" });
    await clock.advance(30);
    run.end({ type: "done" });
    expect(run.describe(new Map())).toMatchObject({ tookMs: 0, result: { type: "abandoned" } });
    expect(ended).toHaveLength(1);
  });

  it("keeps its first calls, counts all, and remembers every write", () => {
    const { run, ownWrites } = taped(2);
    for (let index = 0; index < 5; index++) run.call({ ...call, wrote: { uid: `u${index}`, resourceVersion: "1" } });
    expect(run.describe(new Map())).toMatchObject({ calls: { length: 2 }, callCount: 5 });
    expect(ownWrites.size).toBe(5);
  });

  it("truncates long texts", () => {
    const long = "x".repeat(9000);
    for (const result of [
      { type: "retry", error: long, isConflict: false },
      { type: "stop", reason: long },
      { type: "abandoned", reason: long },
    ] as const) {
      const { run } = taped();
      run.call({ ...call, error: long });
      run.end(result);
      const record = run.describe(new Map());
      expect([record.calls[0]?.error?.length, JSON.stringify(record.result).length < 1100]).toEqual([1024, true]);
    }
  });

  it("releases the objects of its causes in reduce", () => {
    const { run } = taped();
    expect(run.heldChanges).toBe(1);
    run.reduce();
    expect(run.heldChanges).toBe(0);
    expect(run.describe(new Map()).causes[0]).not.toHaveProperty("fields");
  });
});
