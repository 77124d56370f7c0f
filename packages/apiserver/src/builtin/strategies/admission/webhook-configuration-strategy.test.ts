import { printFieldError } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { ValidatingWebhook } from "@drover/api/admissionregistration/v1";
import { mutatingWebhookConfigurationStrategy, validatingWebhookConfigurationStrategy } from "./webhook-configuration-strategy.ts";

const metadata = { name: "a" };
const webhook: ValidatingWebhook = {
  name: "a.example.com",
  clientConfig: { service: { name: "s", namespace: "n" } },
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
};
const texts = (change: Partial<ValidatingWebhook>): string[] =>
  (validatingWebhookConfigurationStrategy.validate?.({ metadata, webhooks: [{ ...webhook, ...change }] }) ?? []).map(printFieldError);

describe("webhook configuration strategies", () => {
  it("require unique qualified webhook names", () => {
    expect(texts({})).toEqual([]);
    expect(texts({ name: "a" })).toHaveLength(1);
    expect(
      (validatingWebhookConfigurationStrategy.validate?.({ metadata, webhooks: [webhook, webhook] }) ?? []).map(printFieldError),
    ).toEqual(['webhooks[1].name: Duplicate value: "a.example.com"']);
  });

  it("require exactly one of url and service", () => {
    expect([texts({ clientConfig: { url: "https://host/path" } }), texts({ clientConfig: { url: "https://[::1]:443" } })]).toEqual([
      [],
      [],
    ]);
    expect(texts({ clientConfig: {} })).toEqual(["webhooks[0].clientConfig: Required value: exactly one of url or service is required"]);
    expect(texts({ clientConfig: { url: "http://host" } })).toEqual([
      "webhooks[0].clientConfig.url: Invalid value: \"http\": 'https' is the only allowed URL scheme; desired format: https://host[/path]",
    ]);
  });

  it("swap name and namespace of a service in errors, as kube-apiserver does", () => {
    expect(texts({ clientConfig: { service: { name: "", namespace: "n" } } })).toEqual([
      "webhooks[0].clientConfig.service.namespace: Required value",
    ]);
  });

  it("require sideEffects and a supported review version", () => {
    expect(texts({ sideEffects: null as never })).toEqual([
      "webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun",
    ]);
    expect(texts({ admissionReviewVersions: ["v2"] })).toEqual([
      'webhooks[0].admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1',
    ]);
  });

  it("accept invalid values that existed before", () => {
    const old = { metadata, webhooks: [{ ...webhook, sideEffects: "Some" as const, admissionReviewVersions: ["v2"] }] };
    expect(validatingWebhookConfigurationStrategy.validate?.(old)).toHaveLength(2);
    expect(validatingWebhookConfigurationStrategy.validateUpdate?.(old, old)).toEqual([]);
  });

  it("validate reinvocationPolicy of mutating webhooks", () => {
    expect(
      (
        mutatingWebhookConfigurationStrategy.validate?.({ metadata, webhooks: [{ ...webhook, reinvocationPolicy: "Zed" as "Never" }] }) ??
        []
      ).map(printFieldError),
    ).toEqual(['webhooks[0].reinvocationPolicy: Unsupported value: "Zed": supported values: "IfNeeded", "Never"']);
  });
});
