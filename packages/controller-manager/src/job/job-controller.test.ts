import { describe, expect, it } from "vitest";
import { idleContext } from "../testing/idle-context.ts";
import { jobController } from "./job-controller.ts";

describe("jobController", () => {
  it("has upstream's names", () => {
    expect([jobController.name, jobController.aliases, jobController.isDisabledByDefault]).toEqual(["job-controller", ["job"], undefined]);
  });

  it.each(["drover", "parity"] as const)("watches Jobs and Pods with five workers, and declares its permissions: %s", (preset) => {
    const { context, controllers } = idleContext();
    jobController.add({ ...context, preset });
    expect(context.manager.state().controllers).toMatchObject([
      { name: "job-controller", workers: 5, watches: [{ name: "Job batch" }, { name: "Pod of a Job" }] },
      { name: "job-controller-orphans", workers: 5, watches: [{ name: "Job that is over" }, { name: "Pod of no Job" }] },
    ]);
    expect(
      controllers.map(({ needs }) =>
        needs.map(({ resource, subresource, verbs }) =>
          [subresource === undefined ? resource : `${resource}/${subresource}`, ...verbs].join(" "),
        ),
      ),
    ).toEqual([
      ["pods create delete patch", "jobs get", "jobs/status update", "jobs list watch", "pods list watch"],
      ["pods patch", "jobs get", "jobs list watch", "pods list watch"],
    ]);
  });
});
