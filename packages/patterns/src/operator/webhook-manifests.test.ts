import { ConfigMap } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createOperator, defineResource } from "../index.ts";

const WebApp = defineResource({
  group: "demo.example.com",
  version: "v1",
  kind: "WebApp",
  spec: z.object({ host: z.string().optional() }),
  olderVersions: { v1beta1: { spec: z.object({ host: z.string().optional() }), up: (object) => object, down: (object) => object } },
  validate: () => undefined,
});

describe("app.webhooks", () => {
  it("prints the Service, the definition with its converter, and the least registration", () => {
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, { reconcile: () => undefined });
    const text = app.webhooks({ namespace: "shops" });
    expect(text.match(/^kind: .*/gm)).toEqual(["kind: Service", "kind: CustomResourceDefinition", "kind: ValidatingWebhookConfiguration"]);
    expect(text).toContain("targetPort: 9443");
    expect(text).toContain("path: /convert");
    expect(text).toContain("path: /validate/demo.example.com/v1/webapps");
    expect(text).not.toContain("caBundle");
    expect(text).not.toContain("namespaceSelector");
  });

  it("prints no Service for rules, which the API server evaluates itself", () => {
    const app = createOperator({ name: "shop" });
    app.admit(ConfigMap, { rules: [["true", "never"]] });
    expect(app.webhooks().match(/^kind: .*/gm)).toEqual(["kind: ValidatingAdmissionPolicy", "kind: ValidatingAdmissionPolicyBinding"]);
  });

  it("excludes namespaces that must start without the operator, for kinds of others", () => {
    const app = createOperator({ name: "shop" });
    app.admit(ConfigMap, { everywhere: true, mutate: () => undefined });
    expect(app.webhooks({ namespace: "shops" })).toMatch(
      /operator: NotIn\n\s+values:\n\s+- kube-system\n\s+- kube-node-lease\n\s+- shops\n/,
    );
  });

  it("explains that there is nothing to print", () => {
    expect(() => createOperator({ name: "shop" }).webhooks()).toThrow("webhooks of shop: it declares none");
  });
});
