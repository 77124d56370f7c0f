import type { ReplicaSet } from "@drover/api/apps/v1";
import { describe, expect, it } from "vitest";
import { setReplicaSetDefaults } from "./replica-set-defaults.ts";

describe("defaults of ReplicaSet", () => {
  it("set one replica and template defaults, but no labels", () => {
    const replicaSet: ReplicaSet = { metadata: {}, spec: { selector: {}, template: { metadata: { labels: { a: "1" } } } } };
    setReplicaSetDefaults(replicaSet);
    expect(replicaSet).toMatchObject({ spec: { replicas: 1, template: { spec: { restartPolicy: "Always" } } } });
    expect(replicaSet.metadata).toEqual({});
  });
});
