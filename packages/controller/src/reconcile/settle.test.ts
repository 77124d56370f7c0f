import { ApiError, sleep } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { createQueue } from "@drover/workqueue";
import type { RateLimiter } from "@drover/workqueue";
import { describe, expect, it } from "vitest";
import type { Cause } from "../causes/cause.ts";
import { done, retry } from "./result.ts";
import type { Result } from "./result.ts";
import { controllerRig, keyOf } from "./testing/controller-rig.ts";
import { testTape } from "./testing/test-tape.ts";
import { Settlement } from "./settle.ts";
import { reconcileMetrics } from "./reconcile-metrics.ts";

const web = keyOf("shop/web");

describe("Settlement", () => {
  it("records the result on the tape: done, again, failed with the delay, parked, stopped", async () => {
    const tape = testTape();
    const results: Result[] = [
      { type: "after", afterMs: 10 },
      retry(new Error("no")),
      retry(new Error("no")),
      done,
      { type: "stop", reason: "no image" },
    ];
    const rig = controllerRig({ tape, retry: { jitter: 0, max: 1 }, reconcile: () => results.shift() ?? done });
    rig.controller.enqueue(web);
    await rig.start();
    await rig.clock.advance(1000);
    rig.controller.unpark(web);
    await rig.clock.settle();
    rig.controller.enqueue(web);
    await rig.clock.settle();
    expect(tape.records.map(({ result }) => result)).toEqual([
      { type: "after", afterMs: 10 },
      { type: "retry", error: "no", isConflict: false, retryInMs: 5 },
      { type: "retry", error: "no", isConflict: false, parked: true },
      { type: "done" },
      { type: "stop", reason: "no image" },
    ]);
    expect(tape.records.map(({ start: { attempts, causeCount, controller } }) => [attempts, causeCount, controller])).toEqual([
      [0, 1, "web"],
      [0, 1, "web"],
      [1, 1, "web"],
      [0, 0, "web"],
      [0, 1, "web"],
    ]);
    await rig.stop();
  });

  it("totals count runs with their durations; conflicts are no failures", async () => {
    const conflict = new ApiError(
      { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", reason: "Conflict", code: 409 },
      { code: 409 },
    );
    const results: Result[] = [retry(new Error("no")), retry(conflict), done, { type: "stop", reason: "no image" }];
    const rig = controllerRig({
      retry: { jitter: 0 },
      reconcile: async () => {
        await sleep(rig.clock, 10);
        return results.shift() ?? done;
      },
    });
    rig.controller.enqueue(web);
    await rig.start();
    await rig.clock.advance(1000);
    rig.controller.enqueue(web);
    await rig.clock.advance(10);
    expect(rig.controller.state().runs).toMatchObject({ ended: 4, failed: 2, tookMs: 40 });
    await rig.stop();
  });

  it("does not count a run before the retry was due: count and delay stay the same", async () => {
    const causes: unknown[] = [];
    const rig = controllerRig({
      retry: { jitter: 0, baseMs: 1000 },
      reconcile: ({ causes: [first] }) => {
        causes.push(first);
        throw new Error("no");
      },
    });
    rig.controller.enqueue(web);
    await rig.start();
    await rig.clock.advance(400);
    rig.controller.enqueue(web);
    await rig.clock.settle();
    expect(rig.controller.inspect(web)).toMatchObject({ attempts: 1, nextRunInMs: 600, causes: [{ type: "retry", attempt: 1 }] });
    await rig.clock.advance(600);
    expect(causes.at(-1)).toMatchObject({ type: "retry", attempt: 1 });
    await rig.stop();
  });

  it("does not lose a key when a custom rate limiter throws", async () => {
    let runs = 0;
    const limiter: RateLimiter<ObjectKey> = {
      when: () => {
        throw new Error("broken limiter");
      },
      forget: () => undefined,
      numRequeues: () => 0,
    };
    const rig = controllerRig({
      retry: { limiter },
      reconcile: () => {
        runs++;
        throw new Error("no");
      },
    });
    rig.controller.enqueue(web);
    await rig.start();
    await rig.clock.advance(1000);
    expect([runs, rig.runtime.log.entries.some(({ message }) => message.startsWith("rate limiter failed"))]).toEqual([2, true]);
    await rig.stop();
  });

  it("counts keys that are parked now, not those that were", () => {
    const { clock, log, metrics } = testRuntime();
    const queue = createQueue<ObjectKey, Cause>({ clock, maxAttempts: 0 });
    const settlement = new Settlement({ queue, log, clock, metrics: reconcileMetrics(metrics, "web") });
    const fail = (key: ObjectKey): void => {
      queue.add(key);
      const work = queue.tryGet();
      if (work === undefined) return;
      settlement.began(key);
      settlement.settle(
        { work, key, run: "r-1", tape: undefined, isAborted: false } as never,
        { type: "thrown", error: new Error("no") },
        1,
      );
    };
    fail(web);
    fail(keyOf("shop/db"));
    expect(settlement.parkedCount()).toBe(2);
    queue.add(web);
    expect(settlement.parkedCount()).toBe(1);
    fail(web);
    queue.forget(keyOf("shop/db"));
    expect(settlement.parkedCount()).toBe(1);
  });
});
