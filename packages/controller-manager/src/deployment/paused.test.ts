import { describe, expect, it } from "vitest";
import { ago, deployment, start } from "../testing/workload-objects.ts";
import { pausedStatus } from "./paused.ts";

const said = (reason: string): { readonly conditions: [{ type: string; status: string; reason: string }] } => ({
  conditions: [{ type: "Progressing", status: "Unknown", reason }],
});

describe("pausedStatus", () => {
  it("reports the pause once, and the resume once", () => {
    expect(pausedStatus(deployment({ deadline: 60, isPaused: true }), start)?.conditions).toEqual([
      {
        type: "Progressing",
        status: "Unknown",
        reason: "DeploymentPaused",
        message: "Deployment is paused",
        lastUpdateTime: ago(0),
        lastTransitionTime: ago(0),
      },
    ]);
    expect(pausedStatus(deployment({ deadline: 60, isPaused: true, ...said("DeploymentPaused") }), start)).toBeUndefined();
    expect(pausedStatus(deployment({ deadline: 60, ...said("DeploymentPaused") }), start)?.conditions).toMatchObject([
      { status: "Unknown", reason: "DeploymentResumed", message: "Deployment is resumed" },
    ]);
    expect(pausedStatus(deployment({ deadline: 60, ...said("DeploymentResumed") }), start)).toBeUndefined();
  });

  it("reports nothing without a deadline or after a timeout", () => {
    expect(pausedStatus(deployment({ isPaused: true }), start)).toBeUndefined();
    expect(pausedStatus(deployment({ deadline: 60, isPaused: true, ...said("ProgressDeadlineExceeded") }), start)).toBeUndefined();
  });
});
