import { getEventListeners } from "node:events";
import { ManualClock } from "@drover/machinery/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DeltaQueue } from "./delta-queue.ts";
import { podVersion } from "../testing/pod-version.ts";
import type { TestPod } from "../testing/pod-version.ts";

const { signal } = new AbortController();

function queueOf(lengthMax?: number): { clock: ManualClock; queue: DeltaQueue<TestPod> } {
  const clock = new ManualClock();
  return { clock, queue: new DeltaQueue<TestPod>({ clock, ...(lengthMax === undefined ? {} : { lengthMax }) }) };
}

describe("DeltaQueue", () => {
  it("returns deltas in order, a replace as one", async () => {
    const { clock, queue } = queueOf();
    const pod = podVersion("a", 1);
    queue.replace([pod, podVersion("b", 2)], "2");
    await clock.advance(5);
    queue.upsert(pod);
    queue.remove(pod);
    queue.bookmark("3");
    queue.enqueue(() => undefined);
    expect(queue.length).toBe(5);
    const taken = Array.from({ length: 6 }, () => queue.take());
    expect(taken.map((delta) => delta && `${delta.type} ${delta.atMs}`)).toEqual([
      "replace 0",
      "upsert 5",
      "remove 5",
      "bookmark 5",
      "work 5",
      undefined,
    ]);
    expect([taken[0], queue.length]).toMatchObject([{ versions: [{ key: "a" }, { key: "b" }], resourceVersion: "2" }, 0]);
  });

  it("merges consecutive bookmarks, and never across other deltas", () => {
    const { queue } = queueOf();
    for (const version of ["1", "2", "3"]) queue.bookmark(version);
    queue.upsert(podVersion("a", 4));
    queue.bookmark("5");
    expect([queue.take(), queue.take(), queue.take()]).toMatchObject([
      { resourceVersion: "3" },
      { type: "upsert" },
      { resourceVersion: "5" },
    ]);
    queue.bookmark("6");
    expect(queue.take()).toMatchObject({ resourceVersion: "6" });
  });

  it("wakes the waiting consumer, and rejects with the signal's reason", async () => {
    const { queue } = queueOf();
    const waiting = queue.filled(signal);
    queue.bookmark("1");
    await waiting;
    await queue.filled(signal);
    queue.take();
    const stop = new AbortController();
    const stopped = expect(queue.filled(stop.signal)).rejects.toThrow("enough");
    stop.abort(new Error("enough"));
    await stopped;
    await expect(queue.filled(AbortSignal.abort(new Error("at once")))).rejects.toThrow("at once");
  });

  it("adds one listener to the signal for all waits, and removes it when it is closed", async () => {
    const { queue } = queueOf();
    const { signal: own } = new AbortController();
    for (let version = 1; version <= 3; version++) {
      const waiting = queue.filled(own);
      expect(getEventListeners(own, "abort")).toHaveLength(1);
      queue.bookmark(String(version));
      await waiting;
      queue.take();
    }
    queue.close();
    expect(getEventListeners(own, "abort")).toEqual([]);
  });

  it("applies backpressure when it is full, until half of it is processed", async () => {
    const { clock, queue } = queueOf(4);
    for (let at = 1; at <= 3; at++) queue.upsert(podVersion("a", at));
    expect(queue.ready()).toBeUndefined();
    queue.upsert(podVersion("a", 4));
    let isReady = false;
    const waiting = queue.ready()?.then(() => {
      isReady = true;
    });
    queue.take();
    await clock.settle();
    expect([isReady, queue.ready()]).toEqual([false, undefined]);
    queue.take();
    await waiting;
    expect(isReady).toBe(true);
  });

  it("resolves pending waits when it is closed, and ignores new deltas", async () => {
    const { queue } = queueOf(1);
    queue.upsert(podVersion("a", 1));
    const waiting = queue.ready();
    queue.close();
    await waiting;
    queue.upsert(podVersion("a", 2));
    expect([queue.length, queue.take(), queue.ready()]).toEqual([0, undefined, undefined]);
  });

  it("behaves like a plain queue under random puts and takes", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3000), fc.nat(3000)), { minLength: 1, maxLength: 6 }), (bursts) => {
        const { queue } = queueOf();
        const model: number[] = [];
        const done: number[] = [];
        let next = 0;
        for (const [puts, takes] of bursts) {
          for (let put = 0; put < puts; put++) {
            const id = next++;
            model.push(id);
            queue.enqueue(() => done.push(id));
          }
          for (let take = 0; take < takes; take++) {
            const delta = queue.take();
            if (delta?.type === "work") delta.work();
          }
          expect(queue.length).toBe(model.length - done.length);
        }
        expect(done).toEqual(model.slice(0, done.length));
      }),
      { numRuns: Math.ceil((fc.readConfigureGlobal()?.numRuns ?? 200) / 50) },
    );
  });
});
