/** The table of hostile values thrown and returned by functions of authors that decide about writes; see hostile-values.test.ts. */
import { ConfigMap } from "@drover/api/core/v1";
import { createWebhookHandler } from "@drover/controller";
import type { JsonObject } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { createOperator, defineResource } from "@drover/patterns";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { chosen, expectBounded, quietly } from "./testing/hostile-scene.ts";

const review = JSON.stringify({
  kind: "AdmissionReview",
  apiVersion: "admission.k8s.io/v1",
  request: {
    uid: "u1",
    kind: { group: "demo.example.com", version: "v1", kind: "Shop" },
    resource: { group: "demo.example.com", version: "v1", resource: "shops" },
    name: "books",
    operation: "CREATE",
    object: { apiVersion: "demo.example.com/v1", kind: "Shop", metadata: { name: "books" }, spec: {} },
  },
});

describe("hostile values thrown by functions that decide about writes (SEC6)", { timeout: 60_000 }, () => {
  it("Default, Mutate and Validate", () =>
    quietly(async () => {
      for (const { name, make } of chosen) {
        for (const isThrown of [true, false]) {
          const work = (): never => {
            // oxlint-disable-next-line typescript/only-throw-error -- that is the point
            if (isThrown) throw make();
            return make() as never;
          };
          const Shop = defineResource({
            group: "demo.example.com",
            version: "v1",
            kind: "Shop",
            spec: z.object({}),
            default: work,
            validate: work,
          });
          const app = createOperator({ name: "shops" });
          app.controller(Shop, { reconcile: () => undefined });
          app.admit(ConfigMap, { everywhere: true, mutate: work, validate: work });
          const runtime = testRuntime();
          const { webhooks } = app.runOn({
            runtime,
            transport: () => Promise.reject(new Error("no request is sent")),
            webhooks: { url: "https://shops.invalid", answer: () => () => undefined },
          });
          const handle = createWebhookHandler(webhooks, runtime);
          expect(webhooks.admission).toHaveLength(4);
          for (const { path } of webhooks.admission) {
            const answer = await handle({ method: "POST", path, headers: { "content-type": "application/json" }, body: review });
            expect(answer.status, `${name} at ${path}`).toBe(200);
            const { response } = JSON.parse(answer.body as string) as { readonly response: JsonObject };
            // A patch is as large as what the function returned.
            expect(JSON.stringify({ ...response, ...(isThrown ? {} : { patch: "" }) }).length, name).toBeLessThan(70_000);
            expect(response["uid"], name).toBe("u1");
            if (isThrown) expect(response["allowed"], `${name} at ${path}`).toBe(false);
            expect(JSON.stringify(response), name).not.toContain(".ts:");
          }
          expectBounded(runtime.log.lines);
        }
      }
    }));
});
