import { kinds } from "@drover/api";
import { describe, expect, it } from "vitest";
import { resourceStrategies } from "./resource-strategies.ts";
import { recordsScene } from "../../testing/records-scene.ts";

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
  it("covers every stored kind except workloads", async () => {
    const strategies = resourceStrategies({ allocator: (await recordsScene()).allocator });
    const stored = kinds
      .filter(({ verbs }) => verbs.includes("create") && verbs.includes("get"))
      .map(({ group, version, kind }) => `${group}/${version}/${kind}`);
    const expected = stored.filter((key) => !elsewhere.has(key));
    expect([...strategies.keys()].toSorted((a, b) => a.localeCompare(b))).toEqual(expected.toSorted((a, b) => a.localeCompare(b)));
  });
});
