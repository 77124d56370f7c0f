import { describe, expect, it } from "vitest";
import { facetsOf, passing } from "./facets.ts";

const seen = (kind: string, object: object): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(facetsOf(kind).map(({ name, of }) => [name, of({ metadata: {}, ...object })]));

describe("facets", () => {
  it("of everything are whether it is there, what holds it and whose it is", () => {
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

  it("of a Deployment pass over a reason that comes and goes", () => {
    const progressing = (reason: string) =>
      seen("Deployment", { status: { conditions: [{ type: "Progressing", status: "True", reason }] } })["condition Progressing"];
    expect([progressing("ReplicaSetUpdated"), progressing("NewReplicaSetAvailable")]).toEqual([passing, "True NewReplicaSetAvailable"]);
  });

  it("of endpoints count those that are ready", () => {
    expect(seen("Endpoints", { subsets: [{ addresses: [1, 2], notReadyAddresses: [3] }, { addresses: [4] }] })).toMatchObject({
      ready: "3",
      "not ready": "1",
    });
    expect(seen("EndpointSlice", { endpoints: [{ conditions: { ready: true } }, { conditions: { ready: false } }] })).toMatchObject({
      endpoints: "2",
      ready: "1",
    });
  });

  it("count from nothing where a status is not written yet", () => {
    expect(seen("ReplicaSet", { spec: { replicas: 3 } })).toMatchObject({ "spec.replicas": "3", "status.replicas": "0" });
  });
});
