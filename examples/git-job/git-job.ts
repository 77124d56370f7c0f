/** A GitJob runs a command on one revision of a repository, in a Job. A new revision gets a new Job, and the old one is deleted. */
import { condition, defineResource, operator } from "drover";
import { Job } from "drover/kinds";
import { z } from "zod";
import { jobFor } from "./job-for.ts";
import { jobState } from "../job-state.ts";

export const GitJob = defineResource({
  group: "demo.drover.dev",
  version: "v1",
  kind: "GitJob",
  shortNames: ["gj"],
  spec: z.object({
    repository: z.string().min(1),
    revision: z.string().regex(/^[0-9a-f]{7,40}$/),
    image: z.string().default("alpine/git"),
    command: z.array(z.string()).min(1),
  }),
  status: z.object({ job: z.string().default(""), revision: z.string().default("") }),
  columns: { Revision: ".status.revision", Job: ".status.job" },
});

export const app = operator({ name: "git-job" });

app.controller(GitJob, {
  owns: { job: Job },
  desired: ({ object }) => ({ job: jobFor(object) }),
  status: ({ object, owned: { job } }) => {
    const { isDone, isGood, message } = jobState(job);
    return {
      job: job?.metadata.name ?? "",
      revision: isGood ? object.spec.revision : (object.status?.revision ?? ""), // the last one that succeeded
      conditions: [condition("Ready", isDone ? isGood : "Unknown", isDone ? (isGood ? "Succeeded" : "Failed") : "Running", message)],
    };
  },
});
