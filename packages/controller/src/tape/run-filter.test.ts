import { objectKey } from "@drover/machinery";
import type { GroupKind, ObjectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { filterRuns } from "./run-filter.ts";
import type { CauseObject, RunFilter } from "./run-filter.ts";

const deployment: GroupKind = { group: "apps", kind: "Deployment" };
const pod: GroupKind = { group: "", kind: "Pod" };
const shop = objectKey("shop", "web");
const other = objectKey("other", "web");
const shopPod = objectKey("shop-1", "web");

interface Row {
  readonly run: number;
  readonly controller: string;
  readonly key: ObjectKey;
  readonly about: readonly CauseObject[];
}
const rows: readonly Row[] = [
  { run: 1, controller: "deployments", key: shop, about: [{ kind: deployment, key: shop, via: "self" }] },
  { run: 2, controller: "deployments", key: shop, about: [] },
  { run: 3, controller: "deployments", key: other, about: [{ kind: pod, key: shopPod, via: "owner" }] },
  { run: 4, controller: "pods", key: shop, about: [{ kind: pod, key: shop, via: "self" }] },
  { run: 5, controller: "quota", key: other, about: [{ kind: deployment, key: shop, via: "mapped" }] },
];
const found = (filter: RunFilter): number[] => filterRuns(rows, filter, ({ about }) => about).map(({ run }) => run);

describe("filterRuns", () => {
  it("returns all runs, those of a controller, of a key, or the newest", () => {
    expect([
      found({}),
      found({ controller: "pods" }),
      found({ key: shop }),
      found({ key: shop, last: 2 }),
      found({ last: 0 }),
      found({ last: 99 }),
    ]).toEqual([[1, 2, 3, 4, 5], [4], [1, 2, 4], [2, 4], [], [1, 2, 3, 4, 5]]);
  });

  it("returns, for an object, runs of controllers that reconcile its kind and runs it caused for other keys", () => {
    expect(found({ kind: deployment, key: shop })).toEqual([1, 2, 5]);
    expect(found({ kind: pod, key: shopPod })).toEqual([3]);
    expect(found({ kind: pod, key: shop })).toEqual([4]);
    expect(found({ kind: deployment })).toEqual([1, 2, 3, 5]);
    expect(found({ kind: deployment, key: shop, controller: "quota" })).toEqual([5]);
  });
});
