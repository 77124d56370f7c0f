import { sleep } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { ReconcileContext } from "./reconciler.ts";
import { done } from "./result.ts";
import type { Result } from "./result.ts";
import { blockableClock } from "./testing/blockable-clock.ts";
import type { BlockableClock } from "./testing/blockable-clock.ts";
import { controllerRig, keyOf } from "./testing/controller-rig.ts";
import type { ControllerRig } from "./testing/controller-rig.ts";

interface Stage extends ControllerRig {
  readonly warnings: () => readonly (readonly [unknown, unknown])[];
}

function stage(
  reconcile: (context: ReconcileContext, clock: BlockableClock) => Result | Promise<Result>,
  options: { readonly blockedWarningMs?: number; readonly workers?: number } = {},
): Stage {
  const runtime = testRuntime();
  const clock = blockableClock(runtime.clock);
  const rig = controllerRig({ runtime, clock, reconcile: (context) => reconcile(context, clock), ...options });
  return Object.assign(rig, {
    warnings: () =>
      runtime.log.entries
        .filter(({ level }) => level === "warn")
        .map(({ fields }) => [fields["key"] ?? fields["runs"], fields["blockedMs"]] as const),
  });
}

const blocked = "drover_event_loop_blocked_total";

describe("LoopWatchdog", () => {
  it("B9: names the run that blocked the loop for 5 s and for 60 s before its first await", async () => {
    for (const ms of [5000, 60_000]) {
      for (const isAsync of [false, true]) {
        const rig = stage((_, clock) => {
          clock.block(ms);
          return isAsync ? Promise.resolve(done) : done;
        });
        rig.controller.enqueue(keyOf("shop/web"));
        await rig.start();
        await rig.clock.advance(1000);
        expect([rig.warnings(), rig.metric(blocked)]).toEqual([[["shop/web", ms]], 1]);
        expect(rig.runtime.log.entries.find(({ level }) => level === "warn")?.fields).toMatchObject({
          controller: "web",
          run: expect.any(String) as string,
        });
        await rig.stop();
        expect(rig.clock.pending).toEqual([]);
      }
    }
  });

  it("names a run that blocked the loop later: at its end, or in between", async () => {
    for (const restMs of [0, 10_000]) {
      const rig = stage(async (_, clock) => {
        await sleep(clock, 100);
        clock.block(5000);
        if (restMs > 0) await sleep(clock, restMs);
        return done;
      });
      rig.controller.enqueue(keyOf("shop/web"));
      await rig.start();
      await rig.clock.advance(20_000);
      expect([rig.warnings().map(([key]) => key), rig.metric(blocked)]).toEqual([["shop/web"].flat(), 1]);
      expect(Number(rig.warnings()[0]?.[1])).toBeGreaterThanOrEqual(4500);
      await rig.stop();
    }
  });

  it("names all active runs if it cannot tell which one blocked", async () => {
    const rig = stage(
      async ({ key }, clock) => {
        if (key === "shop/a") {
          await sleep(clock, 100);
          clock.block(5000);
        }
        await sleep(clock, 10_000);
        return done;
      },
      { workers: 2 },
    );
    for (const key of ["shop/a", "shop/b"]) rig.controller.enqueue(keyOf(key));
    await rig.start();
    await rig.clock.advance(1000);
    expect(rig.warnings()[0]?.[0]).toEqual([expect.stringContaining("shop/a"), expect.stringContaining("shop/b")]);
    await rig.stop();
  });

  it("ignores runs that wait for long, and short blocks", async () => {
    const rig = stage(
      async (_, clock) => {
        clock.block(900);
        await sleep(clock, 60_000);
        return done;
      },
      { blockedWarningMs: 2000 },
    );
    rig.controller.enqueue(keyOf("shop/web"));
    await rig.start();
    await rig.clock.advance(120_000);
    expect([rig.warnings(), rig.metric(blocked), rig.clock.pending]).toEqual([[], 0, []]);
    await rig.stop();
  });

  it("warns once a minute and counts every block; Infinity disables it", async () => {
    const rig = stage((_, clock) => {
      clock.block(5000);
      return done;
    });
    await rig.start();
    for (let index = 0; index < 24; index++) {
      rig.controller.enqueue(keyOf(`shop/n${index}`));
      await rig.clock.advance(1);
    }
    expect([rig.warnings().length, rig.metric(blocked)]).toEqual([2, 24]);
    await rig.stop();

    const off = stage(
      (_, clock) => {
        clock.block(5000);
        return done;
      },
      { blockedWarningMs: Infinity },
    );
    off.controller.enqueue(keyOf("shop/web"));
    await off.start();
    expect([off.warnings(), off.metric(blocked)]).toEqual([[], 0]);
    await off.stop();
  });

  it("names a run that blocked the loop for more than 50 ms, by default", async () => {
    for (const [ms, warnings] of [
      [50, []],
      [51, [["shop/web", 51]]],
    ] as const) {
      const rig = stage((_, clock) => {
        clock.block(ms);
        return done;
      });
      rig.controller.enqueue(keyOf("shop/web"));
      await rig.start();
      await rig.clock.advance(1000);
      expect([rig.warnings(), rig.metric(blocked)]).toEqual([warnings, warnings.length]);
      await rig.stop();
    }
  });

  it("sets a timer every second at most for a run that only waits", async () => {
    const timers = async (blockedWarningMs: number): Promise<number> => {
      const rig = stage(
        async (_, clock) => {
          await sleep(clock, 600_000);
          return done;
        },
        { blockedWarningMs },
      );
      const timer = rig.clock.timer.bind(rig.clock);
      let count = 0;
      rig.clock.timer = (delayMs, callback) => {
        count++;
        return timer(delayMs, callback);
      };
      rig.controller.enqueue(keyOf("shop/web"));
      await rig.start();
      await rig.clock.advance(600_000);
      await rig.stop();
      return count;
    };
    expect((await timers(50)) - (await timers(Infinity))).toBeLessThan(620);
  });
});
