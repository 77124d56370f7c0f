import { describe, expect, it } from "vitest";
import { texts } from "../../../testing/workload-sample.ts";
import { validateNodeSelector, validateNodeSelectorTerm } from "./node-selector.ts";

describe("validateNodeSelector", () => {
  it("requires a term", () => {
    expect(texts(validateNodeSelector({ nodeSelectorTerms: [] }, "n"))).toEqual([
      "n.nodeSelectorTerms: Required value: must have at least one node selector term",
    ]);
  });

  it("requires as many values as the operator takes", () => {
    expect(
      texts(
        validateNodeSelector(
          {
            nodeSelectorTerms: [
              {
                matchExpressions: [
                  { key: "a", operator: "In" },
                  { key: "a", operator: "Exists", values: ["x"] },
                  { key: "a", operator: "Gt" },
                  { key: "a", operator: "Is" as "In" },
                ],
              },
            ],
          },
          "n",
        ),
      ),
    ).toEqual([
      "n.nodeSelectorTerms[0].matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      "n.nodeSelectorTerms[0].matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      "n.nodeSelectorTerms[0].matchExpressions[2].values: Required value: must be specified single value when `operator` is 'Lt' or 'Gt'",
      'n.nodeSelectorTerms[0].matchExpressions[3].operator: Invalid value: "Is": not a valid selector operator',
    ]);
  });

  it("supports the field metadata.name only", () => {
    expect(
      validateNodeSelectorTerm({ matchFields: [{ key: "metadata.name", operator: "In", values: ["n"] }] }, "t", { checkValues: true }),
    ).toEqual([]);
    expect(
      texts(validateNodeSelectorTerm({ matchFields: [{ key: "spec", operator: "In", values: ["n"] }] }, "t", { checkValues: true })),
    ).toEqual(['t.matchFields[0].key: Invalid value: "spec": not a valid field selector key']);
  });

  it("accepts invalid label values in preferences", () => {
    const term = { matchExpressions: [{ key: "a", operator: "In" as const, values: ["a b"] }] };
    expect(validateNodeSelectorTerm(term, "t", { checkValues: false })).toEqual([]);
    expect(validateNodeSelectorTerm(term, "t", { checkValues: true })).toHaveLength(1);
  });
});
