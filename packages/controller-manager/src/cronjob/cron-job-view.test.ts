import { describe, expect, it } from "vitest";
import { job } from "../testing/cron-job-objects.ts";
import { isActive, withoutActive } from "./cron-job-view.ts";

const status = {
  lastScheduleTime: "2026-01-01T00:00:00Z",
  active: [
    { name: "a", uid: "a-uid" },
    { name: "b", uid: "b-uid" },
  ],
};

describe("the active list of a CronJob", () => {
  it("identifies a Job by uid", () => {
    expect([isActive(status, job({ name: "a" })), isActive(status, job({ name: "c" })), isActive({}, job())]).toEqual([true, false, false]);
  });

  it("loses a Job, and is absent after the last one", () => {
    expect(withoutActive(status, "a-uid")).toEqual({ ...status, active: [{ name: "b", uid: "b-uid" }] });
    expect(withoutActive(withoutActive(status, "a-uid"), "b-uid")).toEqual({ lastScheduleTime: status.lastScheduleTime });
  });
});
