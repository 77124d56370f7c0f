/** The life cycle of a Cluster as a test scenario, for the embedded API server and for a real one. */
import type { Harness } from "drover/testing";
import { expect } from "vitest";
import type { MemoryCloud } from "./cloud.ts";
import { Cluster } from "./cluster.ts";

export interface ClusterSceneOptions {
  readonly cloud: MemoryCloud;
  /** Advances time far enough for one more poll. */
  readonly pass: () => Promise<void>;
}

export async function clusterScene(t: Harness, { cloud, pass }: ClusterSceneOptions): Promise<void> {
  const status = async (): Promise<unknown> => (await t.get(Cluster, "east")).status;
  await t.create(Cluster, { metadata: { name: "east" }, spec: { region: "eu-east" } });
  await t.settled();
  expect(cloud.machines()).toEqual(["eu-east-1 creating"]);
  expect(await status()).toMatchObject({
    id: "eu-east-1",
    endpoint: "",
    conditions: [{ type: "Ready", status: "False", reason: "Creating" }],
  });

  await pass();
  expect(await status()).toMatchObject({ endpoint: "" });
  cloud.finish();
  await pass();
  expect(await status()).toMatchObject({
    id: "eu-east-1",
    endpoint: "https://eu-east-1.example.com",
    conditions: [{ type: "Ready", status: "True" }],
  });
  expect((await t.events(await t.get(Cluster, "east"))).map(({ reason }) => reason)).toEqual(["Created"]);

  await t.delete(Cluster, "east");
  await t.settled();
  expect(cloud.machines()).toEqual(["eu-east-1 deleting"]);
  expect(await t.getOrUndefined(Cluster, "east")).toBeDefined();
  cloud.finish();
  await pass();
  expect(await t.getOrUndefined(Cluster, "east")).toBeUndefined();
  expect(cloud.machines()).toEqual([]);
}
