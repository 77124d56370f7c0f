import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { limitHeapGrowth, limitThreadHeaps } from "./heap-growth.ts";
import type { HeapHost } from "./heap-growth.ts";

const megabyte = 2 ** 20;

/** A heap whose young generation has these sizes, one after the other. */
function fakeHeap(flags: readonly string[], sizes: readonly number[]): { readonly host: HeapHost; readonly set: string[]; asked: number } {
  const set: string[] = [];
  const heap = {
    set,
    asked: 0,
    host: { flags, setFlag: (flag: string) => void set.push(flag), youngBytes: () => sizes[Math.min(heap.asked++, sizes.length - 1)] ?? 0 },
  };
  return heap;
}

describe("limitHeapGrowth", () => {
  it("lets the young generation grow to 8 MB before it stops its growth", () => {
    const heap = fakeHeap(["--enable-source-maps", ""], [2 * megabyte, 4 * megabyte, 8 * megabyte]);
    expect(limitHeapGrowth(heap.host)).toBe(true);
    expect([heap.set, heap.asked]).toEqual([["--semi-space-growth-factor=1", "--heap-growing-percent=100"], 3]);
  });

  it("gives up if the young generation does not grow", () => {
    const heap = fakeHeap([], [megabyte]);
    expect(limitHeapGrowth(heap.host)).toBe(true);
    expect([heap.set.length, heap.asked]).toEqual([2, 65]);
  });

  it("changes nothing if Node was started with a size", () => {
    for (const flag of ["--max-semi-space-size=16", "--max_semi_space_size", "--min-semi-space-size=64", "--heap-growing-percent=50"]) {
      const heap = fakeHeap(["--v8-pool-size=1", flag], [megabyte]);
      expect([limitHeapGrowth(heap.host), heap.set, heap.asked]).toEqual([false, [], 0]);
    }
  });

  it("holds in a real process that allocates much", async () => {
    const file = fileURLToPath(new URL("heap-growth.ts", import.meta.url));
    const program = `const { limitHeapGrowth } = await import(${JSON.stringify(file)}); const { getHeapSpaceStatistics } = await import("node:v8");
      const isLimited = limitHeapGrowth();
      for (let round = 0, kept = []; round < 600; round++) { if (round % 50 === 0) kept = []; kept.push(Array.from({ length: 2048 }, (_, index) => [index])); }
      console.log(JSON.stringify([isLimited, getHeapSpaceStatistics().find((space) => space.space_name === "new_space").space_size / ${megabyte}]));`;
    const { NODE_OPTIONS: _, ...env } = process.env;
    const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], { env });
    const [isLimited, youngMegabytes] = JSON.parse(stdout) as [boolean, number];
    expect(isLimited).toBe(true);
    expect(youngMegabytes).toBeLessThanOrEqual(16);
  }, 60_000);
});

describe("limitThreadHeaps", () => {
  it("limits the young generation of threads by the options they start with", () => {
    const heap = fakeHeap([], [megabyte]);
    expect(limitThreadHeaps(heap.host)).toEqual({ maxYoungGenerationSizeMb: 12 });
    expect([heap.set, heap.asked]).toEqual([["--heap-growing-percent=100"], 0]);
  });

  it("changes nothing if Node was started with a size", () => {
    const heap = fakeHeap(["--max-semi-space-size=16"], [megabyte]);
    expect([limitThreadHeaps(heap.host), heap.set]).toEqual([{}, []]);
  });

  it("lets a real thread that allocates much have 8 MB, and no more", async () => {
    const file = fileURLToPath(new URL("heap-growth.ts", import.meta.url));
    const thread = `for (let round = 0, kept = []; round < 600; round++) { if (round % 50 === 0) kept = []; kept.push(Array.from({ length: 2048 }, (_, index) => [index])); }
      console.log(require("node:v8").getHeapSpaceStatistics().find((space) => space.space_name === "new_space").space_size / ${megabyte});`;
    const program = `const { limitThreadHeaps } = await import(${JSON.stringify(file)}); const { Worker } = await import("node:worker_threads");
      new Worker(${JSON.stringify(thread)}, { eval: true, execArgv: [], resourceLimits: limitThreadHeaps() });`;
    const { NODE_OPTIONS: _, ...env } = process.env;
    const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], { env });
    expect(Number(stdout)).toBe(8);
  }, 60_000);
});
