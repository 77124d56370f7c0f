import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { validateImmutableInternal } from "./internal-field.ts";

describe("validateImmutableInternal", () => {
  it("accepts semantically equal values", () => {
    expect(
      validateImmutableInternal(
        { matchLabels: { a: "b" } },
        { matchLabels: { a: "b" }, matchExpressions: [] },
        "spec.selector",
        "*LabelSelector",
      ),
    ).toEqual([]);
  });

  it("shows the new value in internal form", () => {
    expect(validateImmutableInternal(3, 2, "spec.completions", "*int32").map(printFieldError)).toEqual([
      "spec.completions: Invalid value: 3: field is immutable",
    ]);
    expect(validateImmutableInternal(undefined, "Indexed", "spec.completionMode", "*string").map(printFieldError)).toEqual([
      "spec.completionMode: Invalid value: null: field is immutable",
    ]);
  });
});
