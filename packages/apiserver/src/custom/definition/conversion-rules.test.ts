import { describe, expect, it } from "vitest";
import type { CustomResourceConversion, WebhookClientConfig } from "@drover/api/apiextensions/v1";
import { printFieldError } from "@drover/machinery";
import { checkConversion } from "./conversion-rules.ts";

const errorsOf = (conversion: CustomResourceConversion | undefined, allowsBadBundle = true): string[] =>
  checkConversion(conversion, "c", { allowsBadBundle }).map(printFieldError);
const webhook = (clientConfig: WebhookClientConfig | undefined, conversionReviewVersions = ["v1"]): CustomResourceConversion => ({
  strategy: "Webhook",
  webhook: { ...(clientConfig === undefined ? {} : { clientConfig }), conversionReviewVersions },
});

describe("checkConversion", () => {
  it("accepts the strategies None and Webhook", () => {
    expect([errorsOf(undefined), errorsOf({ strategy: "None" }), errorsOf(webhook({ url: "https://h/" }))]).toEqual([[], [], []]);
    expect(errorsOf({ strategy: "Magic" })).toEqual(['c.strategy: Unsupported value: "Magic": supported values: "None", "Webhook"']);
    expect(errorsOf({ strategy: "" })).toEqual(["c.strategy: Required value"]);
  });

  it("requires a webhook for the strategy Webhook only", () => {
    expect(errorsOf({ strategy: "Webhook" })).toEqual([
      "c.webhookClientConfig: Required value: required when strategy is set to Webhook",
      "c.conversionReviewVersions: Required value",
    ]);
    expect(errorsOf({ ...webhook({ url: "https://h/" }), strategy: "None" })).toEqual([
      "c.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook",
      "c.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook",
    ]);
  });

  it("requires either a URL or a service", () => {
    expect(errorsOf(webhook({}))).toEqual(["c.webhookClientConfig: Required value: exactly one of url or service is required"]);
    expect(errorsOf(webhook({ url: "http://u@/?q#f" }))).toEqual([
      "c.webhookClientConfig.url: Invalid value: \"http\": 'https' is the only allowed URL scheme; desired format: https://host[/path]",
      'c.webhookClientConfig.url: Invalid value: "": host must be specified; desired format: https://host[/path]',
      'c.webhookClientConfig.url: Invalid value: "u": user information is not permitted in the URL',
      'c.webhookClientConfig.url: Invalid value: "f": fragments are not permitted in the URL',
      'c.webhookClientConfig.url: Invalid value: "q": query parameters are not permitted in the URL',
    ]);
    expect(errorsOf(webhook({ url: ":x" }))[0]).toContain('Required value: url must be a valid URL: parse ":x": missing protocol scheme');
  });

  it("validates name, namespace, port and path of the webhook service", () => {
    expect(errorsOf(webhook({ service: { name: "a", namespace: "b", path: "/x/y/" } }))).toEqual([]);
    expect(errorsOf(webhook({ service: { name: "", namespace: "b", port: 0, path: "x//Y" } })).map((text) => text.slice(0, 90))).toEqual(
      [
        "c.webhookClientConfig.service.namespace: Required value",
        "c.webhookClientConfig.service.port: Invalid value: 0: port is not valid: must be between 1",
        "c.webhookClientConfig.service.path: Invalid value: \"x//Y\": must start with a '/'",
        'c.webhookClientConfig.service.path: Invalid value: "x//Y": segment[0] may not be empty',
        'c.webhookClientConfig.service.path: Invalid value: "x//Y": segment[1] may not be empty',
        'c.webhookClientConfig.service.path: Invalid value: "x//Y": segment[2]: a lowercase RFC 1123',
      ].map((text) => text.slice(0, 90)),
    );
    expect(errorsOf(webhook({ service: { name: "a", namespace: "", path: "//" } }))).toEqual([
      "c.webhookClientConfig.service.name: Required value",
      'c.webhookClientConfig.service.path: Invalid value: "//": segment[0] may not be empty',
    ]);
  });

  it("requires a supported conversionReviewVersion", () => {
    expect(errorsOf(webhook({ url: "https://h/" }, ["v9", "v9", "v1"]))).toEqual([
      'c.conversionReviewVersions[1]: Invalid value: "v9": duplicate version',
    ]);
    expect(errorsOf(webhook({ url: "https://h/" }, ["v9"]))).toEqual([
      'c.conversionReviewVersions: Invalid value: ["v9"]: must include at least one of v1, v1beta1',
    ]);
  });

  it("refuses an unreadable CA bundle once the webhook is used", () => {
    expect(errorsOf(webhook({ url: "https://h/", caBundle: "YWJj" }))).toEqual([]);
    expect(errorsOf(webhook({ url: "https://h/", caBundle: "YWJj" }), false)).toEqual([
      'c.webhookClientConfig.caBundle: Invalid value: "YWJj": unable to load root certificates: unable to parse bytes as PEM block',
    ]);
  });
});
