import { describe, expect, it } from "vitest";
import { printFieldError } from "../field/field-error-text.ts";
import type { LabelSelector, LabelSelectorOperator, LabelSelectorRequirement } from "./label-selector.ts";
import { validateLabelSelector, validateLabelSelectorRequirement } from "./validate-label-selector.ts";

/** An operator of a client that is newer than the server. */
const newOperator = "Gt" as string as LabelSelectorOperator;

describe("validateLabelSelector", () => {
  it("requires values exactly where the operator takes them", () => {
    const selector: LabelSelector = {
      matchExpressions: [
        { key: "a", operator: "In" },
        { key: "a", operator: "Exists", values: ["x"] },
        { key: "a", operator: newOperator },
      ],
    };
    expect(validateLabelSelector(selector, "s").map(printFieldError)).toEqual([
      "s.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      "s.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      's.matchExpressions[2].operator: Invalid value: "Gt": not a valid selector operator',
    ]);
  });

  it("requires valid labels, unless allowed for old objects", () => {
    const selector: LabelSelector = { matchLabels: { "-": "ok" }, matchExpressions: [{ key: "a", operator: "In", values: ["ok", "?"] }] };
    expect(validateLabelSelector(selector, "s").map((error) => error.field)).toEqual(["s.matchLabels", "s.matchExpressions[0].values[1]"]);
    expect(validateLabelSelector(selector, "s", { allowInvalidValues: true }).map((error) => error.field)).toEqual(["s.matchLabels"]);
    expect(validateLabelSelector(undefined, "s")).toEqual([]);
  });

  it("accepts unknown operators only if allowed", () => {
    const requirement: LabelSelectorRequirement = { key: "-", operator: newOperator };
    expect(validateLabelSelectorRequirement(requirement, "r").map((error) => error.field)).toEqual(["r.operator", "r.key"]);
    expect(validateLabelSelectorRequirement(requirement, "r", { allowUnknownOperators: true }).map((error) => error.field)).toEqual([
      "r.key",
    ]);
  });
});
