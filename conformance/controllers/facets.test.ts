import { describe, expect, it } from "vitest";
import { facetsOf, passing } from "./facets.ts";

const seen = (kind: string, object: object): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(facetsOf(kind).map(({ name, of }) => [name, of({ metadata: {}, ...object })]));

describe("facets", () => {
  it("of every object are existence, finalizers and owners", () => {
    expect(seen("ConfigMap", {})).toEqual({ life: "there", finalizers: undefined, owners: undefined });
    const metadata = {
      deletionTimestamp: "t",
      finalizers: ["b", "a"],
      ownerReferences: [
        { kind: "ReplicaSet", name: "web", controller: true },
        { kind: "Node", name: "a" },
      ],
    };
    expect(seen("ConfigMap", { metadata })).toEqual({
      life: "marked",
      finalizers: '["a","b"]',
      owners: '["Node a","ReplicaSet web controls"]',
    });
  });

  it("of a Deployment skip an intermediate reason", () => {
    const progressing = (reason: string) =>
      seen("Deployment", { status: { conditions: [{ type: "Progressing", status: "True", reason }] } })["condition Progressing"];
    expect([progressing("ReplicaSetUpdated"), progressing("NewReplicaSetAvailable")]).toEqual([passing, "True NewReplicaSetAvailable"]);
  });

  it("of endpoints count ready addresses", () => {
    expect(seen("Endpoints", { subsets: [{ addresses: [1, 2], notReadyAddresses: [3] }, { addresses: [4] }] })).toMatchObject({
      ready: "3",
      "not ready": "1",
    });
    expect(seen("EndpointSlice", { endpoints: [{ conditions: { ready: true } }, { conditions: { ready: false } }] })).toMatchObject({
      endpoints: "2",
      ready: "1",
    });
  });

  it("count zero where the status is not written yet", () => {
    expect(seen("ReplicaSet", { spec: { replicas: 3 } })).toMatchObject({ "spec.replicas": "3", "status.replicas": "0" });
  });
});
