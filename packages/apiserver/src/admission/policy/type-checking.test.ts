import type { ValidatingAdmissionPolicy } from "@drover/api/admissionregistration/v1";
import { describe, expect, it } from "vitest";
import { testServer } from "../../testing/test-server.ts";

const policy = (expressions: readonly string[], extra: object = {}, resources = ["deployments"]): ValidatingAdmissionPolicy => ({
  metadata: { name: "p" },
  spec: {
    matchConstraints: { resourceRules: [{ operations: ["*"], apiGroups: ["apps"], apiVersions: ["v1"], resources }] },
    validations: expressions.map((expression) => ({ expression })),
    ...extra,
  },
});

describe("type checking of policies", () => {
  it("finds fields that a kind does not have, and types that do not fit", async () => {
    const { checkPolicyTypes } = await testServer();
    const warnings = checkPolicyTypes(policy(["object.spec.replicas > 1", "object.spec.nope == 1", "object.spec.replicas == 'x'"]));
    expect(warnings.map(({ fieldRef }) => fieldRef)).toEqual(["spec.validations[1].expression", "spec.validations[2].expression"]);
    expect(warnings[0]?.warning).toBe(
      "apps/v1, Kind=Deployment: ERROR: <input>:1:12: undefined field 'nope'\n | object.spec.nope == 1\n | ...........^\n",
    );
  });

  it("checks every kind, messages, variables and parameters", async () => {
    const { checkPolicyTypes } = await testServer();
    const both = checkPolicyTypes(policy(["object.spec.replicas > 1"], {}, ["deployments", "daemonsets"]));
    expect(both[0]?.warning).toMatch(/^apps\/v1, Kind=DaemonSet: ERROR/);
    const rest = checkPolicyTypes(
      policy([], {
        paramKind: { apiVersion: "v1", kind: "ConfigMap" },
        variables: [{ name: "n", expression: "object.spec.replicas" }],
        validations: [{ expression: "variables.n > 1 && params.data.x == 'y' && params.nope == 1", messageExpression: "object.nope" }],
      }),
    );
    expect(rest.map(({ fieldRef }) => fieldRef)).toEqual(["spec.validations[0].expression", "spec.validations[0].messageExpression"]);
  });

  it("knows kinds whose schema contains itself", async () => {
    const { checkPolicyTypes } = await testServer();
    const crd = (expression: string): ValidatingAdmissionPolicy => ({
      metadata: { name: "p" },
      spec: {
        matchConstraints: {
          resourceRules: [
            { operations: ["*"], apiGroups: ["apiextensions.k8s.io"], apiVersions: ["v1"], resources: ["customresourcedefinitions"] },
          ],
        },
        validations: [{ expression }],
      },
    });
    expect(checkPolicyTypes(crd("object.spec.versions[0].schema.openAPIV3Schema.type == 'object'"))).toEqual([]);
    expect(checkPolicyTypes(crd("object.spec.versions[0].schema.nope == 'object'"))).toHaveLength(1);
  });

  it("does not check wildcards, subresources and kinds that are not served", async () => {
    const { checkPolicyTypes } = await testServer();
    for (const resources of [["*"], ["deployments/scale"], ["nopes"]])
      expect(checkPolicyTypes(policy(["object.nope == 1"], {}, resources))).toEqual([]);
  });
});
