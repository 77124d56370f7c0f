import { CronJob } from "@drover/api/batch/v1";
import { describe, expect, it } from "vitest";
import { printed, secondsAgo } from "../../testing/printed.ts";

describe("CronJob table", () => {
  it("has schedule, suspension, active jobs and last schedule", () => {
    const spec = {
      schedule: "* * * * *",
      timeZone: "Europe/Berlin",
      suspend: true,
      jobTemplate: { spec: { selector: { matchLabels: { a: "b" } }, template: { spec: { containers: [{ name: "c", image: "i" }] } } } },
    };
    expect(printed(CronJob, { spec, status: { active: [{}, {}], lastScheduleTime: secondsAgo(30) } })).toEqual({
      Name: "web",
      Schedule: "* * * * *",
      Timezone: "Europe/Berlin",
      Suspend: "True",
      Active: 2,
      "Last Schedule": "30s",
      Age: "5m",
      Containers: "c",
      Images: "i",
      Selector: "a=b",
    });
  });

  it("prints <none> for unset fields", () => {
    expect(printed(CronJob, { spec: {} })).toMatchObject({
      Timezone: "<none>",
      Suspend: "False",
      Active: 0,
      "Last Schedule": "<none>",
      Selector: "<none>",
    });
  });
});
