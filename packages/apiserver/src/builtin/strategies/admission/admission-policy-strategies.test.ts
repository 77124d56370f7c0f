import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { MatchResources } from "@drover/api/admissionregistration/v1";
import {
  mutatingAdmissionPolicyBindingStrategy,
  mutatingAdmissionPolicyStrategy,
  validatingAdmissionPolicyBindingStrategy,
  validatingAdmissionPolicyStrategy,
} from "./admission-policy-strategies.ts";

const metadata = { name: "a" };
const matchConstraints: MatchResources = {
  matchPolicy: "Equivalent",
  namespaceSelector: {},
  objectSelector: {},
  resourceRules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], scope: "*" }],
};
const policy = { failurePolicy: "Fail", matchConstraints } as const;

describe("admission policy strategies", () => {
  it("require validations or mutations", () => {
    expect(validatingAdmissionPolicyStrategy.validate?.({ metadata, spec: { ...policy, validations: [{ expression: "true" }] } })).toEqual(
      [],
    );
    expect((validatingAdmissionPolicyStrategy.validate?.({ metadata, spec: policy }) ?? []).map(printFieldError)).toEqual([
      "spec.validations: Required value: validations or auditAnnotations must contain at least one item",
      "spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item",
    ]);
    expect(
      mutatingAdmissionPolicyStrategy.validate?.({ metadata, spec: { ...policy, reinvocationPolicy: "Never", mutations: [] } }),
    ).toHaveLength(1);
  });

  it("validate paramKind", () => {
    const errors = validatingAdmissionPolicyStrategy.validate?.({
      metadata,
      spec: { ...policy, validations: [{ expression: "true" }], paramKind: { apiVersion: "a/b/c", kind: "" } },
    });
    expect((errors ?? []).map(printFieldError)).toEqual([
      'spec.paramKind.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
      "spec.paramKind.kind: Required value",
    ]);
  });

  it("refuse the operation DELETE in mutating policies", () => {
    const rules = [{ ...matchConstraints.resourceRules?.[0], operations: ["DELETE" as const] }];
    const errors = mutatingAdmissionPolicyStrategy.validate?.({
      metadata,
      spec: {
        ...policy,
        matchConstraints: { ...matchConstraints, resourceRules: rules },
        reinvocationPolicy: "Never",
        mutations: [{ patchType: "JSONPatch", jsonPatch: { expression: "[JSONPatch{op: 'remove', path: '/data'}]" } }],
      },
    });
    expect((errors ?? []).map(printFieldError)).toEqual([
      'spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
    ]);
  });
});

describe("admission policy binding strategies", () => {
  it("require a policy name and validation actions", () => {
    expect(
      validatingAdmissionPolicyBindingStrategy.validate?.({ metadata, spec: { policyName: "p", validationActions: ["Deny", "Audit"] } }),
    ).toEqual([]);
    expect(
      (validatingAdmissionPolicyBindingStrategy.validate?.({ metadata, spec: { policyName: "", validationActions: [] } }) ?? []).map(
        printFieldError,
      ),
    ).toEqual(["spec.policyName: Required value", "spec.validationActions: Required value: at least one validation action is required"]);
  });

  it("require paramRef by name or by selector", () => {
    const errors = mutatingAdmissionPolicyBindingStrategy.validate?.({
      metadata,
      spec: { policyName: "p", paramRef: { parameterNotFoundAction: "Deny" } },
    });
    expect((errors ?? []).map(printFieldError)).toEqual(["spec.paramRef: Required value: one of name or selector must be specified"]);
  });
});
