import { describe, expect, it } from "vitest";
import type { DeploymentCondition } from "@drover/api/apps/v1";
import { ago, deployment, replicaSet, start } from "../testing/workload-objects.ts";
import type { DeploymentParts } from "../testing/workload-objects.ts";
import { findDeploymentCondition } from "./deployment-conditions.ts";
import { sameDeploymentStatus } from "./deployment-status.ts";
import type { DeploymentStatusView } from "./deployment-view.ts";
import { isProgressing, isTimedOut, progressCheckMs, rolloutStatus } from "./progress.ts";

const condition = (reason: string, status: string, seconds: number): DeploymentCondition => ({
  type: "Progressing",
  status,
  reason,
  message: "",
  lastUpdateTime: ago(seconds),
  lastTransitionTime: ago(seconds),
});

/** A Deployment with a stored status of `counts`, and one current ReplicaSet. */
function stage(
  parts: DeploymentParts,
  now: { readonly replicas: number; readonly available: number },
): readonly [ReturnType<typeof deployment>, Parameters<typeof rolloutStatus>[1]] {
  const newSet = replicaSet({
    name: "bar",
    replicas: now.replicas,
    status: { replicas: now.replicas, availableReplicas: now.available, readyReplicas: now.available, observedGeneration: 1 },
  });
  return [deployment({ strategy: "Recreate", name: "foo", ...parts }), { newSet, oldSets: [] }];
}
const told = (parts: DeploymentParts, now: { readonly replicas: number; readonly available: number }): DeploymentCondition | undefined => {
  const [wanted, sets] = stage(parts, now);
  return findDeploymentCondition(rolloutStatus(wanted, sets, start).conditions, "Progressing");
};

describe("rolloutStatus", () => {
  it("D072: has no Progressing condition without a deadline", () => {
    const before = { replicas: 3, status: { replicas: 2, updatedReplicas: 2 }, conditions: [condition("ReplicaSetUpdated", "True", 9)] };
    expect(told(before, { replicas: 3, available: 1 })).toBeUndefined();
    expect(told({ ...before, deadline: 2_147_483_647 }, { replicas: 3, available: 1 })).toBeUndefined();
  });

  it("D073: changes nothing when a rollout was complete and all pods are still new", () => {
    const over = condition("NewReplicaSetAvailable", "True", 99);
    expect(
      told({ deadline: 60, replicas: 3, conditions: [over], status: { replicas: 2, updatedReplicas: 2 } }, { replicas: 3, available: 1 }),
    ).toEqual(over);
  });

  it("D074: updates a true condition and keeps its transition time", () => {
    const moved = told(
      { deadline: 60, replicas: 3, conditions: [condition("ReplicaSetUpdated", "True", 30)], status: { replicas: 2, updatedReplicas: 2 } },
      { replicas: 3, available: 1 },
    );
    expect(moved).toEqual({
      type: "Progressing",
      status: "True",
      reason: "ReplicaSetUpdated",
      message: 'ReplicaSet "bar" is progressing.',
      lastUpdateTime: ago(0),
      lastTransitionTime: ago(30),
    });
  });

  it("sets a new transition time for a condition that was not true", () => {
    const moved = told(
      {
        deadline: 60,
        replicas: 3,
        conditions: [condition("DeploymentResumed", "Unknown", 30)],
        status: { replicas: 2, updatedReplicas: 2 },
      },
      { replicas: 3, available: 1 },
    );
    expect(moved).toMatchObject({ status: "True", reason: "ReplicaSetUpdated", lastUpdateTime: ago(0), lastTransitionTime: ago(0) });
  });

  it("D076: adds a missing condition", () => {
    expect(told({ deadline: 60, replicas: 3, status: { replicas: 2, updatedReplicas: 2 } }, { replicas: 3, available: 1 })).toMatchObject({
      status: "True",
      reason: "ReplicaSetUpdated",
      lastTransitionTime: ago(0),
    });
  });

  it("D077, D078, D079: reports a complete rollout", () => {
    const complete = (...conditions: DeploymentCondition[]): DeploymentCondition | undefined =>
      told({ deadline: 60, replicas: 3, conditions }, { replicas: 3, available: 3 });
    expect(complete(condition("ReplicaSetUpdated", "True", 30))).toEqual({
      ...condition("NewReplicaSetAvailable", "True", 0),
      message: 'ReplicaSet "bar" has successfully progressed.',
      lastTransitionTime: ago(30),
    });
    expect(complete(condition("ProgressDeadlineExceeded", "False", 30))).toMatchObject({
      status: "True",
      reason: "NewReplicaSetAvailable",
      lastTransitionTime: ago(0),
    });
    expect(complete()).toMatchObject({ status: "True", reason: "NewReplicaSetAvailable" });
  });

  it("D081: reports a timeout past the deadline", () => {
    const late = told(
      {
        deadline: 60,
        replicas: 3,
        conditions: [condition("ReplicaSetUpdated", "True", 61)],
        status: { replicas: 3, updatedReplicas: 3, readyReplicas: 1, availableReplicas: 1 },
      },
      { replicas: 3, available: 1 },
    );
    expect(late).toEqual({
      type: "Progressing",
      status: "False",
      reason: "ProgressDeadlineExceeded",
      message: 'ReplicaSet "bar" has timed out progressing.',
      lastUpdateTime: ago(0),
      lastTransitionTime: ago(0),
    });
  });

  it("D082: does not report a timeout twice", () => {
    const [wanted, sets] = stage(
      {
        deadline: 60,
        replicas: 3,
        conditions: [condition("ProgressDeadlineExceeded", "False", 30)],
        status: { replicas: 3, updatedReplicas: 3, readyReplicas: 1, availableReplicas: 1 },
      },
      { replicas: 3, available: 1 },
    );
    const first = rolloutStatus(wanted, sets, start);
    const again = rolloutStatus({ ...wanted, status: first }, sets, start + 1_000_000);
    expect(sameDeploymentStatus(first, again)).toBe(true);
  });

  it("names the Deployment while there is no new ReplicaSet", () => {
    const wanted = deployment({ name: "foo", deadline: 60, replicas: 0, strategy: "Recreate" });
    expect(rolloutStatus(wanted, { newSet: undefined, oldSets: [] }, start).conditions).toContainEqual(
      expect.objectContaining({ message: 'Deployment "foo" has successfully progressed.' }),
    );
  });

  it("copies the failure of a ReplicaSet, the new one first, and removes it when it is over", () => {
    const failing = (name: string, message: string): ReturnType<typeof replicaSet> =>
      replicaSet({
        name,
        status: { conditions: [{ type: "ReplicaFailure", status: "True", reason: "FailedCreate", message, lastTransitionTime: ago(5) }] },
      });
    const failure = (sets: Parameters<typeof rolloutStatus>[1], before: readonly DeploymentCondition[] = []): unknown =>
      findDeploymentCondition(rolloutStatus(deployment({ conditions: before }), sets, start).conditions, "ReplicaFailure");
    expect(failure({ newSet: failing("b", "quota of b"), oldSets: [failing("a", "quota of a")] })).toMatchObject({
      message: "quota of b",
      lastUpdateTime: ago(5),
      lastTransitionTime: ago(5),
    });
    expect(failure({ newSet: replicaSet({ name: "b" }), oldSets: [failing("a", "quota of a")] })).toMatchObject({ message: "quota of a" });
    expect(failure({ newSet: replicaSet({ name: "b" }), oldSets: [] }, [{ type: "ReplicaFailure", status: "True" }])).toBeUndefined();
  });
});

