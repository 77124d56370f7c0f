import { objectKey } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";
import type { KeyReport } from "@drover/workqueue";
import { describe, expect, it } from "vitest";
import type { Cause } from "../causes/cause.ts";
import { added, deleted, updated } from "../testing/changes.ts";
import { explain } from "./explain.ts";
import { exportTape, readTape } from "./tape-lines.ts";
import { replicasField, seen, shop, shopKey, tapeScene, wrote } from "./testing/tape-scene.ts";
import type { TapeScene } from "./testing/tape-scene.ts";
import { why } from "./why.ts";

const podKind = { group: "", kind: "Pod" };
const configKind = { group: "", kind: "ConfigMap" };
const pod = (name: string, version: number): KubeObject => ({
  metadata: { name, namespace: "web", uid: `${name}-uid`, resourceVersion: String(version) },
});
const podPath = "/api/v1/namespaces/web/pods/shop-1";

/** Every kind of cause, several of them merged, with our own writes among those of others. */
async function scene(): Promise<TapeScene> {
  const tape = tapeScene();
  const { run, clock } = tape;
  const v1 = shop(4700, { replicas: 2, managers: [["kubectl-create", replicasField]] });
  const v2 = shop(4711, {
    replicas: 3,
    managers: [
      ["kubectl-create", {}],
      ["kubectl-edit", replicasField],
    ],
  });
  const v3 = { ...v2, metadata: { ...v2.metadata, resourceVersion: "4720", annotations: { "web/checked": "yes" } } };
  await run({ causes: [seen(added(v1, true)), { type: "timer", source: "every 30s" }], waitedMs: 2 });
  await run({
    causes: [seen(updated(v1, v1)), { type: "external", source: "webhooks", note: "push to\nmain" }],
    calls: [{ method: "DELETE", path: podPath, tookMs: 4, status: 200, wrote: { uid: "shop-1-uid", resourceVersion: "" } }, wrote(v3)],
  });
  await clock.advance(1000);
  await run({
    causes: [
      seen(updated(v1, v2)),
      seen(deleted(pod("shop-1", 4712)), { kind: podKind, via: "owner" }),
      seen(deleted(pod("shop-2", 4713)), { kind: podKind, via: "owner" }),
      seen(added({ metadata: { name: "settings", namespace: "web", uid: "c", resourceVersion: "4714" } }), {
        kind: configKind,
        via: "mapped",
        cluster: "east",
      }),
      seen(updated(v2, v3)),
    ],
    waitedMs: 2,
    causeCount: 9,
    attempts: 1,
    calls: [
      {
        method: "PATCH",
        path: "/apis/apps/v1/namespaces/web/deployments/shop/status",
        tookMs: 30,
        status: 409,
        error: "the object has been modified",
      },
    ],
    result: { type: "retry", error: "the object has been modified", isConflict: true, retryInMs: 5 },
  });
  await run({
    causes: [
      { type: "retry", attempt: 1, error: "the object has been modified", run: "7f#3", isConflict: true },
      { type: "after", afterMs: 30_000, run: "7f#1" },
      { type: "enqueue", note: "a new image", parent: { controller: "images", key: objectKey("shop", "web"), run: "7f#0" } },
      { type: "enqueue" },
    ],
    calls: [{ method: "GET", path: "/api/v1/namespaces/other/secrets/key", tookMs: 0.25, error: "connection refused" }],
    result: { type: "after", afterMs: 90_000 },
  });
  return tape;
}

