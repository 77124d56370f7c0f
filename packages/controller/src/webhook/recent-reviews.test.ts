import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { RecentReviews } from "./recent-reviews.ts";

describe("RecentReviews", () => {
  it("forgets the oldest beyond 1,000 answers and 16 MiB of bodies", async () => {
    const recent = new RecentReviews<number>(new ManualClock());
    let runs = 0;
    const ask = (key: string, body = key): Promise<number> => recent.answer(key, body, () => Promise.resolve(++runs));
    for (let index = 0; index < 1001; index++) await ask(`u${index}`);
    expect([await ask("u1"), await ask("u1000"), await ask("u0")]).toEqual([2, 1001, 1002]);
    const large = "x".repeat(9 * 2 ** 20);
    expect([await ask("a", large), await ask("a", large), await ask("b", large), await ask("a", large)]).toEqual([1003, 1003, 1004, 1005]);
  });

  it("forgets answers that reject", async () => {
    const recent = new RecentReviews<number>(new ManualClock());
    await expect(recent.answer("u", "b", () => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
    expect(await recent.answer("u", "b", () => Promise.resolve(1))).toBe(1);
  });
});
