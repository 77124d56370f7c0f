import { objectKey, sleep, TimeoutError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { FencedError } from "../leader/fenced-error.ts";
import { testTape } from "./testing/test-tape.ts";
import type { ReconcileContext } from "./reconciler.ts";
import { done } from "./result.ts";
import { controllerRig, keyOf } from "./testing/controller-rig.ts";
import { handSource } from "./testing/hand-source.ts";

const web = keyOf("shop/web");

describe("Controller stop", () => {
  it("aborts context.draining immediately, and lets runs finish", async () => {
    const seen: string[] = [];
    const rig = controllerRig({
      workers: 2,
      reconcile: async ({ key, signal, draining }) => {
        draining.addEventListener("abort", () => seen.push(`${key} draining ${(draining.reason as Error).message}`));
        await sleep(rig.clock, 10_000, { signal });
        seen.push(`${key} ended`);
        return done;
      },
    });
    for (const key of ["a", "b", "c"]) rig.controller.enqueue(objectKey(key));
    await rig.start();
    rig.end.abort(new Error("SIGTERM"));
    await rig.clock.settle();
    expect([seen, rig.controller.state().phase, rig.ended(), rig.source.running]).toEqual([
      ["a draining SIGTERM", "b draining SIGTERM"],
      "draining",
      undefined,
      0,
    ]);
    rig.controller.enqueue(web);
    await rig.clock.advance(10_000);
    expect([seen.slice(2), rig.ended()]).toEqual([["a ended", "b ended"], {}]);
    await rig.clock.advance(100_000);
    expect([seen.length, rig.clock.pending]).toEqual([4, []]);
  });

  it("gives an aborted signal to runs that read context.draining late", async () => {
    let context: ReconcileContext | undefined;
    const rig = controllerRig({
      drainMs: 5000,
      reconcile: async (run) => {
        context = run;
        await sleep(rig.clock, 60_000);
        return done;
      },
    });
    rig.controller.enqueue(web);
    await rig.start();
    rig.end.abort(new Error("SIGTERM"));
    await rig.clock.advance(4000);
    expect([context?.draining.aborted, context?.signal.aborted]).toEqual([true, false]);
    await rig.clock.advance(1000);
    expect(context?.signal.reason).toBeInstanceOf(TimeoutError);
    await rig.stop();
  });

  it("aborts runs at the end of drainMs, which does not count as a failure", async () => {
    let reason: unknown;
    const rig = controllerRig({
      drainMs: 5000,
      reconcile: async ({ signal }) => {
        await sleep(rig.clock, Infinity, { signal }).catch((error: unknown) => {
          reason = error;
          throw error;
        });
        return done;
      },
    });
    rig.controller.enqueue(web);
    await rig.start();
    rig.end.abort(new Error("SIGTERM"));
    await rig.clock.advance(4999);
    expect([reason, rig.ended()]).toEqual([undefined, undefined]);
    await rig.clock.advance(1);
    expect([(reason as Error).message, (reason as Error).cause, rig.ended()]).toEqual([
      "controller web is stopping, and its runs did not end within 5000 ms",
      new Error("SIGTERM"),
      {},
    ]);
    expect([
      rig.metric("controller_runtime_reconcile_errors_total"),
      rig.metric("controller_runtime_active_workers"),
      rig.clock.pending,
    ]).toEqual([0, 0, []]);
  });

  it("abandons, a second later, runs that ignore their signal: the tape shows them, and later results are ignored", async () => {
    const tape = testTape();
    let end = (_: Error): void => undefined;
    const rig = controllerRig({
      drainMs: 5000,
      tape,
      reconcile: () =>
        new Promise((_, reject) => {
          end = reject;
        }),
    });
    rig.controller.enqueue(web);
    await rig.start();
    rig.end.abort(new Error("SIGTERM"));
    await rig.clock.advance(5999);
    expect(rig.ended()).toBeUndefined();
    await rig.clock.advance(1);
    expect([rig.ended(), tape.records.map(({ result }) => result?.type)]).toEqual([{}, ["abandoned"]]);
    end(new Error("too late"));
    await rig.clock.settle();
    expect(rig.runtime.log.entries.filter(({ level }) => level === "error")).toEqual([]);
  });

  it("does not wait for a source that does not end", async () => {
    const rig = controllerRig({ reconcile: () => done });
    rig.controller.watch(handSource("deaf", { deaf: true }));
    await rig.start();
    rig.end.abort();
    await rig.clock.advance(1000);
    expect(rig.ended()).toEqual({});
  });

  it("aborts immediately when the lease is lost, because no write can pass", async () => {
    let reason: unknown;
    const rig = controllerRig({
      reconcile: async ({ signal }) => {
        await sleep(rig.clock, Infinity, { signal }).catch((error: unknown) => {
          reason = error;
          throw error;
        });
        return done;
      },
    });
    rig.controller.enqueue(web);
    await rig.start();
    const lost = new FencedError({ lease: "kube-system/web", sinceMs: 0, why: "it was taken over" });
    rig.end.abort(lost);
    await rig.clock.settle();
    expect([reason === lost, rig.ended()]).toEqual([true, {}]);
  });

  it("B13: with 1,000 keys queued and 50 running it drains the runs, drops the keys, and settles everything in time", async () => {
    let began = 0;
    let ended = 0;
    const rig = controllerRig({
      workers: 50,
      drainMs: 5000,
      reconcile: async ({ key, signal }) => {
        began++;
        // One third ends in time, one third honours its signal, and one third ignores it.
        const index = Number(key.slice(1)) % 3;
        await (index === 0 ? sleep(rig.clock, 1000) : sleep(rig.clock, Infinity, index === 1 ? { signal } : {}));
        ended++;
        return done;
      },
    });
    for (let index = 0; index < 1050; index++) rig.controller.enqueue(objectKey(`n${index}`));
    rig.controller.enqueue(objectKey("later"), { afterMs: 1000 });
    await rig.start();
    expect(rig.controller.state()).toMatchObject({ active: 50, ready: 1000, waiting: 1 });
    rig.end.abort();
    await rig.clock.advance(6000);
    expect([rig.ended(), began, ended]).toEqual([{}, 50, 17]);
    expect(rig.controller.state()).toMatchObject({ active: 0, waiting: 0, phase: "ended" });
    expect([rig.metric("controller_runtime_active_workers"), rig.clock.pending]).toEqual([0, []]);
  });

  it("logs a failure while draining; the key is not lost because the next process lists it", async () => {
    const rig = controllerRig({
      reconcile: async ({ draining }) => {
        await sleep(rig.clock, Infinity, { signal: draining }).catch(() => undefined);
        throw new Error("half done");
      },
    });
    rig.controller.enqueue(web);
    await rig.start();
    rig.end.abort();
    await rig.clock.settle();
    expect([rig.ended(), rig.metric("controller_runtime_reconcile_errors_total")]).toEqual([{}, 1]);
    expect(rig.runtime.log.entries.find(({ level }) => level === "error")?.fields["retryIn"]).toBe("never: the controller is stopping");
  });
});
