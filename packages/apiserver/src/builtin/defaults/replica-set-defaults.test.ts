import type { ReplicaSet } from "@drover/api/apps/v1";
import { describe, expect, it } from "vitest";
import { setReplicaSetDefaults } from "./replica-set-defaults.ts";

describe("a replica set", () => {
  it("has one pod, and a template with defaults, but no labels of it", () => {
    const replicaSet: ReplicaSet = { metadata: {}, spec: { selector: {}, template: { metadata: { labels: { a: "1" } } } } };
    setReplicaSetDefaults(replicaSet);
    expect(replicaSet).toMatchObject({ spec: { replicas: 1, template: { spec: { restartPolicy: "Always" } } } });
    expect(replicaSet.metadata).toEqual({});
  });
});
