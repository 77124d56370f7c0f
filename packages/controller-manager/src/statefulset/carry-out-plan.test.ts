import { StatefulSet } from "@drover/api/apps/v1";
import { newControllerRef, newForbidden } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { claim, member, revisionOf, statefulSet } from "../testing/stateful-set-objects.ts";
import { statefulSetStage } from "../testing/stateful-set-stage.ts";
import { carryOutPlan } from "./carry-out-plan.ts";
import { newStatefulPod } from "./stateful-pod.ts";
import type { StatefulSetPlan } from "./stateful-set-plan.ts";

const resource = { group: "", resource: "pods" };
const idle: StatefulSetPlan = { pods: [], steps: [], condemned: [], surplus: [], outdated: [] };
const parallel = statefulSet({ podManagementPolicy: "Parallel" });
const missing = (ordinal: number): StatefulSetPlan["steps"][number] => ({
  pod: newStatefulPod(statefulSet(), { current: revisionOf("a"), update: revisionOf("a") }, ordinal),
  tasks: ["create"],
});

describe("carryOutPlan", () => {
  it("executes its phases in order", async () => {
    const set = statefulSet({
      claims: ["data"],
      replicas: 0,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Delete" },
    });
    const { run, server } = await statefulSetStage({ claims: [claim("data-web-5", [newControllerRef(set, StatefulSet)])] });
    const plan = {
      ...idle,
      steps: [{ pod: member(0, { phase: "Failed" as const }), tasks: ["remove" as const] }],
      condemned: [member(5)],
      surplus: [member(5)],
      outdated: [member(1)],
    };
    expect(await carryOutPlan(run, set, plan)).toEqual({ takenDown: [plan.outdated[0]] });
    expect(server.requests()).toEqual([
      "DELETE pods/web-0",
      "PUT persistentvolumeclaims/data-web-5",
      "DELETE pods/web-5",
      "DELETE pods/web-1",
    ]);
  });

  it("stops at a failure and returns the pods deleted so far", async () => {
    const { run, server } = await statefulSetStage({
      refuse: (what) => (what === "DELETE pods/web-1" ? newForbidden(resource, "web-1", "no") : undefined),
    });
    const outcome = await carryOutPlan(run, statefulSet(), { ...idle, outdated: [member(2), member(1), member(0)] });
    expect(outcome.takenDown.map(({ metadata }) => metadata.name)).toEqual(["web-2"]);
    expect(outcome.error).toMatchObject({ message: expect.stringContaining("no") as string });
    expect(server.requests()).toEqual(["DELETE pods/web-2", "DELETE pods/web-1"]);
  });

  it("in parallel creates in growing batches, and stops after a failed batch", async () => {
    const steps = [0, 1, 2, 3, 4, 5, 6].map(missing);
    const { run, server } = await statefulSetStage({
      refuse: (_, count) => (count === 2 ? newForbidden(resource, "", "quota") : undefined),
    });
    const outcome = await carryOutPlan(run, parallel, { ...idle, steps, surplus: [member(9)] });
    expect(outcome.error).toMatchObject({ message: expect.stringContaining("quota") as string });
    expect(server.requests()).toEqual(["POST pods", "POST pods", "POST pods"]);
  });

  it("stops when the run is over", async () => {
    const { run } = await statefulSetStage({ refuse: () => newForbidden(resource, "", "over") });
    await expect(
      carryOutPlan({ ...run, signal: AbortSignal.abort(new Error("enough")) }, statefulSet(), { ...idle, outdated: [member(0)] }),
    ).rejects.toThrow("enough");
  });
});
