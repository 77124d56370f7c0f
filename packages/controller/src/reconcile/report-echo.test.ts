import type { Change } from "@drover/cache";
import { createMetrics } from "@drover/machinery";
import type { KubeObject, ObjectKey } from "@drover/machinery";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { NewEvent } from "../events/event-draft.ts";
import { reportEcho } from "./report-echo.ts";

const object: KubeObject = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "shop", namespace: "web", uid: "a", resourceVersion: "2" },
};
const basics = { key: "web/shop" as ObjectKey, uid: "a", resourceVersion: "2", object };

function told(change: Change): { readonly notes: readonly string[]; readonly lines: readonly string[] } {
  const log = recordingLog(new ManualClock());
  const events: NewEvent[] = [];
  const slowed = createMetrics().counter({ name: "slowed_total", help: "", labels: [] }).with({});
  reportEcho(
    {
      key: change.key,
      runs: 20,
      waitMs: 2000,
      cause: { type: "change", via: "self", change, kind: { group: "", kind: "ConfigMap" }, cluster: "" },
    },
    { controller: "web", log, slowed, events: { eventf: (event) => events.push(event) } },
  );
  return { notes: events.map(({ note }) => note), lines: log.entries.map(({ message }) => message) };
}

describe("reportEcho", () => {
  it.each<readonly [string, Change]>([
    [
      "changes data[a]",
      {
        type: "updated",
        ...basics,
        object: { ...object, data: { a: "2" } } as KubeObject,
        before: { ...object, data: { a: "1" } } as KubeObject,
        isResync: false,
      },
    ],
    ["changes nothing but its version", { type: "updated", ...basics, before: object, isResync: false }],
    ["creates it", { type: "added", ...basics, isInInitialList: false }],
    ["deletes it", { type: "deleted", ...basics, isFinalStateUnknown: false }],
  ])("%s", (what, change) => {
    const { notes, lines } = told(change);
    expect(notes).toEqual([
      `Controller web wrote this object 20 times in a row, each time caused only by its own last write; each time it ${what}. The next run waits 2s.`,
    ]);
    expect(lines).toEqual([
      `reconcile loop: each run writes ConfigMap web/shop and ${what}, and only that write causes the next run; delaying the key`,
    ]);
  });
});