describe("progressCheckMs", () => {
  const counts = ([replicas, updatedReplicas, readyReplicas, availableReplicas]: readonly [
    number,
    number,
    number,
    number,
  ]): DeploymentStatusView => ({ replicas, updatedReplicas, readyReplicas, availableReplicas });
  it.each<[boolean, [number, number, number, number], [number, number, number, number]]>([
    [true, [10, 4, 4, 4], [10, 6, 4, 4]],
    [false, [10, 4, 4, 4], [10, 4, 4, 4]],
    [true, [10, 4, 6, 6], [8, 4, 6, 6]],
    [false, [10, 7, 3, 3], [10, 6, 3, 3]],
    [true, [10, 4, 7, 7], [8, 8, 5, 5]],
    [true, [10, 10, 9, 8], [10, 10, 10, 8]],
    [true, [10, 10, 10, 9], [10, 10, 10, 10]],
  ])("D084: isProgressing is %s from %j to %j", (progresses, before, after) => {
    expect(isProgressing(deployment({ status: counts(before) }), counts(after))).toBe(progresses);
  });

  it("finds a timeout when the last progress is older than the deadline, for good", () => {
    const timedOut = (parts: DeploymentParts, conditions: readonly DeploymentCondition[]): boolean =>
      isTimedOut(deployment(parts), { conditions }, start);
    expect(timedOut({ deadline: 10 }, [condition("ReplicaSetUpdated", "True", 11)])).toBe(true);
    expect(timedOut({ deadline: 10 }, [condition("ReplicaSetUpdated", "True", 10)])).toBe(false);
    expect(timedOut({ deadline: 10 }, [condition("NewReplicaSetAvailable", "True", 99)])).toBe(false);
    expect(timedOut({ deadline: 10 }, [condition("ProgressDeadlineExceeded", "False", 0)])).toBe(true);
    expect(timedOut({ deadline: 10 }, [])).toBe(false);
    expect(timedOut({}, [condition("ReplicaSetUpdated", "True", 99)])).toBe(false);
  });

  it("is undefined without a deadline, for a complete rollout and after a timeout", () => {
    const stuck = { replicas: 3, updatedReplicas: 3, availableReplicas: 1 };
    const check = (parts: DeploymentParts, now: DeploymentStatusView = stuck): number | undefined =>
      progressCheckMs(deployment({ replicas: 3, generation: 0, ...parts }), now, start);
    expect(check({})).toBeUndefined();
    expect(check({ deadline: 2_147_483_647, conditions: [condition("", "True", 0)] })).toBeUndefined();
    expect(check({ deadline: 60 })).toBeUndefined();
    expect(
      check({ deadline: 60, conditions: [condition("", "True", 0)] }, { replicas: 3, updatedReplicas: 3, availableReplicas: 3 }),
    ).toBeUndefined();
    expect(check({ deadline: 60, conditions: [condition("ProgressDeadlineExceeded", "False", 0)] })).toBeUndefined();
  });

  it.each([
    [30, 30_000],
    [59, 1000],
    [60, 0],
    [61, 0],
    [120, 0],
  ])("D071: of 60 s, %i s after the last progress, is %i ms", (seconds, waitMs) => {
    expect(
      progressCheckMs(
        deployment({ replicas: 3, deadline: 60, conditions: [condition("", "True", seconds)] }),
        { availableReplicas: 1 },
        start,
      ),
    ).toBe(waitMs);
  });

  it("D071: is 0 with less than a second left", () => {
    expect(progressCheckMs(deployment({ replicas: 3, deadline: 60, conditions: [condition("", "True", 59)] }), {}, start + 1)).toBe(0);
  });
});
