/** The table of hostile values thrown and returned by webhooks and their certificates; see hostile-values.test.ts. */
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { createCluster } from "@drover/cache";
import { addWebhooks, createManager, createWebhookHandler } from "@drover/controller";
import type { AdmissionWebhook, ServingPair, Webhooks } from "@drover/controller";
import type { JsonObject } from "@drover/machinery";
import { nodeCrypto } from "@drover/machinery/node";
import { testRuntime } from "@drover/machinery/testing";
import { certificateAuthority } from "@drover/machinery/x509";
import { describe, expect, it } from "vitest";
import { chosen, expectBounded, quietly } from "./testing/hostile-scene.ts";

const kind = { group: "demo.example.com", version: "v1", kind: "WebApp" };
const object = { apiVersion: "demo.example.com/v1", kind: "WebApp", metadata: { name: "shop" } };
const admissionReview = JSON.stringify({
  kind: "AdmissionReview",
  apiVersion: "admission.k8s.io/v1",
  request: { uid: "u1", kind, resource: { ...kind, resource: "webapps" }, name: "shop", operation: "CREATE", object },
});
const conversionReview = JSON.stringify({
  kind: "ConversionReview",
  apiVersion: "apiextensions.k8s.io/v1",
  request: { uid: "u1", desiredAPIVersion: "demo.example.com/v2", objects: [object] },
});

const webhooksOf = (handle: AdmissionWebhook["handle"], convert: () => never): Webhooks => ({
  admission: (["validating", "mutating"] as const).map((type) => ({
    type,
    name: `${type}.example.com`,
    path: `/${type}`,
    rules: [],
    handle,
  })),
  conversions: [{ group: "demo.example.com", resource: "webapps", kind: "WebApp", convert }],
  policies: [],
});

describe("hostile values thrown by webhooks (SEC6)", { timeout: 60_000 }, () => {
  it("AdmissionHandler and ConversionWebhook.convert", () =>
    quietly(async () => {
      for (const { name, make } of chosen) {
        const thrown = (): never => {
          // oxlint-disable-next-line typescript/only-throw-error -- that is the point
          throw make();
        };
        for (const webhooks of [
          webhooksOf(thrown, thrown),
          webhooksOf(
            () => make() as never,
            () => make() as never,
          ),
        ]) {
          const runtime = testRuntime();
          const handle = createWebhookHandler(webhooks, runtime);
          for (const path of ["/validating", "/mutating", "/convert"]) {
            const body = path === "/convert" ? conversionReview : admissionReview;
            const answer = await handle({ method: "POST", path, headers: { "content-type": "application/json" }, body });
            expect(answer.status, `${name} at ${path}`).toBe(200);
            expect((answer.body as string).length, name).toBeLessThan(70_000);
            const { response } = JSON.parse(answer.body as string) as { readonly response: JsonObject };
            expect(response["uid"], name).toBe("u1");
            expect(JSON.stringify(response), name).not.toContain(".ts:");
          }
          expectBounded(runtime.log.lines);
        }
      }
    }));

  it("WebhookServingOptions.certificates", () =>
    quietly(async () => {
      const runtime = testRuntime();
      const server = await createApiServer({ runtime, host: nodeHost });
      const cluster = createCluster({ runtime, transport: server.handle, namespace: "default" });
      const manager = createManager({ runtime, cluster, permissions: "off" });
      const authority = certificateAuthority({ commonName: "ca", crypto: nodeCrypto, clock: runtime.clock });
      const sound = { ...authority.issue({ commonName: "web", usage: "server" }), caBundle: authority.certificatePem };
      const outcomes = chosen.flatMap(({ make }): (() => Promise<ServingPair>)[] => [
        () => {
          // oxlint-disable-next-line typescript/only-throw-error -- that is the point
          throw make();
        },
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- that is the point
        () => Promise.reject(make()),
        () => Promise.resolve({ certificatePem: make(), privateKeyPem: make() } as ServingPair),
      ]);
      const used: ServingPair[] = [];
      addWebhooks(
        manager,
        {
          admission: webhooksOf(
            () => ({ isAllowed: true }),
            () => undefined as never,
          ).admission,
          conversions: [],
          policies: [],
        },
        {
          listen: (_, __, { pair }) => {
            used.push(pair);
            return Promise.resolve({
              address: "127.0.0.1:1",
              use: (next) => void used.push(next),
              run: (signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
            });
          },
          crypto: nodeCrypto,
          target: { url: "https://127.0.0.1:1" },
          certificates: () => outcomes.shift()?.() ?? Promise.resolve(sound),
          namespace: "default",
          name: "web",
          registration: "off",
        },
      );
      const stop = new AbortController();
      const running = manager.run(stop.signal);
      await runtime.clock.runUntil(() => manager.state().phase === "running", { limitMs: 3_600_000 });
      expect(used).toEqual([sound]);
      expectBounded(runtime.log.lines);
      stop.abort();
      await runtime.clock.runUntil(() => manager.state().phase === "ended");
      await running;
      server.close();
    }));
});
