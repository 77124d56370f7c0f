import { MutatingAdmissionPolicyBinding, ValidatingAdmissionPolicyBinding } from "@drover/api/admissionregistration/v1";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

const param = (paramRef: JsonObject): JsonValue => printed(ValidatingAdmissionPolicyBinding, { spec: { paramRef } })["ParamRef"] ?? null;

describe("admission policy binding tables", () => {
  it("have the policy name", () => {
    expect(printed(MutatingAdmissionPolicyBinding, { spec: { policyName: "p" } })).toEqual({
      Name: "web",
      PolicyName: "p",
      ParamRef: "<unset>",
      Age: "5m",
    });
  });

  it("have the parameters by name", () => {
    expect(param({ name: "n", namespace: "ns" })).toBe("ns/n");
    expect(param({ name: "n", selector: {} })).toBe("*/n");
  });

  it("print a parameter selector as Go does", () => {
    expect(param({ selector: {} })).toBe("&LabelSelector{MatchLabels:map[string]string{},MatchExpressions:[]LabelSelectorRequirement{},}");
    expect(
      param({
        selector: {
          matchLabels: { b: "2", a: "1" },
          matchExpressions: [
            { key: "x", operator: "In", values: ["p", "q"] },
            { key: "y", operator: "Exists" },
          ],
        },
      }),
    ).toBe(
      "&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:x,Operator:In,Values:[p q],},LabelSelectorRequirement{Key:y,Operator:Exists,Values:[],},},}",
    );
  });
});
