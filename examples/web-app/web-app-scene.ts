/** The life cycle of a WebApp as a test scenario, for the embedded API server and for a real one. */
import { Deployment, Ingress, Service } from "drover/kinds";
import type { Harness } from "drover/testing";
import { expect } from "vitest";
import { dns } from "./dns.ts";
import { WebApp } from "./web-app.ts";

export async function webAppScene(t: Harness): Promise<void> {
  await t.create(WebApp, { metadata: { name: "shop" }, spec: { image: "shop:1" } });
  await t.settled();
  expect(await t.get(Deployment, "shop")).toMatchObject({ spec: { replicas: 1 } });
  expect(await t.get(Service, "shop")).toMatchObject({ spec: { selector: { app: "shop" } } });
  expect(await t.getOrUndefined(Ingress, "shop")).toBeUndefined();

  await t.patch(WebApp, "shop", { spec: { host: "shop.example.com", replicas: 2 } });
  await t.settled();
  expect(await t.getOrUndefined(Ingress, "shop")).toBeUndefined(); // held: no pod is ready
  expect(dns.hosts()).toContain("shop.example.com");
  const {
    metadata: { generation = 0 },
  } = await t.get(Deployment, "shop");
  await t.status(Deployment, "shop", {
    observedGeneration: generation,
    replicas: 2,
    readyReplicas: 2,
    availableReplicas: 2,
    updatedReplicas: 2,
  });
  await t.settled();
  expect(await t.get(Ingress, "shop")).toMatchObject({ spec: { rules: [{ host: "shop.example.com" }] } });
  expect((await t.get(WebApp, "shop")).status).toMatchObject({
    ready: 2,
    conditions: expect.arrayContaining([expect.objectContaining({ type: "Ready", status: "True", message: "2 ready" })]) as unknown,
  });

  await t.patch(Service, "shop", { spec: { selector: { app: "somebody-else" } } });
  await t.settled();
  expect(await t.get(Service, "shop")).toMatchObject({ spec: { selector: { app: "shop" } } });

  await t.patch(WebApp, "shop", { spec: { host: "store.example.com" } });
  await t.settled();
  expect(dns.hosts()).toContain("store.example.com");
  expect(dns.hosts()).not.toContain("shop.example.com");

  await t.delete(WebApp, "shop");
  await t.settled();
  expect(await t.getOrUndefined(WebApp, "shop")).toBeUndefined();
  expect(dns.hosts()).not.toContain("store.example.com");
}
