import { describe, expect, it } from "vitest";
import { deployment, replicaSet } from "../testing/workload-objects.ts";
import { activeOrLatest, activeSets, allSets, newAndOld } from "./new-and-old.ts";

const name = (set: ReturnType<typeof replicaSet> | undefined): string | undefined => set?.metadata.name;

describe("newAndOld", () => {
  const wanted = deployment({ image: "web:2" });
  it("takes the oldest ReplicaSet with the current template as the new one", () => {
    const { newSet, oldSets } = newAndOld(wanted, [
      replicaSet({ name: "young", image: "web:2", createdAgo: 1 }),
      replicaSet({ name: "old", image: "web:2", createdAgo: 9 }),
      replicaSet({ name: "other", createdAgo: 99 }),
    ]);
    expect([name(newSet), oldSets.map(name)]).toEqual(["old", ["other", "young"]]);
  });

  it("D121: takes all others as old, with or without pods", () => {
    const { newSet, oldSets } = newAndOld(wanted, [
      replicaSet({ name: "a", replicas: 0, createdAgo: 9 }),
      replicaSet({ name: "b", replicas: 2, createdAgo: 5 }),
    ]);
    expect([newSet, oldSets.map(name), activeSets(oldSets).map(name)]).toEqual([undefined, ["a", "b"], ["b"]]);
    expect(allSets({ newSet: replicaSet({ name: "n" }), oldSets }).map(name)).toEqual(["a", "b", "n"]);
  });

  it("finds the only active ReplicaSet, or else the newest, to scale alone", () => {
    const [empty, full] = [
      replicaSet({ name: "empty", replicas: 0, createdAgo: 9 }),
      replicaSet({ name: "full", replicas: 1, createdAgo: 5 }),
    ];
    const young = replicaSet({ name: "young", replicas: 0, createdAgo: 1 });
    expect(activeOrLatest({ newSet: empty, oldSets: [full] })).toBe(full);
    expect(activeOrLatest({ newSet: empty, oldSets: [young] })).toBe(empty);
    expect(activeOrLatest({ newSet: undefined, oldSets: [young, empty] })).toBe(young);
    expect(activeOrLatest({ newSet: full, oldSets: [replicaSet({ name: "second" })] })).toBeUndefined();
    expect(activeOrLatest({ newSet: undefined, oldSets: [] })).toBeUndefined();
  });
});
