import { describe, expect, it } from "vitest";
import { historyPlan } from "./history-plan.ts";
import type { HistoryPlan } from "./history-plan.ts";
import type { History } from "./history.ts";
import { investigate } from "./investigate.ts";

const quiet: History = { base: { revision: 10, versions: new Map() }, writes: [], operations: [], lists: [], sessions: [], errors: [] };

describe("investigate", () => {
  it("returns no story for a history without violations", async () => {
    expect(await investigate({ run: () => Promise.resolve(quiet) }, 1)).toEqual({ history: quiet, story: undefined });
  });

  it("returns the shortest plan that fails in the same way", async () => {
    const culprit = historyPlan(1).steps[7];
    const run = ({ steps }: HistoryPlan): Promise<History> =>
      Promise.resolve(
        steps.some((step) => step === culprit || JSON.stringify(step) === JSON.stringify(culprit)) ? { ...quiet, errors: ["oh"] } : quiet,
      );
    const { story } = await investigate({ run }, 1);
    expect(story).toContain(`seed 1, 1 of ${historyPlan(1).steps.length} steps:\nerrors: oh`);
  });
});
