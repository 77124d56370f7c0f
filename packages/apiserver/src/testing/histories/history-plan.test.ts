import { describe, expect, it } from "vitest";
import { historyPlan } from "./history-plan.ts";

const plans = Array.from({ length: 200 }, (_, seed) => historyPlan(seed));

describe("historyPlan", () => {
  it("is determined by its seed", () => {
    expect(historyPlan(7)).toEqual(historyPlan(7));
    expect(historyPlan(7).steps).not.toEqual(historyPlan(8).steps);
  });

  it("covers every action, verb and watch start", () => {
    const steps = plans.flatMap((plan) => plan.steps);
    const seen = (kinds: readonly (string | undefined)[]): readonly string[] =>
      [...new Set(kinds.flatMap((kind) => kind ?? []))].toSorted();
    expect(seen(steps.map(({ kind }) => kind))).toEqual(["advance", "compact", "list", "open", "read", "request", "stop"]);
    expect(seen(steps.map((step) => (step.kind === "request" ? step.verb : undefined)))).toEqual([
      "create",
      "delete",
      "dry-patch",
      "get",
      "patch",
      "put",
    ]);
    expect(seen(steps.map((step) => (step.kind === "open" ? step.start : undefined)))).toEqual([
      "bookmark",
      "future",
      "initial",
      "last",
      "list",
      "now",
      "old",
      "unset",
      "zero",
    ]);
  });

  it("never puts a custom resource without its resourceVersion, which the server refuses", () => {
    const blind = plans
      .flatMap(({ steps }) => steps)
      .filter((step) => step.kind === "request" && step.verb === "put" && !step.isConditional && step.id.startsWith("widgets"));
    expect(blind).toEqual([]);
  });
});
