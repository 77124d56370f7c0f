import { describe, expect, it } from "vitest";
import { changeOf } from "./notice.ts";
import type { Notice } from "./notice.ts";
import { podVersion } from "../testing/pod-version.ts";
import type { TestPod } from "../testing/pod-version.ts";

describe("changeOf", () => {
  it("gives the change a handler sees, and all of it when it is printed", () => {
    const before = podVersion("shop/web", 1);
    const version = podVersion("shop/web", 2);
    const identity = { key: "shop/web", uid: "shop/web-uid", object: version.object };
    const rows: [Notice<TestPod>, unknown][] = [
      [
        { type: "added", version, isInInitialList: true },
        { ...identity, type: "added", isInInitialList: true },
      ],
      [
        { type: "updated", version, before, isResync: false },
        { ...identity, type: "updated", before: before.object, isResync: false },
      ],
      [
        { type: "deleted", version, isFinalStateUnknown: true },
        { ...identity, type: "deleted", isFinalStateUnknown: true },
      ],
    ];
    for (const [notice, expected] of rows) {
      expect(changeOf(notice)).toMatchObject(expected as object);
      expect(JSON.parse(JSON.stringify(changeOf(notice)))).toEqual(expected);
    }
  });

  it("reads no object until somebody looks", () => {
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
    const change = changeOf({ type: "updated", version, before: version, isResync: false });
    expect([change.key, change.resourceVersion, reads]).toEqual(["shop/web", version.resourceVersion, 0]);
    expect(change.type === "updated" && change.resourceVersionBefore).toBe(version.resourceVersion);
    expect(reads).toBe(0);
    expect([change.object, reads]).toEqual([object, 1]);
  });
});
