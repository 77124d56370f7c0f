import { Job } from "drover/kinds";
import { harness } from "drover/testing";
import { expect, it } from "vitest";
import { GitJob, app } from "./git-job.ts";
import { gitJobScene } from "./git-job-scene.ts";

it("runs a Job for each revision, and reports the last revision that succeeded", async () => {
  await using t = await harness(app);
  await gitJobScene(t);
});

it("keeps the Job when the operator restarts, and recreates it after a deletion", async () => {
  await using t = await harness(app);
  await t.create(GitJob, {
    metadata: { name: "build" },
    spec: { repository: "https://git.example.com/shop.git", revision: "1a2b3c4d", command: ["make"] },
  });
  await t.settled();
  const {
    metadata: { uid },
  } = await t.get(Job, "build-1a2b3c4");
  await t.restart();
  await t.settled();
  expect((await t.get(Job, "build-1a2b3c4")).metadata.uid).toBe(uid);
  await t.delete(Job, "build-1a2b3c4", { propagationPolicy: "Background" });
  await t.settled();
  expect((await t.get(Job, "build-1a2b3c4")).metadata.uid).not.toBe(uid);
});
