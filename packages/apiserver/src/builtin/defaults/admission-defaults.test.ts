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

describe("a webhook", () => {
  it("is asked about everything, has ten seconds, and a failure of it is a refusal", () => {
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

  it("that changes objects is asked once", () => {
    const configuration: MutatingWebhookConfiguration = {
      metadata: {},
      webhooks: [{ name: "w", admissionReviewVersions: ["v1"], sideEffects: "None", clientConfig: { url: "https://x" } }],
    };
    setMutatingWebhookConfigurationDefaults(configuration);
    expect(configuration.webhooks?.[0]).toMatchObject({ ...everything, reinvocationPolicy: "Never", clientConfig: { url: "https://x" } });
  });
});

describe("an admission policy", () => {
  it("refuses when it fails, and matches everything its rules leave open", () => {
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

  it("is bound to everything, or is not narrowed down at all", () => {
    const bindings: ValidatingAdmissionPolicyBinding[] = [
      { metadata: {}, spec: { ...bound, matchResources: {} } },
      { metadata: {}, spec: { ...bound } },
    ];
    bindings.forEach(setAdmissionPolicyBindingDefaults);
    expect(bindings.map(({ spec }) => spec)).toEqual([{ ...bound, matchResources: everything }, bound]);
  });
});
