/**
 * A HelmChart is installed by one Job, upgraded by another when its spec changes, and uninstalled by a third before it
 * is deleted. The operator never deletes a running Job: the next one waits.
 */
import { condition, defineResource, hold, many, needOf, operator } from "drover";
import { Job } from "drover/kinds";
import { z } from "zod";
import { jobState } from "../job-state.ts";
import { installJob, uninstallJob } from "./helm-jobs.ts";

export const HelmChart = defineResource({
  group: "demo.drover.dev",
  version: "v1",
  kind: "HelmChart",
  shortNames: ["hc"],
  spec: z.object({
    chart: z.string().min(1),
    repo: z.string().optional(),
    version: z.string().optional(),
    targetNamespace: z.string().default("default"),
    set: z.record(z.string(), z.string()).default({}),
  }),
  status: z.object({ job: z.string().default(""), installed: z.string().default("") }),
  // a release in the old namespace would stay behind: nothing would uninstall it
  rules: [["self.spec.targetNamespace == oldSelf.spec.targetNamespace", "targetNamespace is immutable"]],
  columns: { Chart: ".spec.chart", Installed: ".status.installed" },
});

export const app = operator({ name: "helm-chart" });

app.controller(HelmChart, {
  owns: { jobs: many(Job) },
  desired: ({ object, owned: { jobs } }) => {
    const install = installJob(object);
    const running = jobs.find((job) => job.metadata.name !== install.metadata.name && !jobState(job).isDone);
    return { jobs: running === undefined ? [install] : hold(`${running.metadata.name} is still running`) };
  },
  cleanup: async ({ object, owned: { jobs }, client }) => {
    // the end of the Job triggers a reconcile earlier
    if (jobs.some((job) => !job.metadata.name?.startsWith("helm-uninstall") && !jobState(job).isDone)) return { after: "1m" };
    const job = uninstallJob(object, HelmChart);
    const known = jobs.find(({ metadata }) => metadata.name === job.metadata.name);
    if (known === undefined) await client.create(Job, job);
    const { isDone, isGood, message } = jobState(known);
    if (isDone && !isGood) throw new Error(`helm could not uninstall ${object.metadata.name}: ${message}`);
    return isDone ? undefined : { after: "1m" };
  },
  needs: [needOf(Job, ["create"])],
  status: ({ object, owned: { jobs } }) => {
    const job = jobs.find(({ metadata }) => metadata.name === installJob(object).metadata.name) ?? jobs[0];
    const { isDone, isGood, message } = jobState(job);
    return {
      job: job?.metadata.name ?? "",
      installed: isGood ? [object.spec.chart, object.spec.version].filter(Boolean).join(" ") : (object.status?.installed ?? ""),
      conditions: [
        condition("Ready", isDone ? isGood : "Unknown", isDone ? (isGood ? "Installed" : "InstallFailed") : "Installing", message),
      ],
    };
  },
});
