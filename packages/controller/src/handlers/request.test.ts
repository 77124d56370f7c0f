import { objectKey } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";
import { createQueue } from "@drover/workqueue";
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { added, deleted, updated } from "../testing/changes.ts";
import { lowPriority, requestsFor } from "./request.ts";
import type { ChangeCause } from "./request.ts";

const web: KubeObject = { metadata: { namespace: "shop", name: "web", resourceVersion: "1" } };
const newer: KubeObject = { metadata: { namespace: "shop", name: "web", resourceVersion: "2" } };

describe("requestsFor", () => {
  it("requests each key once, in order of first occurrence", () => {
    const keys = ["b", "a", "b", "c", "a"].map((name) => objectKey(name, "shop"));
    expect(requestsFor(added(web), "mapped", keys).map(({ key }) => key)).toEqual(["shop/b", "shop/a", "shop/c"]);
    expect(requestsFor(added(web), "mapped", [])).toEqual([]);
  });

  it("gives the first list and resyncs a low priority", () => {
    const priorities = [added(web, true), added(web), updated(web, web), updated(web, newer), deleted(web)].map(
      (change) => requestsFor(change, "self", [change.key])[0]?.priority,
    );
    expect(priorities).toEqual([lowPriority, 0, lowPriority, 0, 0]);
    expect(lowPriority).toBe(-100);
  });

  it("returns what a queue accepts: two changes of a key give one run with both causes", async () => {
    const queue = createQueue<string, ChangeCause>({ clock: new ManualClock() });
    const changes = [added(web, true), updated(web, newer)];
    for (const change of changes) for (const { key, ...beside } of requestsFor(change, "self", [change.key])) queue.addWith(key, beside);
    const work = await queue.get();
    expect(work).toMatchObject({ key: "shop/web", priority: 0 });
    expect(work?.causes.map(({ via, change }) => [via, change.type])).toEqual([
      ["self", "added"],
      ["self", "updated"],
    ]);
    expect(queue.tryGet()).toBeUndefined();
  });
});
