import { describe, expect, it } from "vitest";
import { approvalOf } from "./api-approval.ts";

const stateOf = (group: string, value?: string): string | undefined =>
  approvalOf(group, value === undefined ? {} : { annotations: { "api-approved.kubernetes.io": value } })?.state;

describe("approvalOf", () => {
  it("applies to Kubernetes' community groups only", () => {
    expect(["ex.io", "mk8s.io", "k8s.io.ex.com"].map((group) => stateOf(group))).toEqual([undefined, undefined, undefined]);
    expect(["k8s.io", "x.k8s.io", "kubernetes.io", "a.b.kubernetes.io"].map((group) => stateOf(group))).toEqual([
      "missing",
      "missing",
      "missing",
      "missing",
    ]);
  });

  it("accepts a URL or a reason that starts with unapproved", () => {
    expect(stateOf("k8s.io", "https://github.com/kubernetes/kubernetes/pull/1")).toBe("approved");
    expect(stateOf("k8s.io", "unapproved, legacy")).toBe("bypassed");
    expect(["yes", "https:///x", "/x", "https://u@/"].map((value) => stateOf("k8s.io", value))).toEqual([
      "invalid",
      "invalid",
      "invalid",
      "invalid",
    ]);
  });

  it("reports problems in kube-apiserver's words", () => {
    expect(approvalOf("k8s.io", {})?.reason).toBe(
      'protected groups must have approval annotation "api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
    );
    expect(approvalOf("k8s.io", { annotations: { "api-approved.kubernetes.io": "unapproved" } })?.reason).toBe(
      'not approved: "unapproved"',
    );
  });
});
