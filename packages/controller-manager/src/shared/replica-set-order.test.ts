import { describe, expect, it } from "vitest";
import { replicaSet } from "../testing/workload-objects.ts";
import { byCreation, bySizeNewer, bySizeOlder, replicasOf } from "./replica-set-order.ts";
import type { ReplicaSetOrder } from "./replica-set-order.ts";

describe("ReplicaSets", () => {
  const sets = [
    replicaSet({ name: "b", replicas: 3, createdAgo: 5 }),
    replicaSet({ name: "a", replicas: 3, createdAgo: 5 }),
    replicaSet({ name: "c", replicas: 1, createdAgo: 9 }),
    replicaSet({ name: "d", replicas: 3, createdAgo: 1 }),
  ];
  const names = (order: ReplicaSetOrder): string =>
    sets
      .toSorted(order)
      .map(({ metadata }) => metadata.name)
      .join("");
  it("C009: are sorted by age, then by name; by size, then the newer or the older first", () => {
    expect([names(byCreation), names(bySizeNewer), names(bySizeOlder)]).toEqual(["cabd", "dbac", "abdc"]);
  });

  it("have one pod where nothing is said", () => {
    expect([replicasOf({}), replicasOf({ spec: {} }), replicasOf({ spec: { replicas: 0 } })]).toEqual([1, 1, 0]);
  });
});
