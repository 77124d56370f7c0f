/** The life cycle of a GitJob as a test scenario, for the embedded API server and for a real one. */
import { Job } from "drover/kinds";
import type { Harness } from "drover/testing";
import { expect } from "vitest";
import { endJob } from "../play-job-controller.ts";
import { GitJob } from "./git-job.ts";

export async function gitJobScene(t: Harness): Promise<void> {
  await t.create(GitJob, {
    metadata: { name: "build" },
    spec: { repository: "https://git.example.com/shop.git", revision: "1a2b3c4d", command: ["make"] },
  });
  await t.settled();
  expect(await t.get(Job, "build-1a2b3c4")).toMatchObject({
    spec: { template: { spec: { containers: [{ image: "alpine/git", command: ["make"] }] } } },
  });
  expect((await t.get(GitJob, "build")).status).toMatchObject({
    job: "build-1a2b3c4",
    revision: "",
    conditions: [{ type: "Ready", status: "Unknown", reason: "Running" }],
  });

  await endJob(t, "build-1a2b3c4", "Complete");
  await t.settled();
  expect((await t.get(GitJob, "build")).status).toMatchObject({
    revision: "1a2b3c4d",
    conditions: [{ type: "Ready", status: "True", reason: "Succeeded" }],
  });

  await t.patch(GitJob, "build", { spec: { revision: "99887766" } });
  await t.settled();
  expect(
    (await t.list(Job))
      .filter(({ metadata: { deletionTimestamp } }) => deletionTimestamp === undefined)
      .map(({ metadata: { name } }) => name),
  ).toEqual(["build-9988776"]);
  await endJob(t, "build-9988776", "Failed", "the tests failed");
  await t.settled();
  expect((await t.get(GitJob, "build")).status).toMatchObject({
    job: "build-9988776",
    revision: "1a2b3c4d",
    conditions: [{ type: "Ready", status: "False", reason: "Failed", message: "the tests failed" }],
  });
}
