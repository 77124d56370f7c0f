import { beforeAll, describe, expect, it } from "vitest";
import { storyOf } from "../report/story.ts";
import { forgetfulSite, healthySite, leakySite } from "../testing/site-subjects.ts";
import { SimServer } from "../world/sim-server.ts";
import { listed, randomPlan } from "./plans.ts";
import { prove } from "./prove.ts";
import { runSchedule } from "./run-schedule.ts";

const isLong = process.env["DROVER_LONG"] === "1";
/** A schedule takes a fifth of a second. */
const timeout = isLong ? 600_000 : 60_000;

/** Stops a search after so many schedules. */
const atMost = (count: number): (() => boolean) => {
  let left = count;
  return () => left-- > 0;
};

describe("prove", { timeout }, () => {
  let server: SimServer;
  beforeAll(async () => {
    server = await SimServer.start();
    await runSchedule(healthySite, listed(new Map()), server);
  }, timeout);

  it("does the same for the same seed, whatever ran before", async () => {
    const hashes: string[] = [];
    for (const seed of ["a", "b", "c", "a", "b", "c"]) hashes.push((await runSchedule(healthySite, randomPlan(seed), server)).trace.hash);
    expect(hashes.slice(3)).toEqual(hashes.slice(0, 3));
    expect(new Set(hashes).size).toBe(3);
  });

  it("finds nothing wrong with an operator that is right", async () => {
    const { failure, schedules } = await prove(healthySite, server, { schedules: 200, goesOn: atMost(isLong ? 400 : 40) });
    expect([failure?.findings, failure === undefined ? [] : storyOf(failure)]).toEqual([undefined, []]);
    expect(schedules).toBeGreaterThan(40);
  });

  it("finds an operator that creates a second object when it dies before it has recorded the first", async () => {
    const { failure } = await prove(forgetfulSite, server, { schedules: 50 });
    expect(failure?.findings[0]).toMatchObject({ check: "same-end", text: expect.stringContaining("exists at the end") as unknown });
    expect(failure?.decisions.size).toBe(1);
    expect(failure === undefined ? [] : storyOf(failure).length).toBeLessThan(40);
  });

  it("finds an operator that leaks what it remembers only in memory", async () => {
    const { failure } = await prove(leakySite, server, { schedules: 50 });
    expect(failure?.findings[0]).toMatchObject({ check: "external", text: expect.stringContaining("still holds a.example") as unknown });
  });
});
