/**
 * A small Job with one failing write: each write once, with each fault. Its pods are gone as soon as their finalizer is
 * removed, so a result that was not counted by then is lost, and one that is counted again is one too many.
 */
import { Job } from "@drover/api/batch/v1";
import type { JobSpec } from "@drover/api/batch/v1";
import { Pod } from "@drover/api/core/v1";
import { describe, expect, it } from "vitest";
import { manualScene } from "../testing/manager-scene.ts";
import type { Scene } from "../testing/manager-scene.ts";
import { faults, faultyNetwork } from "../testing/faulty-network.ts";
import type { Fault } from "../testing/faulty-network.ts";

type Shape = Pick<JobSpec, "backoffLimitPerIndex" | "completionMode" | "completions" | "parallelism">;

const shapes: Readonly<Record<string, Shape>> = {
  "pods without numbers": { completions: 3, parallelism: 2 },
  "pods with numbers": { completions: 3, parallelism: 2, completionMode: "Indexed" },
  "numbers that may fail": { completions: 3, parallelism: 2, completionMode: "Indexed", backoffLimitPerIndex: 2 },
};

interface Ends {
  readonly succeeded: Set<string>;
  readonly failed: Set<string>;
}

/** Ends every running pod, and deletes it. The first fails, long enough ago that there is no backoff. */
async function endPods({ client, activePods }: Scene, { succeeded, failed }: Ends): Promise<void> {
  for (const {
    metadata: { name = "", uid = "" },
  } of await activePods()) {
    const isFirst = succeeded.size + failed.size === 0;
    (isFirst ? failed : succeeded).add(uid);
    const state = { terminated: { exitCode: isFirst ? 1 : 0, finishedAt: "2020-01-01T00:00:00Z" } };
    await client.resource(Pod).status.patch(name, {
      type: "merge",
      body: {
        status: {
          phase: isFirst ? "Failed" : "Succeeded",
          containerStatuses: [{ name: "main", image: "", imageID: "", ready: false, restartCount: 0, state }],
        },
      },
    });
    await client.delete(Pod, name, { gracePeriodSeconds: 0 });
  }
}

async function play(shape: Shape, fault: Fault | undefined, at: number): Promise<number> {
  const net = faultyNetwork(fault, at);
  const scene = await manualScene({ controllers: ["job"], wrapper: net.wrapper });
  const ends: Ends = { succeeded: new Set(), failed: new Set() };
  let isRestarted = false;
  await scene.client.create(Job, {
    metadata: { name: "work" },
    spec: { ...shape, template: { spec: { restartPolicy: "Never", containers: [{ name: "main", image: "work:1" }] } } },
  });
  await scene.until(`the Job is done, with ${fault ?? "no fault"} at write ${at}`, async () => {
    if (net.hasCrashed && !isRestarted) {
      isRestarted = true;
      await scene.restart();
    }
    await endPods(scene, ends);
    return (await scene.client.get(Job, "work")).status?.conditions?.some(({ type }) => type === "Complete") === true;
  });
  await scene.settle(1000);
  const { status } = await scene.client.get(Job, "work");
  expect(status, `${fault} at write ${at}`).toMatchObject({
    succeeded: ends.succeeded.size,
    failed: ends.failed.size,
    terminating: 0,
    ready: 0,
    uncountedTerminatedPods: {},
  });
  expect([ends.succeeded.size, ends.failed.size], `${fault} at write ${at}`).toEqual([3, 1]);
  expect(await scene.list(Pod)).toEqual([]);
  await scene.close();
  return net.writes;
}

describe("a Job with one failing write", () => {
  it.each(Object.entries(shapes))("counts every pod once, whichever write fails: %s", { timeout: 600_000 }, async (_name, shape) => {
    const isLong = process.env["DROVER_LONG"] === "1";
    const writes = await play(shape, undefined, -1);
    expect(writes).toBeGreaterThan(10);
    // Every sixth write, alternating between the faults; in the long mode every write with every fault.
    for (let at = 0, turn = 0; at < writes; at += isLong ? 1 : 6, turn++)
      for (const [way, fault] of faults.entries()) if (isLong || way === turn % faults.length) await play(shape, fault, at);
  });
});
