import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { RecentReviews } from "./recent-reviews.ts";

function rig() {
  const recent = new RecentReviews(new ManualClock());
  let runs = 0;
  const ask = (uid: string, body = uid, more = ""): Promise<string> => recent.answer(uid, body, () => Promise.resolve(`${++runs}${more}`));
  return { recent, ask };
}
const large = "x".repeat(9 * 2 ** 20);

describe("RecentReviews", () => {
  it("forgets the oldest beyond 1,000 answers", async () => {
    const { ask } = rig();
    for (let index = 0; index < 1001; index++) await ask(`u${index}`);
    expect([await ask("u1"), await ask("u1000"), await ask("u0")]).toEqual(["2", "1001", "1002"]);
  });

  it("forgets the oldest beyond 16 MiB of bodies and answers", async () => {
    const { ask } = rig();
    expect([await ask("a", large), await ask("a", large), await ask("b", large), await ask("a", large)]).toEqual(["1", "1", "2", "3"]);
    await ask("c", "small", large);
    expect(await ask("a", large)).toBe("5");
    expect((await ask("c", "small")).length).toBe(1);
  });

  it("forgets answers that reject", async () => {
    const { recent, ask } = rig();
    await expect(recent.answer("u", "b", () => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
    expect(await ask("u", "b")).toBe("1");
  });
});
