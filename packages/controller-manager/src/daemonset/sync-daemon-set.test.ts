import { DaemonSet } from "@drover/api/apps/v1";
import type { ControllerRevision } from "@drover/api/apps/v1";
import type { Node, Pod } from "@drover/api/core/v1";
import { newAlreadyExists, newControllerRef, newForbidden, objectKey } from "@drover/machinery";
import type { Status } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { ClaimError, Expectations } from "@drover/patterns";
import { describe, expect, it } from "vitest";
import type { RevisionView } from "../history/controller-revision.ts";
import type { PodView } from "../shared/pod-state.ts";
import { daemonPod, daemonSet } from "../testing/daemon-set-objects.ts";
import type { DaemonSetParts } from "../testing/daemon-set-objects.ts";
import { syncedInformer } from "../testing/synced-informer.ts";
import { echoServer } from "../testing/echo-server.ts";
import type { Asked } from "../testing/echo-server.ts";
import { node } from "../testing/node-objects.ts";
import { recordingEvents } from "../testing/recording-events.ts";
import { pod } from "../testing/workload-objects.ts";
import type { DaemonSetView } from "./daemon-set-view.ts";
import { FailedPodBackoff } from "./failed-pod-backoff.ts";
import { syncDaemonSet } from "./sync-daemon-set.ts";

const key = objectKey("web", "shop");
const revision = (name: string, image: string, number: number): RevisionView => ({
  metadata: {
    name,
    namespace: "shop",
    uid: `${name}-uid`,
    resourceVersion: "1",
    labels: { app: "web", "controller-revision-hash": name },
    ownerReferences: [newControllerRef(daemonSet(), DaemonSet)],
  },
  data: { spec: { template: { ...daemonSet({ image }).spec?.template, $patch: "replace" } } },
  revision: number,
});
/** The template as it is by default. */
const present = revision("new", "web:1", 2);

interface Scene {
  readonly nodes?: readonly string[];
  readonly pods?: readonly PodView[];
  readonly revisions?: readonly RevisionView[];
  readonly refuse?: (what: string, count: number) => Status | undefined;
  readonly expect?: (expectations: Expectations) => void;
  /** What else the server has: "controllerrevisions/web-x". */
  readonly live?: Readonly<Record<string, unknown>>;
}

interface Synced {
  readonly requests: readonly string[];
  readonly result: unknown;
  readonly asked: readonly Asked[];
  readonly told: readonly string[];
  readonly expectations: Expectations;
}

async function synced(
  set: DaemonSetView | undefined,
  { nodes = ["n1", "n2"], pods = [], revisions = [present], refuse, expect: expectIt = () => undefined, live = {} }: Scene = {},
): Promise<Synced> {
  const server = echoServer(refuse);
  const events = recordingEvents();
  const expectations = new Expectations(server);
  expectIt(expectations);
  server.objects.set("daemonsets/web", set);
  for (const one of pods) server.objects.set(`pods/${one.metadata.name}`, one);
  for (const [place, object] of Object.entries(live)) server.objects.set(place, object);
  const { clock } = server;
  const result = await syncDaemonSet(
    { key, client: server.client, signal: new AbortController().signal },
    {
      daemonSets: await syncedInformer<DaemonSet>(...(set === undefined ? [] : [set])),
      nodes: await syncedInformer<Node>(...nodes.map((name) => node({ name }))),
      pods: await syncedInformer<Pod>(...pods),
      revisions: await syncedInformer<ControllerRevision>(...revisions),
      expectations,
      backoff: new FailedPodBackoff({ clock }),
      events,
      clock,
      random: testRuntime().random,
      burst: 250,
      expectationsMs: 300_000,
    },
  ).catch((error: unknown) => error);
  return { requests: server.requests(), result, asked: server.asked, told: events.told, expectations };
}

const done = { type: "done" };
const status = "PUT daemonsets/web/status";
const both = (parts: Parameters<typeof daemonPod>[0] = {}): readonly PodView[] => ["n1", "n2"].map((on) => daemonPod({ on, ...parts }));
const forbidden = newForbidden({ group: "", resource: "pods" }, "", "no");

