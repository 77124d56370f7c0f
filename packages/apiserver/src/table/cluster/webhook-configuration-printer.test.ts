import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "@drover/api/admissionregistration/v1";
import { describe, expect, it } from "vitest";
import { printed } from "../../testing/printed.ts";

describe("webhook configuration tables", () => {
  it("count webhooks", () => {
    expect(printed(MutatingWebhookConfiguration, { webhooks: [{ name: "a" }, { name: "b" }] })).toEqual({
      Name: "web",
      Webhooks: 2,
      Age: "5m",
    });
    expect(printed(ValidatingWebhookConfiguration, {})).toEqual({ Name: "web", Webhooks: 0, Age: "5m" });
  });
});
