import { expect, it } from "vitest";
import { boundedMap } from "./bounded-map.ts";

it("keeps the order of the items, whichever is done first", async () => {
  expect(
    await boundedMap([3, 1, 2], 3, async (turns) => {
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      return turns * 10;
    }),
  ).toEqual([30, 10, 20]);
});

it("works on no more than the limit at once, and on one at least", async () => {
  for (const [limit, most] of [
    [2, 2],
    [100, 5],
    [0, 1],
  ] as const) {
    const counts = { now: 0, most: 0 };
    await boundedMap([1, 2, 3, 4, 5], limit, async () => {
      counts.most = Math.max(counts.most, ++counts.now);
      await Promise.resolve();
      counts.now--;
    });
    expect(counts.most).toBe(most);
  }
});

it("begins nothing more after a failure, and waits for what is under way", async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = boundedMap([1, 2, 3, 4], 2, async (item) => {
    begun.push(item);
    if (item === 1) throw new Error("one");
    await Promise.resolve();
    await Promise.resolve();
    ended.push(item);
  });
  await expect(work).rejects.toThrow("one");
  expect([begun, ended]).toEqual([[1, 2], [2]]);
});

it("has nothing to do for nothing", async () => {
  expect(await boundedMap([], 3, async () => 1)).toEqual([]);
});
