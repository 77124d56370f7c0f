import type { CauseRecord, DebugReconcile, ResultRecord, RunRecord } from "@drover/controller";
import type { ObjectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { awaitedRuns, hasFailed } from "./awaited-runs.ts";
import type { TapeEvent } from "./tape-events.ts";

const note = "asked by drover reconcile (request 1)";
const asked = (keys: number): DebugReconcile => ({ at: 100, note, enqueued: [{ controller: "web", keys }], cursor: 0 });
const cause: CauseRecord = { type: "enqueue", note };
const conflict: ResultRecord = { type: "retry", error: "changed", isConflict: true };
let runs = 0;
const run = (key: string, rest: Partial<RunRecord> = {}): TapeEvent => ({
  type: "run",
  run: {
    run: `r-${++runs}`,
    controller: "web",
    key: key as ObjectKey,
    startedAt: 101,
    waitedMs: 0,
    attempts: 0,
    causes: [cause],
    causeCount: 1,
    calls: [],
    callCount: 0,
    result: { type: "done" },
    ...rest,
  },
});

async function* stream(events: readonly TapeEvent[]): AsyncGenerator<TapeEvent> {
  for (const event of events) yield await Promise.resolve(event);
}
const collected = async (keys: number, events: readonly TapeEvent[]): Promise<readonly RunRecord[]> => {
  const found: RunRecord[] = [];
  for await (const each of awaitedRuns(asked(keys), stream(events))) found.push(each);
  return found;
};

describe("awaitedRuns", () => {
  it("yields the run of each key once, and leaves out runs of other causes and controllers", async () => {
    const events = [
      run("a", { causes: [], causeCount: 0 }),
      run("a", { controller: "other" }),
      run("a"),
      run("a"),
      run("b", { causes: [{ type: "enqueue", note: `${note}1` }] }),
      run("b", { result: { type: "stop", reason: "no" } }),
      run("c"),
    ];
    const found = await collected(2, events);
    expect(found.map(({ key, result }) => [key, result?.type])).toEqual([
      ["a", "done"],
      ["b", "stop"],
    ]);
    expect(found.map(hasFailed)).toEqual([false, true]);
  });

  it("takes a later run whose causes were not all kept, and none that began before", async () => {
    const causes: readonly CauseRecord[] = [{ type: "timer", source: "t" }];
    const found = await collected(1, [run("a", { causes, causeCount: 9, startedAt: 99 }), run("a", { causes, causeCount: 9 })]);
    expect(found.map(({ startedAt }) => startedAt)).toEqual([101]);
  });

  it("waits for the run that repeats one with a conflict", async () => {
    const first = run("a", { result: conflict });
    const again: CauseRecord = { type: "retry", attempt: 1, error: "changed", run: `r-${runs}`, isConflict: true };
    const [only, ...more] = await collected(1, [first, run("a", { causes: [], causeCount: 0 }), run("a", { causes: [again] })]);
    expect([only?.causes, more]).toEqual([[again], []]);
  });

  it("says that runs are missing, and that the operator has ended", async () => {
    await expect(collected(1, [{ type: "missed", missed: 7 }])).rejects.toThrow("has ended 7 runs more than its tape keeps");
    await expect(collected(2, [run("a")])).rejects.toThrow("the operator has ended before 1 of the runs");
    expect(await collected(0, [])).toEqual([]);
  });
});
