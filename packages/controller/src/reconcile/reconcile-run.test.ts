import type { Client } from "@drover/client";
import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { ReconcileRun } from "./reconcile-run.ts";
import type { RunOutcome } from "./reconcile-run.ts";
import type { ReconcileContext, Reconciler } from "./reconciler.ts";
import { done } from "./result.ts";
import { keyOf } from "./testing/controller-rig.ts";

interface Stage {
  readonly runtime: TestRuntime;
  readonly run: ReconcileRun;
  readonly outcomes: RunOutcome[];
  readonly clients: () => number;
}

function stage(reconcile: Reconciler, { deadlineMs = Infinity }: { readonly deadlineMs?: number } = {}): Stage {
  const runtime = testRuntime();
  const { clock, log } = runtime;
  const outcomes: RunOutcome[] = [];
  let clients = 0;
  const run = new ReconcileRun(
    {
      controller: "web",
      clock,
      log,
      reconcile,
      deadlineMs,
      clientOf: () => {
        clients++;
        return {} as Client;
      },
      onEnd: (_, outcome) => void outcomes.push(outcome),
      onStretch: () => undefined,
    },
    {
      work: { key: keyOf("shop/web"), priority: 2, causes: [], causeCount: 0, attempts: 1, waitedMs: 0, takenAt: 0 },
      run: "r-1",
      startedAt: 0,
      tape: undefined,
    },
  );
  return { runtime, run, outcomes, clients: () => clients };
}

describe("ReconcileRun", () => {
  it("ends before start returns if the reconcile does not await", () => {
    const { run, outcomes } = stage(() => done);
    run.start();
    expect([outcomes, run.isOver]).toEqual([[{ type: "result", result: done }], true]);
  });

  it("accepts any thenable as a promise", async () => {
    const { run, outcomes, runtime } = stage(
      () =>
        ({
          // oxlint-disable-next-line unicorn/no-thenable -- the subject of this test
          then: (resolve: (result: unknown) => void) => {
            resolve(done);
          },
        }) as never,
    );
    run.start();
    await runtime.clock.settle();
    expect(outcomes).toEqual([{ type: "result", result: done }]);
  });

  it("ends once at its deadline, and ignores later results and errors", async () => {
    let settle = (): void => undefined;
    for (const isFailure of [false, true]) {
      const { run, outcomes, runtime } = stage(
        () =>
          new Promise((resolve, reject) => {
            settle = () => (isFailure ? reject(new Error("late")) : resolve(done));
          }),
        { deadlineMs: 1000 },
      );
      run.start();
      await runtime.clock.advance(1000);
      settle();
      await runtime.clock.settle();
      expect([outcomes.map(({ type }) => type), runtime.log.entries.map(({ level }) => level), runtime.clock.pending]).toEqual([
        ["deadline"],
        ["debug"],
        [],
      ]);
    }
  });

  it("has ended before its signal aborts, so that abort listeners find it ended", async () => {
    const seen: boolean[] = [];
    const { run, runtime } = stage(
      ({ signal }) => {
        signal.addEventListener("abort", () => seen.push(run.isOver));
        return new Promise(() => undefined);
      },
      { deadlineMs: 1000 },
    );
    run.start();
    await runtime.clock.advance(1000);
    expect(seen).toEqual([true]);
  });

  it("creates client, log and signals on first access and once; a copy of the context has them too", () => {
    let context: ReconcileContext | undefined;
    const { run, clients } = stage((asked) => {
      context = asked;
      return done;
    });
    run.start();
    expect(clients()).toBe(0);
    const copy = { ...context } as ReconcileContext;
    expect([
      clients(),
      copy.client === context?.client,
      copy.signal === context?.signal,
      copy.draining === context?.draining,
      copy.log === context?.log,
    ]).toEqual([1, true, true, true, true]);
    expect([copy.key, copy.run, copy.priority, copy.attempts]).toEqual(["shop/web", "r-1", 2, 1]);
  });

  it("keeps the first reason for its end", () => {
    const { run } = stage(() => new Promise(() => undefined));
    run.start();
    run.drain("first");
    run.abort("second");
    run.drain("third");
    run.abandon("fourth");
    expect([run.draining.reason, run.signal.reason, run.isOver, run.isAborted]).toEqual(["first", "second", true, true]);
  });
});
