import { expect, it } from "vitest";
import { ManualClock } from "@drover/machinery/testing";
import { RefreshBudget } from "./refresh-budget.ts";

it("RefreshBudget grants its burst at once and then one token at a time, in order", async () => {
  const clock = new ManualClock();
  const budget = new RefreshBudget(clock, { burst: 2, perSecond: 4 });
  const taken: number[] = [];
  const all = Promise.all(
    [1, 2, 3, 4].map(async (turn) => {
      await budget.take({});
      taken.push(turn);
    }),
  );
  await clock.advance(0);
  expect(taken).toEqual([1, 2]);
  expect(budget.isAvailable).toBe(false);
  await clock.advance(249);
  expect(taken).toEqual([1, 2]);
  await clock.advance(1);
  expect(taken).toEqual([1, 2, 3]);
  await clock.advance(250);
  await all;
});

it("RefreshBudget refills up to the burst", async () => {
  const clock = new ManualClock();
  const budget = new RefreshBudget(clock, { burst: 2, perSecond: 1 });
  await clock.advance(3_600_000);
  await budget.take({});
  await budget.take({});
  expect(budget.isAvailable).toBe(false);
});

it("RefreshBudget takes no token for an aborted wait", async () => {
  const clock = new ManualClock();
  const budget = new RefreshBudget(clock, { burst: 1, perSecond: 1 });
  await budget.take({});
  const controller = new AbortController();
  const waiting = budget.take({ signal: controller.signal }).catch((reason: unknown) => reason);
  controller.abort("enough");
  expect(await waiting).toBe("enough");
  await clock.advance(1000);
  expect(budget.isAvailable).toBe(true);
});
