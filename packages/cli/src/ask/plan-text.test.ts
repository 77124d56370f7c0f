import type { PlannedObjectRun } from "@drover/controller";
import type { ObjectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { objectPlanText, planSummary } from "./plan-text.ts";

const run = (rest: Partial<PlannedObjectRun>): PlannedObjectRun => ({
  controller: "maps",
  key: "shop/web" as ObjectKey,
  writes: [],
  unchanged: 0,
  held: [],
  errors: [],
  ...rest,
});

describe("texts of plans", () => {
  it("objectPlanText prints writes with fields, held slots and failures, in 80 columns and without control characters", () => {
    const text = objectPlanText(
      run({
        unchanged: 2,
        writes: [
          {
            kind: "Deployment.apps",
            key: "shop/web",
            type: "patched",
            fields: [
              { path: "spec.replicas", before: "2", after: "3" },
              { path: "metadata.labels[a]", before: '"x"' },
              { path: "data", after: "[redacted]" },
            ],
            fieldCount: 4,
          },
          { kind: "Pod", key: "shop/old", type: "deleted", why: "it is no longer desired", fields: [], fieldCount: 0 },
        ],
        held: ["page: waits\u001b[2J"],
        errors: [`no ${"word ".repeat(40)}`],
      }),
    );
    expect(text.slice(0, 8)).toEqual([
      "shop/web in maps: 2 objects are as desired",
      "  ~ Deployment.apps shop/web patched",
      "      spec.replicas: 2 → 3",
      '      metadata.labels[a]: "x" → nothing',
      "      data: [redacted]",
      "      and 1 more field",
      "  - Pod shop/old deleted: it is no longer desired",
      String.raw`  held     page: waits\x1b[2J`,
    ]);
    for (const line of text) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("objectPlanText says that nothing would change, or why nothing is applied", () => {
    expect(objectPlanText(run({ unchanged: 1 }))).toEqual(["shop/web in maps: nothing would change, 1 object is as desired"]);
    expect(objectPlanText(run({ skipped: "it is paused" }))).toEqual(["shop/web in maps: nothing would be applied: it is paused"]);
  });

  it("planSummary counts, and names what is not known", () => {
    const totals = { planned: 5, skipped: 1, changing: 2, failing: 1, isCut: true };
    expect(planSummary(totals, ["pods"])).toEqual([
      "Planned 5 objects: 2 to change, 1 failing, 1 without anything to apply.",
      "There are more objects; see --limit.",
      "Not known is what these controllers write: pods.",
    ]);
  });
});
