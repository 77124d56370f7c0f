import { expect, it } from "vitest";
import { boundedMap } from "./bounded-map.ts";

it("boundedMap keeps the order of the items, whichever is done first", async () => {
  expect(
    await boundedMap([3, 1, 2], 3, async (turns) => {
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      return turns * 10;
    }),
  ).toEqual([30, 10, 20]);
});

it("boundedMap runs at most `limit` calls at once, and at least one", async () => {
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

it("boundedMap starts no more calls after a failure, and waits for the running ones", async () => {
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

it("boundedMap returns an empty list for no items", async () => {
  expect(await boundedMap([], 3, async () => 1)).toEqual([]);
});
