import { describe, expect, it } from "vitest";
import { AddedChange, DeletedChange, UpdatedChange } from "./change.ts";
import type { StoreChange } from "./change.ts";
import { podVersion } from "../testing/pod-version.ts";
import type { TestPod } from "../testing/pod-version.ts";

describe("StoreChange", () => {
  it("has the fields of a Change, and prints all of them as JSON", () => {
    const before = podVersion("shop/web", 1);
    const version = podVersion("shop/web", 2);
    const identity = { key: "shop/web", uid: "shop/web-uid", object: version.object };
    const rows: [StoreChange<TestPod>, unknown][] = [
      [new AddedChange({ version, isInInitialList: true }), { ...identity, type: "added", isInInitialList: true }],
      [new UpdatedChange({ version, before, isResync: false }), { ...identity, type: "updated", before: before.object, isResync: false }],
      [new DeletedChange({ version, isFinalStateUnknown: true }), { ...identity, type: "deleted", isFinalStateUnknown: true }],
    ];
    for (const [change, expected] of rows) {
      expect(change).toMatchObject(expected as object);
      expect(JSON.parse(JSON.stringify(change))).toEqual(expected);
    }
  });

  it("decodes no object before a handler reads it, merged or not", () => {
    let reads = 0;
    const { object } = podVersion("shop/web", 1);
    const version = {
      ...podVersion("shop/web", 1),
      get object() {
        reads++;
        return object;
      },
    };
    reads = 0;
    const update = new UpdatedChange({ version, before: version, isResync: false });
    const merged = [update, update.mergedWith(update), update.mergedWith(new AddedChange({ version, isInInitialList: false }))];
    expect(merged.map(({ key, resourceVersion }) => `${key}@${resourceVersion}`)).toEqual(Array(3).fill("shop/web@1"));
    expect([update.resourceVersionBefore, reads]).toEqual(["1", 0]);
    expect([update.object, reads]).toEqual([object, 1]);
  });
});

describe("UpdatedChange.mergedWith", () => {
  const [first, second, third] = [podVersion("shop/web", 1), podVersion("shop/web", 2), podVersion("shop/web", 3)];

  it("keeps an addition an addition, in the newest state", () => {
    const update = new UpdatedChange<TestPod>({ version: second, before: first, isResync: false });
    expect(update.mergedWith(new AddedChange<TestPod>({ version: first, isInInitialList: true }))).toMatchObject({
      type: "added",
      resourceVersion: "2",
      isInInitialList: true,
    });
  });

  it("spans two updates, from the state before the first to the state after the last", () => {
    const earlier = new UpdatedChange<TestPod>({ version: second, before: first, isResync: false });
    const merged = new UpdatedChange<TestPod>({ version: third, before: second, isResync: false }).mergedWith(earlier);
    expect(merged).toMatchObject({ type: "updated", resourceVersion: "3", resourceVersionBefore: "1", isResync: false });
  });
});
