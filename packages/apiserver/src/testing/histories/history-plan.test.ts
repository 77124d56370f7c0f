import { describe, expect, it } from "vitest";
import { historyPlan } from "./history-plan.ts";

const plans = Array.from({ length: 200 }, (_, seed) => historyPlan(seed));

describe("historyPlan", () => {
  it("is the same for the same seed, and another for another", () => {
    expect(historyPlan(7)).toEqual(historyPlan(7));
    expect(historyPlan(7).steps).not.toEqual(historyPlan(8).steps);
  });

  it("has every action, verb and start somewhere", () => {
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

  it("never puts a custom resource without its version, which the server does not take", () => {
    const blind = plans
      .flatMap(({ steps }) => steps)
      .filter((step) => step.kind === "request" && step.verb === "put" && !step.isConditional && step.id.startsWith("widgets"));
    expect(blind).toEqual([]);
  });
});
