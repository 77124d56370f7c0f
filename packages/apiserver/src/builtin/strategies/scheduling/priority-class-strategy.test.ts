import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { priorityClassStrategy } from "./priority-class-strategy.ts";

const texts = (name: string, value: number): string[] =>
  (priorityClassStrategy.validate?.({ metadata: { name }, value }) ?? []).map(printFieldError);

describe("PriorityClass strategy", () => {
  it("reserves high values and the system- prefix", () => {
    expect([texts("a", 1_000_000_000), texts("system-node-critical", 2_000_001_000)]).toEqual([[], []]);
    expect(texts("a", 1_000_000_001)).toEqual(["value: Forbidden: maximum allowed value of a user defined priority is 1000000000"]);
    expect(texts("system-zed", 1)).toEqual([
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-zed is not a known system priority class",
    ]);
  });

  it("keeps value and preemptionPolicy immutable", () => {
    const metadata = { name: "a" };
    expect(
      (
        priorityClassStrategy.validateUpdate?.(
          { metadata, value: 2, preemptionPolicy: "Never" },
          { metadata, value: 1, preemptionPolicy: "PreemptLowerPriority" },
        ) ?? []
      ).map(printFieldError),
    ).toEqual(["value: Forbidden: may not be changed in an update.", 'preemptionPolicy: Invalid value: "Never": field is immutable']);
  });
});
