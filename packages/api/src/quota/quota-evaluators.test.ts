import { describe, expect, it } from "vitest";
import { printAmounts } from "./amounts.ts";
import { isInScopes } from "./evaluator.ts";
import { quotaEvaluators } from "./quota-evaluators.ts";

const { of } = quotaEvaluators(() => 0);
const countOf = (group: string, resource: string): string | undefined => {
  const evaluator = of({ group, resource });
  return evaluator && printAmounts(evaluator.usage({ metadata: {}, spec: {} }));
};

describe("quotaEvaluators", () => {
  it("counts any resource under its name and group", () => {
    expect(countOf("apps", "deployments")).toBe("count/deployments.apps=1");
    expect(countOf("", "endpoints")).toBe("count/endpoints=1");
    expect(countOf("example.com", "pods")).toBe("count/pods.example.com=1");
  });

  it("counts old resources under a second name", () => {
    expect(countOf("", "configmaps")).toBe("configmaps=1,count/configmaps=1");
    expect(countOf("", "resourcequotas")).toBe("count/resourcequotas=1,resourcequotas=1");
  });

  it("has evaluators of its own for pods, services and claims, and none for events and reviews", () => {
    expect([of({ group: "", resource: "pods" }), of({ group: "", resource: "services" })].map((one) => one?.countsOnly)).toEqual([
      undefined,
      undefined,
    ]);
    expect([
      countOf("", "events"),
      countOf("events.k8s.io", "events"),
      countOf("authorization.k8s.io", "localsubjectaccessreviews"),
    ]).toEqual([undefined, undefined, undefined]);
  });

  it("puts what is only counted into no scope", () => {
    const evaluator = of({ group: "", resource: "configmaps" });
    const quota = (spec: object): { metadata: object } => ({ metadata: {}, spec }) as { metadata: object };
    expect(evaluator && isInScopes(evaluator, quota({}), {})).toBe(true);
    expect(evaluator && isInScopes(evaluator, quota({ scopes: ["NotBestEffort"] }), {})).toBe(false);
  });
});
