/**
 * A small rollout in which one write goes wrong: each of them once, in each way. It must come to the same end, and
 * never leave too few pods on
 * the way.
 */
import { Deployment, ReplicaSet } from "@drover/api/apps/v1";
import { describe, expect, it } from "vitest";
import { manualScene, template } from "../testing/manager-scene.ts";
import type { Scene } from "../testing/manager-scene.ts";
import { faults, faultyNetwork } from "../testing/faulty-network.ts";
import type { Fault } from "../testing/faulty-network.ts";

const readyCount = async (scene: Scene): Promise<number> =>
  (await scene.activePods()).filter(({ status }) => status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True"))
    .length;

/** Creates a Deployment, gives it another template, and comes back when both have been rolled out. */
async function play(fault: Fault | undefined, at: number): Promise<number> {
  const net = faultyNetwork(fault, at);
  const scene = await manualScene({ controllers: ["replicaset", "deployment"], wrapper: net.wrapper });
  let isRestarted = false;
  const finish = async (image: string, least: number): Promise<void> =>
    await scene.until(`${image} is rolled out, with ${fault ?? "no fault"} at write ${at}`, async () => {
      if (net.hasCrashed && !isRestarted) {
        isRestarted = true;
        await scene.restart();
      }
      await scene.runPods();
      expect(await readyCount(scene)).toBeGreaterThanOrEqual(least);
      const { metadata, status } = await scene.client.get(Deployment, "web");
      return (
        status?.observedGeneration === metadata.generation &&
        status?.updatedReplicas === 2 &&
        status.replicas === 2 &&
        status.availableReplicas === 2 &&
        status.conditions?.some(({ reason }) => reason === "NewReplicaSetAvailable") === true
      );
    });
  await scene.createDeployment("web", { replicas: 2 });
  await finish("web:1", 0);
  await scene.change(Deployment, "web", { spec: { template: template("web:2") } });
  await finish("web:2", 2);
  await scene.settle(1000);
  const pods = await scene.activePods();
  expect(pods.map(({ spec }) => spec?.containers[0]?.image)).toEqual(["web:2", "web:2"]);
  expect(await scene.sizes()).toEqual({ 1: 0, 2: 2 });
  expect((await scene.list(ReplicaSet)).map(({ status }) => status?.replicas)).toEqual(expect.arrayContaining([0, 2]));
  expect((await scene.client.get(Deployment, "web")).metadata.annotations?.["deployment.kubernetes.io/revision"]).toBe("2");
  await scene.close();
  return net.writes;
}

describe("a rollout in which a write goes wrong", () => {
  it("comes to the same end, whichever it is", { timeout: 240_000 }, async () => {
    const writes = await play(undefined, -1);
    expect(writes).toBeGreaterThan(15);
    // Every tenth write, the ways in turn; each in every way in the long run.
    for (let at = 0, turn = 0; at < writes; at += 10, turn++) await play(faults[turn % faults.length], at);
  });

  // Eight times as long, so only where time is no object.
  if (process.env["DROVER_LONG"] === "1")
    it.each(faults)("comes to the same end, whichever it is: %s", { timeout: 600_000 }, async (fault) => {
      const writes = await play(undefined, -1);
      for (let at = 0; at < writes; at++) await play(fault, at);
    });
});
