import { describe, expect, it } from "vitest";
import { ago, pod, replicaSet, start } from "../testing/workload-objects.ts";
import type { ReplicaSetParts } from "../testing/workload-objects.ts";
import type { PodView } from "../shared/pod-state.ts";
import { replicaSetStatus, sameReplicaSetStatus } from "./replica-set-status.ts";
import type { ReplicaSetFacts } from "./replica-set-status.ts";

const status = (
  parts: ReplicaSetParts,
  active: readonly PodView[],
  more: Partial<ReplicaSetFacts> = {},
): ReturnType<typeof replicaSetStatus> =>
  replicaSetStatus(replicaSet(parts), { active, terminating: [], outcome: {}, now: start, ...more });

describe("replicaSetStatus", () => {
  it("R029: counts pods with all labels of the template", () => {
    expect(
      status({ labels: { app: "web", tier: "1" } }, [
        pod({ labels: { app: "web", tier: "1", more: "x" } }),
        pod({ labels: { app: "web" } }),
        pod({ labels: {} }),
      ]),
    ).toMatchObject({ replicas: 3, fullyLabeledReplicas: 1 });
  });

  it("R029: counts ready and available pods", () => {
    expect(status({}, [pod({ phase: "Pending" })])).toMatchObject({ replicas: 1, readyReplicas: 0, availableReplicas: 0 });
    expect(status({ minReadySeconds: 3600 }, [pod({ readyFor: 10 })])).toMatchObject({ readyReplicas: 1, availableReplicas: 0 });
    expect(status({ minReadySeconds: 10 }, [pod({ readyFor: 10 })])).toMatchObject({ readyReplicas: 1, availableReplicas: 1 });
    expect(status({}, [pod({ readyFor: 0 })])).toMatchObject({ readyReplicas: 1, availableReplicas: 1 });
  });

  it("R029: counts terminating pods separately", () => {
    expect(status({}, [], { terminating: [pod({ isDeleting: true })] })).toMatchObject({ replicas: 0, terminatingReplicas: 1 });
    expect(status({}, [])).toMatchObject({ terminatingReplicas: 0 });
  });

  it("adds a ReplicaFailure condition once, and removes it when it is over", () => {
    const error = new Error("exceeded quota");
    const failed = status({ replicas: 2 }, [pod()], { outcome: { error } });
    expect(failed.conditions).toEqual([
      { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: "exceeded quota", lastTransitionTime: ago(0) },
    ]);
    expect(status({ replicas: 0 }, [pod()], { outcome: { error } }).conditions).toMatchObject([{ reason: "FailedDelete" }]);
    const before = { conditions: [{ type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: "older" }] };
    expect(status({ status: before }, [], { outcome: { error } }).conditions).toEqual(before.conditions);
    expect(status({ status: before }, [pod()]).conditions).toBeUndefined();
  });

  it("equals one without zero counts, and differs when anything else does", () => {
    const made = status({ generation: 3 }, []);
    expect(sameReplicaSetStatus({ replicas: 0, observedGeneration: 3, terminatingReplicas: 0 }, made)).toBe(true);
    for (const other of [
      { replicas: 1 },
      { readyReplicas: 1 },
      { observedGeneration: 2 },
      { terminatingReplicas: 1 },
      { conditions: [{ type: "ReplicaFailure", status: "True" }] },
    ]) {
      expect(sameReplicaSetStatus({ replicas: 0, observedGeneration: 3, terminatingReplicas: 0, ...other }, made)).toBe(false);
    }
    expect(sameReplicaSetStatus(undefined, made)).toBe(false);
  });
});
