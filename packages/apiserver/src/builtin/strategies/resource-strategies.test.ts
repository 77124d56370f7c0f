import { kinds } from "@drover/api";
import { createRandom } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { resourceStrategies } from "./resource-strategies.ts";
import { ServiceAllocator } from "./service/service-allocator.ts";

/** Workloads, CustomResourceDefinition, and kinds that are not stored. */
const elsewhere: ReadonlySet<string> = new Set([
  "/v1/Pod",
  "/v1/PodTemplate",
  "/v1/ReplicationController",
  "apps/v1/ControllerRevision",
  "apps/v1/DaemonSet",
  "apps/v1/Deployment",
  "apps/v1/ReplicaSet",
  "apps/v1/StatefulSet",
  "batch/v1/CronJob",
  "batch/v1/Job",
  "apiextensions.k8s.io/v1/CustomResourceDefinition",
]);

describe("resourceStrategies", () => {
  it("covers every stored kind except workloads", () => {
    const strategies = resourceStrategies({ allocator: new ServiceAllocator({ random: createRandom(1) }) });
    const stored = kinds
      .filter(({ verbs }) => verbs.includes("create") && verbs.includes("get"))
      .map(({ group, version, kind }) => `${group}/${version}/${kind}`);
    const expected = stored.filter((key) => !elsewhere.has(key));
    expect([...strategies.keys()].toSorted((a, b) => a.localeCompare(b))).toEqual(expected.toSorted((a, b) => a.localeCompare(b)));
  });
});
