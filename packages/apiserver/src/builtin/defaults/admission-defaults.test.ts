import type {
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from "@drover/api/admissionregistration/v1";
import { describe, expect, it } from "vitest";
import {
  setAdmissionPolicyBindingDefaults,
  setAdmissionPolicyDefaults,
  setMutatingWebhookConfigurationDefaults,
  setValidatingWebhookConfigurationDefaults,
} from "./admission-defaults.ts";

const everything = { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} };
const service = { name: "s", namespace: "n" };
const bound = { policyName: "p", validationActions: [] };
const webhook = { name: "w", admissionReviewVersions: ["v1"], sideEffects: "None", rules: [{ resources: ["pods"] }] } as const;

describe("defaults of webhooks", () => {
  it("match everything, time out after ten seconds and fail closed", () => {
    const configuration: ValidatingWebhookConfiguration = {
      metadata: {},
      webhooks: [
        structuredClone({ ...webhook, admissionReviewVersions: ["v1"], rules: [{ resources: ["pods"] }], clientConfig: { service } }),
      ],
    };
    setValidatingWebhookConfigurationDefaults(configuration);
    expect(configuration.webhooks?.[0]).toMatchObject({
      ...everything,
      failurePolicy: "Fail",
      timeoutSeconds: 10,
      clientConfig: { service: { ...service, port: 443 } },
      rules: [{ scope: "*", resources: ["pods"] }],
    });
    expect(configuration.webhooks?.[0]).not.toHaveProperty("reinvocationPolicy");
  });

  it("never reinvoke mutating webhooks", () => {
    const configuration: MutatingWebhookConfiguration = {
      metadata: {},
      webhooks: [{ name: "w", admissionReviewVersions: ["v1"], sideEffects: "None", clientConfig: { url: "https://x" } }],
    };
    setMutatingWebhookConfigurationDefaults(configuration);
    expect(configuration.webhooks?.[0]).toMatchObject({ ...everything, reinvocationPolicy: "Never", clientConfig: { url: "https://x" } });
  });
});

describe("defaults of admission policies", () => {
  it("fail closed and match everything that their rules leave open", () => {
    const policy: ValidatingAdmissionPolicy = {
      metadata: {},
      spec: { matchConstraints: { resourceRules: [{}], excludeResourceRules: [{ scope: "Cluster" }] } },
    };
    setAdmissionPolicyDefaults(policy);
    expect(policy.spec).toEqual({
      failurePolicy: "Fail",
      matchConstraints: { ...everything, resourceRules: [{ scope: "*" }], excludeResourceRules: [{ scope: "Cluster" }] },
    });
  });

  it("give bindings empty selectors only if they have matchResources", () => {
    const bindings: ValidatingAdmissionPolicyBinding[] = [
      { metadata: {}, spec: { ...bound, matchResources: {} } },
      { metadata: {}, spec: { ...bound } },
    ];
    bindings.forEach(setAdmissionPolicyBindingDefaults);
    expect(bindings.map(({ spec }) => spec)).toEqual([{ ...bound, matchResources: everything }, bound]);
  });
});
