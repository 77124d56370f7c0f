import { describe, expect, it } from "vitest";
import { webhookNamed } from "./testing/reviews.ts";
import type { AdmissionWebhook, Webhooks } from "./webhook.ts";
import { conversionClause, webhookConfigurations } from "./webhook-configurations.ts";

const target = { service: { namespace: "ops", name: "shop-operator" } };
const options = { name: "shop-operator", target, caBundle: "PEM", ownNamespace: "ops" };
const allow = () => ({ isAllowed: true });
const hook = (name: string, fields: Partial<AdmissionWebhook> = {}): AdmissionWebhook =>
  webhookNamed(name, { type: "validating", handle: allow, ...fields });
const webhooks = (...admission: readonly AdmissionWebhook[]): Webhooks => ({
  admission,
  conversions: [],
  policies: [],
  definedResources: [{ group: "demo.example.com", resource: "webapps" }],
});
const pods = [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], scope: "Namespaced" }] as const;

describe("webhookConfigurations", () => {
  it("registers exactly the declared rules of a defined resource, in all namespaces", () => {
    expect(webhookConfigurations(webhooks(hook("validate", { type: "validating" })), options)).toEqual({
      policies: [],
      bindings: [],
      validating: {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: "ValidatingWebhookConfiguration",
        metadata: { name: "shop-operator" },
        webhooks: [
          {
            name: "validate.example.com",
            admissionReviewVersions: ["v1"],
            clientConfig: { service: { namespace: "ops", name: "shop-operator", path: "/validate", port: 443 }, caBundle: btoa("PEM") },
            rules: [{ operations: ["CREATE"], apiGroups: ["demo.example.com"], apiVersions: ["v1"], resources: ["webapps"], scope: "*" }],
            matchPolicy: "Equivalent",
            failurePolicy: "Fail",
            sideEffects: "None",
            timeoutSeconds: 5,
          },
        ],
      },
    });
  });

  it("excludes the system's and the program's own namespace for kinds that it does not define, so that it can start (F9, H2)", () => {
    const { validating } = webhookConfigurations(webhooks(hook("pods", { rules: pods }), hook("own")), options);
    const own = {
      matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "NotIn", values: ["kube-system", "kube-node-lease", "ops"] }],
    };
    expect(validating?.webhooks?.map(({ namespaceSelector }) => namespaceSelector)).toEqual([own, undefined]);
    const chosen = { matchLabels: { team: "a" } };
    const given = webhookConfigurations(webhooks(hook("pods", { rules: pods, namespaceSelector: chosen })), options);
    expect(given.validating?.webhooks?.[0]?.namespaceSelector).toEqual(chosen);
  });

  it("passes selectors, conditions, policies and timeouts on, with a URL in development and no bundle if others inject it", () => {
    const fields = {
      type: "mutating",
      objectSelector: { matchLabels: { a: "b" } },
      matchConditions: [{ name: "c", expression: "true" }],
      failurePolicy: "Ignore",
      timeoutSeconds: 10,
      sideEffects: "NoneOnDryRun",
      reinvocationPolicy: "IfNeeded",
    } as const;
    const { mutating, validating } = webhookConfigurations(webhooks(hook("mutate", fields)), {
      name: "x",
      ownNamespace: "ops",
      target: { url: "https://127.0.0.1:9443/" },
    });
    const { type: _type, ...expected } = fields;
    expect(validating).toBeUndefined();
    expect(mutating?.webhooks?.[0]).toMatchObject({ ...expected, clientConfig: { url: "https://127.0.0.1:9443/mutate" } });
    expect(mutating?.webhooks?.[0]?.clientConfig).not.toHaveProperty("caBundle");
  });

  it("turns policies into a policy and a binding", () => {
    const policy = { name: "pods.shop.example.com", rules: pods, validations: [{ expression: "true", message: "no" }] };
    const { policies, bindings } = webhookConfigurations({ ...webhooks(), policies: [policy] }, options);
    expect(policies).toEqual([
      {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: "ValidatingAdmissionPolicy",
        metadata: { name: "pods.shop.example.com" },
        spec: {
          failurePolicy: "Fail",
          matchConstraints: { resourceRules: pods, matchPolicy: "Equivalent" },
          validations: policy.validations,
        },
      },
    ]);
    expect(bindings).toMatchObject([
      { metadata: { name: "pods.shop.example.com" }, spec: { policyName: "pods.shop.example.com", validationActions: ["Deny"] } },
    ]);
  });

  it("returns the clause of a definition whose objects the program converts", () => {
    expect(conversionClause(target, "PEM")).toEqual({
      strategy: "Webhook",
      webhook: {
        conversionReviewVersions: ["v1"],
        clientConfig: { service: { namespace: "ops", name: "shop-operator", path: "/convert", port: 443 }, caBundle: btoa("PEM") },
      },
    });
  });

  it("refuses names that are used twice, and timeouts beyond ten seconds (H3)", () => {
    expect(() => webhookConfigurations(webhooks(hook("a"), hook("a")), options)).toThrow(
      "validating webhook a.example.com is declared twice",
    );
    for (const timeoutSeconds of [0, 11, 1.5, NaN])
      expect(() => webhookConfigurations(webhooks(hook("a", { timeoutSeconds })), options)).toThrow("timeoutSeconds");
  });
});
