import { harness } from "drover/testing";
import { expect, it } from "vitest";
import { memoryCloud } from "./cloud.ts";
import { Cluster, clusterOperator } from "./cluster.ts";
import { clusterScene } from "./cluster-scene.ts";

it("requests the machines once, polls every 30 s until they are ready, and releases them on deletion", async () => {
  const cloud = memoryCloud();
  await using t = await harness(clusterOperator({ cloud }));
  await clusterScene(t, { cloud, pass: () => t.advance("30s") });
});

it("retries when the cloud fails, and reports the failure as an Event on the object", async () => {
  const cloud = memoryCloud();
  await using t = await harness(clusterOperator({ cloud }));
  cloud.fail(3);
  await t.create(Cluster, { metadata: { name: "east" }, spec: { region: "eu-east" } });
  await t.settled();
  expect(cloud.machines()).toEqual(["eu-east-1 creating"]);
  cloud.fail(1000);
  await t.advance("5m");
  expect((await t.events(await t.get(Cluster, "east"))).map(({ reason, note }) => `${reason}: ${note}`)).toContain(
    "ReconcileFailed: 503 from the cloud: try again later",
  );
  await expect(t.settled()).rejects.toThrow("503 from the cloud");
});

it("finds the requested machines again after a restart", async () => {
  const cloud = memoryCloud();
  await using t = await harness(clusterOperator({ cloud }));
  await t.create(Cluster, { metadata: { name: "east" }, spec: { region: "eu-east" } });
  await t.settled();
  await t.restart();
  cloud.finish();
  await t.advance("30s");
  expect(cloud.machines()).toEqual(["eu-east-1 ready"]);
  expect((await t.get(Cluster, "east")).status).toMatchObject({ endpoint: "https://eu-east-1.example.com" });
});
