import { describe, expect, it } from "vitest";
import { replicaSet } from "../testing/workload-objects.ts";
import { byCreation, bySizeNewer, bySizeOlder, replicasOf } from "./replica-set-order.ts";
import type { ReplicaSetOrder } from "./replica-set-order.ts";

describe("orders of ReplicaSets", () => {
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
  it("C009: sort by age, then name; by size, then newer or older first", () => {
    expect([names(byCreation), names(bySizeNewer), names(bySizeOlder)]).toEqual(["cabd", "dbac", "abdc"]);
  });

  it("count one replica by default", () => {
    expect([replicasOf({}), replicasOf({ spec: {} }), replicasOf({ spec: { replicas: 0 } })]).toEqual([1, 1, 0]);
  });
});
