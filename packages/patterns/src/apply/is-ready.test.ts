import { describe, expect, it } from "vitest";
import { isReady } from "./is-ready.ts";

const ready = (kind: string, fields: object, generation = 2): true | string => {
  const [name = "", ...group] = kind.split(".");
  return isReady({ group: group.join("."), kind: name }, { metadata: { name: "x", generation }, ...fields });
};
const seen = { observedGeneration: 2 };
const says = (type: string, status: string, more: object = {}): object => ({ status: { conditions: [{ type, status, ...more }] } });

describe("isReady", () => {
  it.each<[string, object, true | string]>([
    ["Namespace", { status: { phase: "Active" } }, true],
    ["Namespace", { status: { phase: "Terminating" } }, "is Terminating"],
    ["CustomResourceDefinition.apiextensions.k8s.io", says("Established", "True"), true],
    ["CustomResourceDefinition.apiextensions.k8s.io", {}, "is not Established"],
    [
      "CustomResourceDefinition.apiextensions.k8s.io",
      says("NamesAccepted", "False", { reason: "PluralConflict" }),
      "its names are not accepted: PluralConflict",
    ],
    ["Deployment.apps", { spec: { replicas: 2 }, status: { ...seen, replicas: 2, updatedReplicas: 2, availableReplicas: 2 } }, true],
    [
      "Deployment.apps",
      { spec: { replicas: 2 }, status: { observedGeneration: 1, replicas: 2, updatedReplicas: 2, availableReplicas: 2 } },
      "its controller has observed generation 1 of 2",
    ],
    [
      "Deployment.apps",
      { spec: { replicas: 2 }, status: { ...seen, replicas: 3, updatedReplicas: 2, availableReplicas: 2 } },
      "still has pods of an older template",
    ],
    ["Deployment.apps", { spec: {}, status: { ...seen, replicas: 1, updatedReplicas: 1 } }, "0 of 1 available"],
    ["Deployment.apps", { spec: { replicas: 0 }, status: seen }, true],
    [
      "Deployment.apps",
      { spec: {}, status: { ...seen, conditions: [{ type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded" }] } },
      "makes no progress: ProgressDeadlineExceeded",
    ],
    ["StatefulSet.apps", { spec: { replicas: 2 }, status: { ...seen, readyReplicas: 2, currentRevision: "a", updateRevision: "a" } }, true],
    [
      "StatefulSet.apps",
      { spec: { replicas: 2 }, status: { ...seen, readyReplicas: 2, currentRevision: "a", updateRevision: "b" } },
      "still has pods of an older template",
    ],
    [
      "StatefulSet.apps",
      {
        spec: { replicas: 3, updateStrategy: { rollingUpdate: { partition: 2 } } },
        status: { ...seen, readyReplicas: 3, updatedReplicas: 1 },
      },
      true,
    ],
    [
      "DaemonSet.apps",
      { status: { ...seen, desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 1 } },
      "1 of 2 available",
    ],
    ["DaemonSet.apps", { status: { ...seen, desiredNumberScheduled: 0 } }, true],
    ["DaemonSet.apps", { status: seen }, "its controller has not observed it"],
    ["ReplicaSet.apps", { spec: { replicas: 1 }, status: { ...seen, availableReplicas: 1 } }, true],
    ["Job.batch", says("Complete", "True"), true],
    ["Job.batch", says("Failed", "True", { reason: "BackoffLimitExceeded" }), "failed: BackoffLimitExceeded"],
    ["Job.batch", {}, "has not completed"],
    ["Pod", { status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } }, true],
    ["Pod", { status: { phase: "Succeeded" } }, true],
    ["Pod", { status: { phase: "Pending" } }, "is Pending"],
    ["PersistentVolumeClaim", { status: { phase: "Bound" } }, true],
    ["PersistentVolumeClaim", {}, "is without a phase"],
    ["Service", { spec: { type: "ClusterIP" } }, true],
    ["Service", { spec: { type: "LoadBalancer" }, status: { loadBalancer: {} } }, "has no load balancer address"],
    ["Service", { spec: { type: "LoadBalancer" }, status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } } }, true],
    ["ConfigMap", {}, true],
    ["WebApp.demo.example.com", says("Ready", "True"), true],
    ["WebApp.demo.example.com", says("Ready", "False", { reason: "Broken", message: "no disk" }), "is not Ready: Broken, no disk"],
    [
      "WebApp.demo.example.com",
      { status: { observedGeneration: 1, conditions: [{ type: "Ready", status: "True" }] } },
      "its controller has observed generation 1 of 2",
    ],
    ["WebApp.demo.example.com", { status: "a text" }, true],
    ["WebApp.demo.example.com", { status: { conditions: [null, "x", { type: "Ready" }] } }, "is not Ready"],
  ])("%s with %j: %j", (kind, fields, expected) => {
    expect(ready(kind, fields)).toBe(expected);
  });

  it("is false for an object that is being deleted", () => {
    expect(isReady({ group: "", kind: "ConfigMap" }, { metadata: { name: "x", deletionTimestamp: "2026-01-01T00:00:00Z" } })).toBe(
      "is being deleted",
    );
  });
});
