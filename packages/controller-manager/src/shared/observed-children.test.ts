import { ReplicaSet } from "@drover/api/apps/v1";
import type { Pod } from "@drover/api/core/v1";
import type { Change } from "@drover/cache";
import { objectKey } from "@drover/machinery";
import { ManualClock } from "@drover/machinery/testing";
import { Expectations } from "@drover/patterns";
import { describe, expect, it } from "vitest";
import { syncedInformer } from "../testing/synced-informer.ts";
import { pod, replicaSet } from "../testing/workload-objects.ts";
import { observedChildren, observedOwner } from "./observed-children.ts";
import { ownerFinder } from "./owner-finder.ts";

const key = objectKey("web", "shop");
const child = pod({ owner: { object: replicaSet() as ReplicaSet, kind: ReplicaSet } });
const of = { key: objectKey("web-1", "shop"), uid: "web-1-uid", object: child };
const added: Change<Pod> = { type: "added", ...of, isInInitialList: false };
const deleted: Change<Pod> = { type: "deleted", ...of, isFinalStateUnknown: false };

describe("observedChildren", async () => {
  const find = ownerFinder(await syncedInformer<ReplicaSet>(replicaSet()), ReplicaSet);

  it("meets expectations of created and deleted children, and enqueues the owner", () => {
    const expectations = new Expectations({ clock: new ManualClock() });
    const handler = observedChildren<Pod>(expectations, find);
    expectations.expectCreations(key, 1);
    expect(handler(added).map((request) => request.key)).toEqual([key]);
    expect(expectations.satisfied(key)).toBe(true);
    expectations.expectDeletions(key, ["shop/web-1"]);
    expect(handler(deleted).map((request) => request.key)).toEqual([key]);
    expect(expectations.satisfied(key)).toBe(true);
  });

  it("lets observedOwner forget an added or deleted owner, but not an updated one", () => {
    const change = { key, uid: "web-uid", object: replicaSet() };
    for (const [one, isForgotten] of [
      [{ type: "added", ...change, isInInitialList: false }, true],
      [{ type: "deleted", ...change, isFinalStateUnknown: false }, true],
      [{ type: "updated", ...change, before: replicaSet(), isResync: false }, false],
    ] as const) {
      const expectations = new Expectations({ clock: new ManualClock() });
      expectations.expectCreations(key, 1);
      expect(observedOwner<ReplicaSet>(expectations)(one).map((request) => request.key)).toEqual([key]);
      expect(expectations.satisfied(key)).toBe(isForgotten);
    }
  });
});
