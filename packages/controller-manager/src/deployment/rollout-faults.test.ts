/**
 * A small rollout with one failing write: each write once, with each fault. It must come to the same result and always
 * keep enough pods available.
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

/** Creates a Deployment, changes its template, and returns when both are rolled out. */
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

describe("a rollout with one failing write", () => {
  it("comes to the same result, whichever write fails", { timeout: 240_000 }, async () => {
    const writes = await play(undefined, -1);
    expect(writes).toBeGreaterThan(15);
    // Every tenth write, alternating between the faults; in the long mode every write with every fault.
    for (let at = 0, turn = 0; at < writes; at += 10, turn++) await play(faults[turn % faults.length], at);
  });

  // Takes eight times as long, so only in the long mode.
  if (process.env["DROVER_LONG"] === "1")
    it.each(faults)("comes to the same result, whichever write fails: %s", { timeout: 600_000 }, async (fault) => {
      const writes = await play(undefined, -1);
      for (let at = 0; at < writes; at++) await play(fault, at);
    });
});