describe("syncDaemonSet", () => {
  it("forgets expectations of a DaemonSet that is gone", async () => {
    const { requests, result, expectations } = await synced(undefined, { expect: (each) => each.expectCreations(key, 2) });
    expect([requests, result, expectations.satisfied(key)]).toEqual([[], done, true]);
  });

  it("creates a pod for each node without one, then writes the status as observed", async () => {
    const { requests, result, asked } = await synced(daemonSet(), { pods: [daemonPod()], nodes: ["n1", "n2", "n3"] });
    expect([requests, result]).toEqual([["POST pods", "POST pods", status], done]);
    expect(asked.at(-1)?.body).toMatchObject({
      status: {
        desiredNumberScheduled: 3,
        currentNumberScheduled: 1,
        updatedNumberScheduled: 1,
        numberUnavailable: 3,
        observedGeneration: 1,
      },
    });
  });

  it("writes only the status without nodes", async () => {
    expect((await synced(daemonSet(), { nodes: [] })).requests).toEqual([status]);
  });

  it("sends no request when everything is as desired", async () => {
    const counts = {
      currentNumberScheduled: 2,
      desiredNumberScheduled: 2,
      numberReady: 2,
      numberAvailable: 2,
      updatedNumberScheduled: 2,
      observedGeneration: 1,
    };
    expect(await synced(daemonSet({ status: counts }), { pods: both({ readyFor: 9 }) })).toMatchObject({ requests: [], result: done });
  });

  it("writes the status without observedGeneration while expectations are unmet, and requeues for their expiry", async () => {
    const { requests, result, asked } = await synced(daemonSet({ generation: 2, status: { observedGeneration: 1 } }), {
      expect: (each) => each.expectCreations(key, 2),
    });
    expect([requests, result]).toEqual([[status], { type: "after", afterMs: 300_001 }]);
    expect(asked[0]?.body).toMatchObject({ status: { observedGeneration: 1 } });
  });

  it("writes the status when no pod could be created, then retries", async () => {
    const { requests, result } = await synced(daemonSet(), { refuse: (what) => (what === "POST pods" ? forbidden : undefined) });
    expect(requests).toEqual(["POST pods", status]);
    expect(result).toMatchObject({ type: "retry" });
  });

  it("replaces old pods only when every node has its pods", async () => {
    const revisions = [revision("old", "web:0", 1), present];
    expect((await synced(daemonSet(), { revisions, pods: both({ hash: "old", readyFor: 9 }) })).requests).toEqual([
      "DELETE pods/n1-old",
      status,
    ]);
    expect((await synced(daemonSet(), { revisions, pods: [daemonPod({ hash: "old", readyFor: 9 })] })).requests).toEqual([
      "POST pods",
      status,
    ]);
  });

  it("deletes old revisions beyond the limit, unless an earlier step failed", async () => {
    const revisions = [revision("a", "web:a", 1), revision("b", "web:b", 2), revision("new", "web:1", 3)];
    expect((await synced(daemonSet({ historyLimit: 1 }), { revisions, pods: both({ readyFor: 9 }) })).requests).toEqual([
      "DELETE controllerrevisions/a",
      status,
    ]);
    expect(
      (await synced(daemonSet({ historyLimit: 1 }), { revisions, refuse: (what) => (what === "POST pods" ? forbidden : undefined) }))
        .requests,
    ).toEqual(["POST pods", status]);
    expect(
      await synced(daemonSet({ historyLimit: 1 }), {
        revisions,
        pods: both({ readyFor: 9 }),
        refuse: (what) => (what.startsWith("DELETE") ? forbidden : undefined),
      }),
    ).toMatchObject({ requests: ["DELETE controllerrevisions/a", status], result: { type: "retry" } });
  });

  it("adopts a matching pod and releases one that no longer matches", async () => {
    const orphan = {
      ...daemonPod({ name: "orphan" }),
      metadata: { ...pod({ name: "orphan" }).metadata, labels: { app: "web", "controller-revision-hash": "new" } },
    };
    const { requests } = await synced(daemonSet(), { nodes: ["n1"], pods: [orphan, daemonPod({ name: "lost", labels: { app: "x" } })] });
    expect(requests).toEqual(["PATCH pods/lost", "GET daemonsets/web", "PATCH pods/orphan", status]);
  });

  it("retries a failed adoption and creates nothing", async () => {
    const { requests, result } = await synced(daemonSet(), {
      pods: [pod({ name: "orphan" })],
      refuse: (what) => (what.startsWith("PATCH") ? forbidden : undefined),
    });
    expect(requests).toEqual(["GET daemonsets/web", "PATCH pods/orphan"]);
    expect(result).toBeInstanceOf(ClaimError);
  });

  it("leaves everything alone for a DaemonSet that is being deleted", async () => {
    expect(await synced(daemonSet({ isDeleting: true }), { pods: [pod({ name: "orphan" })], revisions: [] })).toMatchObject({
      requests: [],
      result: done,
    });
  });

  it("records an event for an empty selector and does nothing", async () => {
    const { requests, told } = await synced(
      { ...daemonSet(), spec: { ...daemonSet().spec, selector: {}, template: {} } },
      { revisions: [] },
    );
    expect([requests, told]).toEqual([
      [],
      ["Warning SelectingAll This daemon set is selecting all pods. A non-empty selector is required."],
    ]);
  });

  it("stops at an invalid selector", async () => {
    const broken = {
      ...daemonSet(),
      spec: { selector: { matchExpressions: [{ key: "a", operator: "In" as const, values: [] }] }, template: {} },
    };
    expect((await synced(broken)).result).toMatchObject({
      type: "stop",
      reason: expect.stringContaining("error converting pod selector to selector for ds shop/web") as string,
    });
  });

  it("requeues for when the first ready pod becomes available, or a failed one may be deleted", async () => {
    const waiting: DaemonSetParts = { minReadySeconds: 30 };
    expect(
      (await synced(daemonSet(waiting), { pods: [daemonPod({ readyFor: 20 }), daemonPod({ on: "n2", readyFor: 5 })] })).result,
    ).toEqual({ type: "after", afterMs: 10_000 });
    const failed = [daemonPod({ name: "a", phase: "Failed" }), daemonPod({ name: "b", phase: "Failed" })];
    expect(await synced(daemonSet(), { nodes: ["n1"], pods: failed })).toMatchObject({
      requests: ["DELETE pods/a", status],
      result: { type: "after", afterMs: 1000 },
    });
  });

  it("requeues for when a second pod on a node becomes available, though the status does not count it", async () => {
    const pods = [daemonPod({ hash: "old", readyFor: 60, createdAgo: 60 }), daemonPod({ readyFor: 10, createdAgo: 10 })];
    expect(
      (
        await synced(daemonSet({ minReadySeconds: 30, surge: 1, unavailable: 0 }), {
          nodes: ["n1"],
          pods,
          revisions: [revision("old", "web:0", 1), present],
        })
      ).result,
    ).toEqual({ type: "after", afterMs: 20_000 });
  });

  it("writes the collision count of revision names", async () => {
    const {
      asked: [first],
    } = await synced(daemonSet(), { nodes: [], revisions: [] });
    const taken = { [`controllerrevisions/${first?.body.metadata.name}`]: revision("x", "web:9", 1) };
    const { asked } = await synced(daemonSet(), {
      nodes: [],
      revisions: [],
      live: taken,
      refuse: (what, count) =>
        what === "POST controllerrevisions" && count === 1
          ? newAlreadyExists({ group: "apps", resource: "controllerrevisions" }, "web")
          : undefined,
    });
    expect(asked.at(-1)).toMatchObject({ what: status, body: { status: { collisionCount: 1 } } });
  });
});
