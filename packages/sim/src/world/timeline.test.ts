import { describe, expect, it } from "vitest";
import { Life } from "./life.ts";
import { lifeClock } from "./life-clock.ts";
import { Timeline } from "./timeline.ts";

const drained = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const create = (): { timeline: Timeline; seen: string[]; note: (text: string) => () => void } => {
  const timeline = new Timeline({ nowMs: 1000, drained });
  const seen: string[] = [];
  return { timeline, seen, note: (text) => () => void seen.push(`${timeline.elapsedMs} ${text}`) };
};
const runAll = async (timeline: Timeline): Promise<void> => {
  while (await timeline.step());
};

describe("Timeline", () => {
  it("finishes everything that follows from a task before the next one", async () => {
    const { timeline, seen, note } = create();
    timeline.after(1, undefined, () => void Promise.resolve().then(() => Promise.resolve().then(note("of the first"))));
    timeline.after(1, undefined, note("second"));
    await runAll(timeline);
    expect(seen).toEqual(["1 of the first", "1 second"]);
  });

  it("drops the tasks of a life that has died", async () => {
    const { timeline, seen, note } = create();
    const life = new Life("operator", 1);
    timeline.after(5, life, note("timer of the dead"));
    timeline.after(1, undefined, () => void (life.isDead = true));
    await runAll(timeline);
    expect(seen).toEqual([]);
  });

  it("keeps the tasks of a paused life until it continues, in their order, and cancels them there", async () => {
    const { timeline, seen, note } = create();
    const life = new Life("operator", 1);
    life.pausedUntilMs = 100;
    timeline.after(10, life, note("first"));
    timeline.after(20, life, note("second"));
    const cancel = timeline.after(30, life, note("cancelled"));
    timeline.after(50, undefined, note("of the network"));
    timeline.after(60, undefined, cancel);
    await runAll(timeline);
    expect(seen).toEqual(["50 of the network", "100 first", "100 second"]);
  });

  it("names the life whose task runs, and none between tasks", async () => {
    const { timeline, seen } = create();
    const life = new Life("operator", 1);
    timeline.after(1, life, () => void seen.push(`${timeline.current?.name} ${timeline.isStepping}`));
    await runAll(timeline);
    expect([...seen, timeline.current, timeline.isStepping]).toEqual(["operator 1 true", undefined, false]);
  });

  it("stands still at the time that a step may reach", async () => {
    const { timeline, seen, note } = create();
    timeline.after(10, undefined, note("later"));
    expect(await timeline.step(9)).toBe(false);
    expect([timeline.elapsedMs, seen]).toEqual([0, []]);
  });
});

describe("lifeClock", () => {
  it("is ahead by the offset of its life, and fires no timer that is infinitely far away", async () => {
    const { timeline, seen, note } = create();
    const life = new Life("operator", 1);
    life.wallOffsetMs = 500;
    const clock = lifeClock(timeline, life);
    clock.timer(Infinity, note("never"));
    clock.timer(Number.NaN, note("now"));
    await runAll(timeline);
    expect([clock.now(), clock.monotonic(), seen]).toEqual([1500, 0, ["0 now"]]);
  });
});