describe("explain", () => {
  it("prints exactly the causes, each with its writer, and our own writes as ours", async () => {
    const { tape } = await scene();
    expect(explain(why(tape, { key: shopKey, controller: "web" }))).toEqual([
      "web/shop in web ran 4 times in the last 1 s; it runs again in 90 s.",
      "14:03:00.000  run 7f#1, 0 ms, waited 2 ms: done",
      "    because  Deployment web/shop existed at the start (version 4700)",
      "             timer every 30s fired",
      "14:03:00.001  run 7f#2, 7 ms, waited 0 ms: done",
      "    because  Deployment web/shop was resynced (version 4700)",
      "             external event from webhooks: push to main",
      "    did      DELETE …/pods/shop-1 200 (4 ms)",
      "             PUT …/deployments/shop 200 (3 ms)",
      "14:03:01.009  run 7f#3, 30 ms, waited 2 ms: had a conflict, again in 5 ms: the object has been modified",
      "    because  Deployment web/shop was updated: spec.replicas 2 → 3, by kubectl-edit (version 4711)",
      "             Pod web/shop-1 (owned) was deleted by us, in run 7f#2",
      "             Pod web/shop-2 (owned) was deleted",
      "             ConfigMap web/settings in east (related) was created (version 4714)",
      '             Deployment web/shop was updated: metadata.annotations set to {"web/checked":"yes"}, by us, in run 7f#2 (version 4720)',
      "             and 4 more causes that were not kept",
      "    did      PATCH …/deployments/shop/status 409: the object has been modified (30 ms)",
      "14:03:01.040  run 7f#4, 0.3 ms, waited 0 ms: again in 1m30s",
      "    because  retry 1: run 7f#3 had a conflict: the object has been modified",
      "             run 7f#1 requested another run after 30s",
      "             run 7f#0 of images for web/shop enqueued it: a new image",
      "             the program enqueued it",
      "    did      GET …/namespaces/other/secrets/key without a response: connection refused (0.3 ms)",
    ]);
  });

  it("prints the same from a tape that was exported and read again", async () => {
    const { tape, clock } = await scene();
    const runs = await readTape(exportTape(tape));
    const live = why(tape, { key: shopKey });
    expect(explain({ ...why(runs, { key: shopKey }), at: clock.now() })).toEqual(explain(live));
  });

  it("prints what the queue knows about the next run", async () => {
    const { tape, run } = tapeScene();
    const written = shop(8, { replicas: 4 });
    await run({ calls: [wrote(written)] });
    const report = (rest: Partial<KeyReport<typeof shopKey, Cause>>): string => {
      const inspector = {
        inspect: () => ({
          key: shopKey,
          state: "waiting" as const,
          priority: 0,
          ageMs: 0,
          nextRunInMs: 2500,
          attempts: 2,
          reason: "no quota",
          causes: [seen(updated(shop(7), written))],
          causeCount: 1,
          ...rest,
        }),
      };
      return explain(why(tape, { key: shopKey, controller: "web", inspector }))
        .filter((line) => !line.startsWith("14:"))
        .join("\n");
    };
    expect(report({})).toBe(
      [
        "web/shop in web ran once in the last 4 ms; it runs again in 2.5 s.",
        "    because  unknown cause",
        "    did      PUT …/deployments/shop 200 (3 ms)",
        "next: it runs again in 2.5 s; 2 retries so far; the last failure: no quota",
        "    because  Deployment web/shop was updated: spec.replicas 1 → 4, by us, in run 7f#1 (version 8)",
      ].join("\n"),
    );
    expect(report({ state: "parked" })).toContain("it is parked until its next event.");
    expect(report({ state: "running", again: "ready", nextRunInMs: 0 })).toContain("it is running and will run again.");
    expect(report({ state: "ready" })).toContain("it is about to run.");
    expect(report({ state: "idle" })).toContain("it is done for now.");
  });

  it("prints that there is no run, and the state in which the last run left the key", async () => {
    const { tape, run } = tapeScene();
    const head = (): string | undefined => explain(why(tape, { key: shopKey }))[0];
    expect(head()).toBe("web/shop has no run on the tape.");
    const results = [
      [{ type: "stop", reason: "no such class" }, "it has stopped until its next event"],
      [{ type: "retry", error: "x", isConflict: false, parked: true }, "it is parked"],
      [{ type: "retry", error: "x", isConflict: false, retryInMs: 500 }, "it failed and is retried in 499 ms"],
      [{ type: "abandoned", reason: "deadline" }, "it was abandoned in its last run"],
    ] as const;
    for (const [result, words] of results) {
      await run({ result });
      expect(head()).toContain(words);
    }
    tape.begin({ run: "7f#9", controller: "web", key: shopKey, causes: [], causeCount: 0, attempts: 0, waitedMs: 0 });
    expect(head()).toContain("it is running.");
    expect(explain(why(tape, { key: shopKey })).join("\n")).toMatch(/run 7f#9 of web, waited 0 ms: still running/);
  });

  it("prints the newest runs and the number of earlier ones, with the date of runs of another day", async () => {
    const { tape, run, clock } = tapeScene();
    for (let count = 0; count < 5; count++) await run();
    await clock.advance(24 * 3600 * 1000);
    expect(explain(why(tape, { key: shopKey, runsMax: 1 }))).toEqual([
      "web/shop ran 5 times; it is done.",
      "4 earlier runs are not shown.",
      "2026-01-01T14:03:00.004Z  run 7f#5 of web, 0 ms, waited 0 ms: done",
      "    because  unknown cause",
    ]);
  });

  it("prints that the fields of a reduced change are no longer known, and still that it was ours", async () => {
    const { tape, run } = tapeScene({ changesMax: 1 });
    const first = await run({ calls: [wrote(shop(2))] });
    await run({ causes: [seen(updated(shop(1), shop(2)))] });
    await run({ causes: [seen(updated(shop(2), shop(3)))] });
    const text = explain(why(tape, { key: shopKey })).join("\n");
    expect(text).toContain(`Deployment web/shop was updated (changed fields no longer known), by us, in run ${first} (version 2)`);
    expect(text).toContain("Deployment web/shop was updated in no relevant field (version 3)");
  });
});
