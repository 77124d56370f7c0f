import { Pod } from "@drover/api/core/v1";
import { jsonResponse } from "@drover/client/testing";
import { sleep } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { isDeadline } from "./deadline-error.ts";
import type { ReconcileContext } from "./reconciler.ts";
import { isRunOver } from "./run-over-error.ts";
import { done } from "./result.ts";
import { controllerRig, keyOf } from "./testing/controller-rig.ts";
import { testTape } from "./testing/test-tape.ts";

const web = keyOf("shop/web");

describe("Controller deadlineMs", () => {
  it("aborts the run's signal with a DeadlineError, frees its worker and retries the key, even if the run never settles", async () => {
    const runs: ReconcileContext[] = [];
    const tape = testTape();
    const rig = controllerRig({
      deadlineMs: 30_000,
      retry: { jitter: 0 },
      tape,
      reconcile: (context) => {
        runs.push(context);
        return context.key === web ? new Promise(() => undefined) : done;
      },
    });
    rig.controller.enqueue(web);
    rig.controller.enqueue(keyOf("shop/db"));
    await rig.start();
    await rig.clock.advance(29_999);
    expect([runs.length, runs[0]?.signal.aborted]).toEqual([1, false]);
    await rig.clock.advance(1);
    expect([runs.length, runs[1]?.key, isDeadline(runs[0]?.signal.reason)]).toEqual([2, "shop/db", true]);
    expect(rig.controller.inspect(web)).toMatchObject({
      state: "waiting",
      attempts: 1,
      nextRunInMs: 5,
      reason: "controller web: the reconcile of shop/web exceeded its deadline of 30s",
    });
    await rig.clock.advance(5);
    expect(runs[2]).toMatchObject({ key: "shop/web", attempts: 1, causes: [{ type: "retry", attempt: 1, run: runs[0]?.run }] });
    expect(tape.records[0]?.result).toMatchObject({ type: "abandoned" });
    await rig.stop();
  });

  it("unset, lets a run take forever, and blocks only its own key", async () => {
    const keys: string[] = [];
    const rig = controllerRig({
      workers: 2,
      reconcile: ({ key }) => {
        keys.push(key);
        return key === web ? new Promise(() => undefined) : done;
      },
    });
    for (const key of ["shop/web", "shop/a", "shop/b"]) rig.controller.enqueue(keyOf(key));
    await rig.start();
    rig.source.request("shop/web");
    await rig.clock.advance(3_600_000);
    expect([keys, rig.controller.inspect(web)?.state, rig.controller.inspect(web)?.again]).toEqual([
      ["shop/web", "shop/a", "shop/b"],
      "running",
      "ready",
    ]);
    await rig.stop();
  });

  it("counts a timeout once per run it ended, not for a run that ends early, fails by itself, or is aborted with its controller", async () => {
    let mode = "early";
    const rig = controllerRig({
      deadlineMs: 1000,
      drainMs: 100,
      retry: { jitter: 0, capMs: 5 },
      reconcile: async ({ signal }) => {
        if (mode === "early") return done;
        if (mode === "own") {
          mode = "early";
          throw new DOMException("mine", "TimeoutError");
        }
        await sleep(rig.clock, Infinity, { signal });
        return done;
      },
    });
    const timeouts = async (next: string): Promise<unknown> => {
      mode = next;
      rig.controller.enqueue(web);
      await rig.clock.advance(100);
      return rig.metric("controller_runtime_reconcile_timeouts_total");
    };
    await rig.start();
    expect([await timeouts("early"), await timeouts("own"), await timeouts("late")]).toEqual([0, 0, 0]);
    mode = "late";
    await rig.clock.advance(900);
    expect(rig.metric("controller_runtime_reconcile_timeouts_total")).toBe(1);
    rig.end.abort();
    await rig.clock.advance(10_000);
    expect([rig.metric("controller_runtime_reconcile_timeouts_total"), rig.clock.pending]).toEqual([1, []]);
  });

  it("B2: rejects later writes of a reconcile that ignores it, and ignores its result", async () => {
    const errors: unknown[] = [];
    let first = true;
    const rig = controllerRig({
      deadlineMs: 1000,
      script: () => jsonResponse({}),
      reconcile: async ({ client }) => {
        if (!first) return done;
        first = false;
        await sleep(rig.clock, 5000);
        await client.create(Pod, { metadata: { name: "late" } }).catch((error: unknown) => {
          errors.push(error);
          throw error;
        });
        return done;
      },
    });
    rig.controller.enqueue(web);
    await rig.start();
    await rig.clock.advance(4000);
    expect(rig.metric("controller_runtime_reconcile_total")).toEqual({ error: 1, success: 1 });
    await rig.clock.advance(1000);
    expect(rig.server.requests).toEqual([]);
    expect(errors.map((error) => [isRunOver(error), isDeadline(error)])).toEqual([[true, true]]);
    expect((errors[0] as Error).message).toMatch(/^create .*pods.*: request not sent: run \S+ of controller web has ended$/);
    expect(rig.metric("controller_runtime_reconcile_total")).toEqual({ error: 1, success: 1 });
    expect(
      rig.runtime.log.entries
        .filter(({ message }) => message.includes("ended after it was abandoned"))
        .map(({ level, fields }) => [level, fields["outcome"]]),
    ).toEqual([["debug", "thrown"]]);
    await rig.stop();
  });

  it("aborts the calls in progress", async () => {
    let failure: unknown;
    const rig = controllerRig({
      deadlineMs: 1000,
      script: () => new Promise(() => undefined),
      reconcile: async ({ client }) => {
        await client.get(Pod, "web").catch((error: unknown) => {
          failure ??= error;
          throw error;
        });
        return done;
      },
    });
    rig.controller.enqueue(web);
    await rig.start();
    await rig.clock.advance(1000);
    expect([rig.server.requests.length, isDeadline(failure)]).toEqual([1, true]);
    await rig.stop();
  });
});
