import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { validateConditions } from "./condition-list.ts";

const condition = { type: "Ready", status: "True", lastTransitionTime: "2024-01-02T03:04:05Z", reason: "Done", message: "" } as const;

describe("validateConditions", () => {
  it("accepts conditions of different types", () => {
    expect(validateConditions([condition, { ...condition, type: "Other" }], "c")).toEqual([]);
  });

  it("refuses duplicate types, and missing or invalid fields", () => {
    const errors = validateConditions(
      [condition, { ...condition, status: "Zed" as "True", reason: "", observedGeneration: -1, lastTransitionTime: null as never }],
      "c",
    );
    expect(errors.map(printFieldError)).toEqual([
      'c[1].type: Duplicate value: "Ready"',
      'c[1].status: Unsupported value: "Zed": supported values: "False", "True", "Unknown"',
      "c[1].observedGeneration: Invalid value: -1: must be greater than or equal to zero",
      "c[1].lastTransitionTime: Required value",
      "c[1].reason: Required value",
    ]);
  });

  it("refuses long reasons and messages, and malformed reasons", () => {
    const texts = validateConditions([{ ...condition, reason: "1".repeat(1025), message: "m".repeat(32769) }], "c").map(printFieldError);
    expect(texts).toHaveLength(3);
    expect(texts.slice(1)).toEqual([
      "c[0].reason: Too long: may not be more than 1024 bytes",
      "c[0].message: Too long: may not be more than 32768 bytes",
    ]);
  });
});
