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

describe("the list of Jobs that run", () => {
  it("knows a Job by its uid", () => {
    expect([isActive(status, job({ name: "a" })), isActive(status, job({ name: "c" })), isActive({}, job())]).toEqual([true, false, false]);
  });

  it("loses one, and is not there at all when it was the last", () => {
    expect(withoutActive(status, "a-uid")).toEqual({ ...status, active: [{ name: "b", uid: "b-uid" }] });
    expect(withoutActive(withoutActive(status, "a-uid"), "b-uid")).toEqual({ lastScheduleTime: status.lastScheduleTime });
  });
});
