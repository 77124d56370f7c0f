import { describe, expect, it } from "vitest";
import { parallelizeUntil } from "./parallelize-until.ts";

describe("parallelizeUntil", () => {
  it("does every piece exactly once with at most the given number of workers", async () => {
    for (const [pieces, workers, chunkSize] of [
      [0, 10, 1],
      [1, 10, 1],
      [1000, 10, 1],
      [1000, 10, 10],
      [1000, 10, 100],
      [999, 10, 13],
      [8, 100, 3],
    ] as const) {
      const seen = Array.from({ length: pieces }, () => 0);
      let [now, most] = [0, 0];
      await parallelizeUntil(
        workers,
        pieces,
        async (piece) => {
          most = Math.max(most, ++now);
          seen[piece] = (seen[piece] ?? 0) + 1;
          await Promise.resolve();
          now--;
        },
        { chunkSize },
      );
      expect(seen.every((count) => count === 1)).toBe(true);
      expect(most).toBeLessThanOrEqual(Math.min(workers, Math.ceil(pieces / chunkSize)));
    }
  });

  it("starts no more pieces after an abort and waits for the running ones", async () => {
    const controller = new AbortController();
    const done: number[] = [];
    await parallelizeUntil(
      2,
      100,
      async (piece) => {
        if (piece === 5) controller.abort();
        await Promise.resolve();
        done.push(piece);
      },
      { signal: controller.signal },
    );
    expect(done.length).toBeGreaterThan(5);
    expect(done.length).toBeLessThan(10);
  });

  it("rejects with the first error after the running pieces are done", async () => {
    const done: number[] = [];
    const failing = parallelizeUntil(2, 100, async (piece) => {
      await Promise.resolve();
      if (piece === 3) throw new Error("piece 3");
      done.push(piece);
    });
    await expect(failing).rejects.toThrow("piece 3");
    expect(done.length).toBeLessThan(10);
    await expect(parallelizeUntil(0, 1, () => undefined)).rejects.toThrow(RangeError);
  });
});
