import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { WatchedKinds, WrittenObject } from "@drover/cache";
import { keyOf } from "./testing/controller-rig.ts";
import { UnseenWrites } from "./unseen-writes.ts";

const web = keyOf("shop/web");
const pod = (name: string): WrittenObject => ({ group: "", resource: "pods", key: keyOf(`shop/${name}`) });

function stage(): {
  readonly unseen: UnseenWrites;
  readonly seen: string[];
  readonly show: (name: string) => void;
  readonly settle: () => Promise<void>;
} {
  const behind = new Map<string, (() => void)[]>();
  const { clock } = testRuntime();
  const seen: string[] = [];
  const watchedKinds: WatchedKinds = {
    add: () => () => undefined,
    has: () => true,
    isCaughtUp: ({ key }) => !behind.has(key),
    caughtUp: ({ key }) =>
      new Promise((resolve) => {
        behind.get(key)?.push(resolve);
      }),
  };
  const unseen = new UnseenWrites({ watchedKinds, onSeen: (key) => seen.push(key) });
  for (const name of ["a", "b"]) behind.set(`shop/${name}`, []);
  return {
    unseen,
    seen,
    settle: () => clock.settle(),
    show: (name) => {
      const waiting = behind.get(`shop/${name}`) ?? [];
      behind.delete(`shop/${name}`);
      for (const resolve of waiting) resolve();
    },
  };
}

describe("UnseenWrites", () => {
  it("hold back only their key, until the caches show all of them", async () => {
    const { unseen, seen, show, settle } = stage();
    for (const name of ["a", "b", "a"]) unseen.note(web, pod(name));
    expect([unseen.isClear(web), unseen.isClear(keyOf("shop/other")), unseen.size]).toEqual([false, true, 1]);
    show("a");
    await settle();
    expect([unseen.isClear(web), seen]).toEqual([false, []]);
    show("b");
    // The cache shows it before its handlers are notified: no need to wait for that.
    expect([unseen.isClear(web), seen]).toEqual([true, []]);
    await settle();
    expect([unseen.size, seen]).toEqual([0, ["shop/web"]]);
  });

  it("are not remembered if the caches already show them", () => {
    const { unseen } = stage();
    unseen.note(web, pod("shown"));
    expect([unseen.size, unseen.isClear(web)]).toEqual([0, true]);
  });
});
