import { describe, expect, it } from "vitest";
import { checkAuditPolicy, readAuditPolicy } from "./audit-policy.ts";

const head = "apiVersion: audit.k8s.io/v1\nkind: Policy\n";

describe("readAuditPolicy", () => {
  it("reads YAML and JSON", () => {
    const rules = [{ level: "Metadata", resources: [{ group: "", resources: ["pods/log"] }], omitManagedFields: true }];
    expect(readAuditPolicy(JSON.stringify({ apiVersion: "audit.k8s.io/v1", kind: "Policy", rules }))).toEqual({ rules });
    expect(
      readAuditPolicy(
        `${head}metadata: {name: x}\nomitStages: [RequestReceived]\nomitManagedFields: true\nrules:\n- level: None\n  users: null\n`,
      ),
    ).toEqual({ rules: [{ level: "None" }], omitStages: ["RequestReceived"], omitManagedFields: true });
  });

  it.each([
    ["rules: []", "apiVersion and kind must be audit.k8s.io/v1 and Policy"],
    ["[", "audit policy: "],
    ["1", "the file has no object"],
    [`${head}rules: []`, "loaded illegal policy with 0 rules"],
    [`${head}rules: [{level: None}]\nrule: []`, "rule: unknown field; known are kind, apiVersion, metadata, rules"],
    [`${head}rules: [{level: None, resource: []}]`, "rules[0].resource: unknown field"],
    [`${head}rules: [{level: None, resources: [{version: v1}]}]`, "rules[0].resources[0].version: unknown field"],
    [`${head}rules: [{level: None, users: alice}]`, "rules[0].users: must be a list of strings"],
    [`${head}rules: [{level: None}]\nrules: [{level: Metadata}]`, 'line 4: key "rules" is already set'],
  ])("refuses %j and names the problem", (text, problem) => {
    expect(() => readAuditPolicy(text)).toThrow(problem);
  });
});

describe("checkAuditPolicy", () => {
  it.each([
    [{ rules: [{ level: "" }] }, "rules[0].level: Required value"],
    [
      { rules: [{ level: "All" }] },
      'rules[0].level: Unsupported value: "All": supported values: "None", "Metadata", "Request", "RequestResponse"',
    ],
    [
      { rules: [{ level: "None", nonResourceURLs: ["x", "/a*b", "*"] }] },
      `[rules[0].nonResourceURLs[0]: Invalid value: "x": non-resource URL rules must begin with a '/' character, rules[0].nonResourceURLs[1]: Invalid value: "/a*b": non-resource URL wildcards '*' must be the final character of the rule]`,
    ],
    [
      { rules: [{ level: "None", nonResourceURLs: ["/x"], namespaces: ["a"] }] },
      "rules cannot apply to both regular resources and non-resource URLs",
    ],
    [{ rules: [{ level: "None", resources: [{ group: "apps/v1" }] }] }, 'rules[0].resources.group: Invalid value: "apps/v1"'],
    [
      { rules: [{ level: "None", resources: [{ resourceNames: ["a"] }] }] },
      'rules[0].resources.resourceNames: Invalid value: ["a"]: using resourceNames requires at least one resource',
    ],
    [
      { rules: [{ level: "None" }], omitStages: ["Started"] },
      'omitStages[0]: Invalid value: "Started": allowed stages are RequestReceived,ResponseStarted,ResponseComplete,Panic',
    ],
  ])("refuses %j in the words of kube-apiserver", (policy, problem) => {
    expect(() => checkAuditPolicy(policy as never)).toThrow(problem);
  });
});
