import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { runtimeClassStrategy } from "./runtime-class-strategy.ts";

const metadata = { name: "a" };

describe("RuntimeClass strategy", () => {
  it("requires an immutable handler", () => {
    expect(runtimeClassStrategy.validate?.({ metadata, handler: "h" })).toEqual([]);
    expect((runtimeClassStrategy.validate?.({ metadata, handler: "" }) ?? []).map(printFieldError)).toEqual(["handler: Required value"]);
    expect(
      (runtimeClassStrategy.validateUpdate?.({ metadata, handler: "i" }, { metadata, handler: "h" }) ?? []).map(printFieldError),
    ).toEqual(['handler: Invalid value: "i": field is immutable']);
  });

  it("refuses duplicate tolerations", () => {
    const toleration = { key: "a", operator: "Exists" as const };
    expect(
      (
        runtimeClassStrategy.validate?.({
          metadata,
          handler: "h",
          scheduling: { tolerations: [toleration, { ...toleration, effect: "NoSchedule" }, toleration] },
        }) ?? []
      ).map(printFieldError),
    ).toEqual([
      'scheduling.tolerations[2]: Duplicate value: {"Key":"a","Operator":"Exists","Value":"","Effect":"","TolerationSeconds":null}',
    ]);
  });
});
