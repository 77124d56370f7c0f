import { Deployment } from "drover/kinds";
import { harness } from "drover/testing";
import { expect, it } from "vitest";
import { WebApp, app } from "./web-app.ts";
import { webAppScene } from "./web-app-scene.ts";

it("creates a Deployment and a Service, adds the Ingress when pods are ready, and releases the host on deletion", async () => {
  await using t = await harness(app);
  await webAppScene(t);
});

it("converges despite broken watches, server errors and an operator crash", async () => {
  for (const answer of [409, 500, "lost", "refused"] as const) {
    await using t = await harness(app);
    t.fault({ answer, times: 3 });
    t.crashAfter(25);
    await t.create(WebApp, { metadata: { name: "shop" }, spec: { image: "shop:1" } });
    t.cutWatches();
    await t.settled();
    expect(await t.get(Deployment, "shop")).toMatchObject({ spec: { replicas: 1 } });
  }
});
