import { Job } from "@drover/api/batch/v1";
import type { JsonObject, JsonValue } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { printed, secondsAgo } from "../../testing/printed.ts";

const statusOf = (...types: readonly string[]): JsonValue =>
  printed(Job, { status: { conditions: types.map((type) => ({ type, status: "True" })) } })["Status"] ?? null;
const completions = (spec: JsonObject): JsonValue => printed(Job, { spec, status: { succeeded: 2 } })["Completions"] ?? null;

describe("Job table", () => {
  it("has containers and selector", () => {
    const spec = { selector: { matchLabels: { a: "b" } }, template: { spec: { containers: [{ name: "c", image: "i" }] } } };
    expect(printed(Job, { spec })).toEqual({
      Name: "web",
      Status: "Running",
      Completions: "0/1",
      Duration: "",
      Age: "5m",
      Containers: "c",
      Images: "i",
      Selector: "a=b",
    });
  });

  it("prints the status of a job", () => {
    expect(statusOf()).toBe("Running");
    expect(statusOf("Suspended", "SuccessCriteriaMet")).toBe("Suspended");
    expect(statusOf("SuccessCriteriaMet", "Complete")).toBe("Complete");
    expect(statusOf("FailureTarget", "Failed")).toBe("Failed");
    expect(statusOf("FailureTarget")).toBe("FailureTarget");
    expect(printed(Job, { status: { conditions: [{ type: "Complete", status: "False" }] } })).toMatchObject({ Status: "Running" });
  });

  it("prints Terminating unless the job is finished", () => {
    const metadata = { deletionTimestamp: secondsAgo(0) };
    expect(printed(Job, { metadata, status: { conditions: [{ type: "Suspended", status: "True" }] } })).toMatchObject({
      Status: "Terminating",
    });
    expect(printed(Job, { metadata, status: { conditions: [{ type: "Failed", status: "True" }] } })).toMatchObject({ Status: "Failed" });
  });

  it("prints completions", () => {
    expect(completions({ completions: 5, parallelism: 3 })).toBe("2/5");
    expect(completions({ parallelism: 3 })).toBe("2/1 of 3");
    expect(completions({ parallelism: 1 })).toBe("2/1");
  });

  it("prints the duration until now, or until completion", () => {
    expect(printed(Job, { status: { startTime: secondsAgo(100) } })).toMatchObject({ Duration: "100s" });
    expect(printed(Job, { status: { startTime: secondsAgo(100), completionTime: secondsAgo(40) } })).toMatchObject({ Duration: "60s" });
  });
});
