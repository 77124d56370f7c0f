import { describe, expect, it } from "vitest";
import { idleContext } from "../testing/idle-context.ts";
import { cronJobController } from "./cron-job-controller.ts";

describe("cronJobController", () => {
  it("has upstream's names", () => {
    expect([cronJobController.name, cronJobController.aliases, cronJobController.isDisabledByDefault]).toEqual([
      "cronjob-controller",
      ["cronjob"],
      undefined,
    ]);
  });

  it("watches CronJobs and Jobs with five workers, and declares its permissions", () => {
    const { context, controllers } = idleContext();
    cronJobController.add(context);
    expect(context.manager.state().controllers).toMatchObject([
      { name: "cronjob-controller", workers: 5, watches: [{ name: "CronJob batch" }, { name: "Job batch owned by CronJob" }] },
    ]);
    expect(
      controllers[0]?.needs.map(({ resource, subresource, verbs }) =>
        [subresource === undefined ? resource : `${resource}/${subresource}`, ...verbs].join(" "),
      ),
    ).toEqual(["cronjobs get", "cronjobs/status update", "jobs create delete get", "cronjobs list watch", "jobs list watch"]);
  });
});
