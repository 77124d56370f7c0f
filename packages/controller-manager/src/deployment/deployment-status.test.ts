import { definedOnly } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { deployment, replicaSet, start } from "../testing/workload-objects.ts";
import { deploymentStatus, isComplete, sameDeploymentStatus, terminatingReplicas } from "./deployment-status.ts";

const status = (replicas: number, ready: number, available: number, terminating = 0): Parameters<typeof replicaSet>[0] => ({
  status: { replicas, readyReplicas: ready, availableReplicas: available, terminatingReplicas: terminating, observedGeneration: 1 },
});

describe("deploymentStatus", () => {
  it("sums up the ReplicaSets", () => {
    const sets = {
      newSet: replicaSet({ name: "b", replicas: 4, ...status(3, 2, 1, 1) }),
      oldSets: [replicaSet({ name: "a", replicas: 2, ...status(2, 2, 2, 3) })],
    };
    const made = deploymentStatus(deployment({ replicas: 4, generation: 7, status: { collisionCount: 2 } }), sets, start);
    expect(made).toMatchObject({
      observedGeneration: 7,
      replicas: 5,
      updatedReplicas: 3,
      readyReplicas: 4,
      availableReplicas: 3,
      unavailableReplicas: 3,
      terminatingReplicas: 4,
      collisionCount: 2,
    });
    expect(made.conditions).toMatchObject([
      { type: "Available", status: "True", reason: "MinimumReplicasAvailable", message: "Deployment has minimum availability." },
    ]);
  });

  it("reports too few available pods, and never negative unavailable ones", () => {
    const sets = { newSet: undefined, oldSets: [replicaSet({ replicas: 1, ...status(4, 4, 2) })] };
    expect(deploymentStatus(deployment({ replicas: 4 }), sets, start)).toMatchObject({
      updatedReplicas: 0,
      unavailableReplicas: 0,
      conditions: [
        {
          type: "Available",
          status: "False",
          reason: "MinimumReplicasUnavailable",
          message: "Deployment does not have minimum availability.",
        },
      ],
    });
  });

  it("D087: counts terminating pods only when every observed ReplicaSet reports them", () => {
    const sum = (...counts: readonly (readonly [observed: number, terminating?: number])[]): number | undefined =>
      terminatingReplicas(
        counts.map(([observedGeneration, count]) =>
          replicaSet({ status: { observedGeneration, ...definedOnly({ terminatingReplicas: count }) } }),
        ),
      );
    expect(sum([1, 2], [1, 3])).toBe(5);
    expect(sum([1, 2], [1])).toBeUndefined();
    expect(sum([1], [1, 2])).toBeUndefined();
    expect(sum([1, 2], [0])).toBe(2);
    expect([sum(), sum([0])]).toEqual([0, 0]);
  });

  it.each<[boolean, number, number, number, number]>([
    [false, 5, 5, 5, 4],
    [false, 5, 5, 5, 3],
    [true, 5, 5, 5, 5],
    [false, 5, 5, 4, 5],
    [false, 1, 2, 1, 1],
    [false, 1, 1, 1, 0],
  ])(
    "D083: is complete: %s, of %i wanted, %i there, %i updated, %i available",
    (complete, replicas, total, updatedReplicas, availableReplicas) => {
      expect(isComplete(deployment({ replicas }), { replicas: total, updatedReplicas, availableReplicas, observedGeneration: 1 })).toBe(
        complete,
      );
    },
  );

  it("is not complete before the current generation is observed", () => {
    const done = { replicas: 1, updatedReplicas: 1, availableReplicas: 1 };
    expect(isComplete(deployment({ generation: 2 }), { ...done, observedGeneration: 1 })).toBe(false);
    expect(isComplete(deployment({ generation: 2 }), { ...done, observedGeneration: 2 })).toBe(true);
  });

  it("equals one without zero counts, and differs when a count with meaning is missing", () => {
    const made = deploymentStatus(deployment({ replicas: 0 }), { newSet: undefined, oldSets: [] }, start);
    const { observedGeneration = 0, terminatingReplicas: _terminating, conditions = [] } = made;
    expect(sameDeploymentStatus({ observedGeneration, terminatingReplicas: 0, conditions }, made)).toBe(true);
    expect(sameDeploymentStatus({ observedGeneration, conditions }, made)).toBe(false);
    expect(sameDeploymentStatus({ ...made, collisionCount: 0 }, made)).toBe(false);
    expect(sameDeploymentStatus({ ...made, readyReplicas: 1 }, made)).toBe(false);
    expect(sameDeploymentStatus(undefined, made)).toBe(false);
  });
});
