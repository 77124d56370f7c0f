import { describe, expect, it } from "vitest";
import { printRoles } from "../permissions/role-text.ts";
import { webhookNamed } from "./testing/reviews.ts";
import type { Webhooks } from "./webhook.ts";
import { webhookNeeds } from "./webhook-needs.ts";

const options = { namespace: "ops", name: "shop" };
const webhooks: Webhooks = {
  admission: [webhookNamed("validate", { type: "validating", handle: () => ({ isAllowed: true }) })],
  conversions: [{ group: "demo.example.com", resource: "webapps", kind: "WebApp", convert: (object) => ({ ...object }) as never }],
  policies: [{ name: "pods.example.com", rules: [], validations: [] }],
};
const lines = (needs: ReturnType<typeof webhookNeeds>): readonly string[] =>
  needs.map(({ resource, name = "*", namespace = "", verbs }) => `${namespace} ${resource} ${name}: ${verbs.join(" ")}`.trim());

describe("webhookNeeds", () => {
  it("names single objects wherever RBAC can express it", () => {
    expect(lines(webhookNeeds(webhooks, options))).toEqual([
      "ops secrets shop: get update",
      "ops secrets *: create",
      "customresourcedefinitions webapps.demo.example.com: get patch",
      "mutatingwebhookconfigurations shop: get delete",
      "validatingwebhookconfigurations shop: get create patch",
      "validatingadmissionpolicies pods.example.com: get create patch",
      "validatingadmissionpolicybindings pods.example.com: get create patch",
    ]);
  });

  it("needs nothing for what others do", () => {
    expect(lines(webhookNeeds(webhooks, { ...options, registration: "inject" }))).toEqual([
      "ops secrets shop: get update",
      "ops secrets *: create",
      "customresourcedefinitions webapps.demo.example.com: get patch",
      "validatingwebhookconfigurations shop: get patch",
    ]);
    const outside = () => Promise.reject(new Error("not called"));
    expect(webhookNeeds(webhooks, { ...options, registration: "off", certificates: outside })).toEqual([]);
    expect(webhookNeeds({ admission: [], conversions: [], policies: [] }, { ...options, registration: "off" })).toEqual([]);
  });

  it("becomes rules with resourceNames", () => {
    const text = printRoles(webhookNeeds(webhooks, options), {
      name: "shop",
      subject: { kind: "ServiceAccount", name: "shop", namespace: "ops" },
    });
    expect(text).toContain("resourceNames:\n  - shop\n  resources:\n  - validatingwebhookconfigurations\n");
    expect(text.match(/resourceNames:/g)).toHaveLength(5);
  });
});
