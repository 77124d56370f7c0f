import { describe, expect, it } from "vitest";
import { ScriptedHistory } from "./scripted-history.ts";

const map = (name: string) => ({ metadata: { namespace: "shop", name } });

describe("ScriptedHistory", () => {
  it("gives every write a revision, and keeps the uid of an object until it is deleted", () => {
    const history = new ScriptedHistory();
    const created = history.put(map("a"));
    const changed = history.put(map("a"));
    history.remove("shop/a");
    const again = history.put(map("a"));
    expect(
      [created, changed, again].map(({ type, revision, object }) => [type, revision, object.metadata.uid, object.metadata.resourceVersion]),
    ).toEqual([
      ["ADDED", 2, "uid-1", "2"],
      ["MODIFIED", 3, "uid-1", "3"],
      ["ADDED", 5, "uid-2", "5"],
    ]);
    expect(history.remove("shop/b")).toBeUndefined();
    expect(history.revision).toBe(5);
  });

  it("returns the state at any revision that is not compacted", () => {
    const history = new ScriptedHistory();
    history.put(map("a"));
    history.put(map("b"));
    history.put(map("a"));
    history.remove("shop/b");
    const versions = (revision: number): unknown =>
      [...history.at(revision)].map(([key, { metadata }]) => `${key}@${metadata.resourceVersion}`).toSorted();
    expect([1, 2, 3, 4, 5].map(versions)).toEqual([[], ["shop/a@2"], ["shop/a@2", "shop/b@3"], ["shop/a@4", "shop/b@3"], ["shop/a@4"]]);
  });

  it("returns the commits between revisions, and drops compacted ones", () => {
    const history = new ScriptedHistory({ commitsMax: 3 });
    for (let index = 0; index < 5; index++) history.put(map("a"));
    expect(history.between(2, 4).map(({ revision }) => revision)).toEqual([3, 4]);
    expect(history.compacted).toBe(1);
    history.put(map("a"));
    expect([history.compacted, history.between(0, 99).length]).toEqual([4, 3]);
    history.compact();
    expect([history.compacted, history.between(0, 99).length]).toEqual([7, 0]);
  });

  it("restores a snapshot, including versions", () => {
    const history = new ScriptedHistory();
    history.put(map("a"));
    const snapshot = history.snapshot();
    history.put(map("b"));
    history.skip(10);
    history.restore(snapshot);
    expect([history.revision, [...history.objects.keys()]]).toEqual([2, ["shop/a"]]);
  });
});
