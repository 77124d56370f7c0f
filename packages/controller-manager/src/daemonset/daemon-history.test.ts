import { DaemonSet } from "@drover/api/apps/v1";
import type { ControllerRevision } from "@drover/api/apps/v1";
import { newAlreadyExists, newControllerRef, selectorFromSet } from "@drover/machinery";
import type { Status } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import type { RevisionView } from "../history/controller-revision.ts";
import { revisionControl } from "../history/revision-control.ts";
import type { PodView } from "../shared/pod-state.ts";
import { daemonPod, daemonSet } from "../testing/daemon-set-objects.ts";
import type { DaemonSetParts } from "../testing/daemon-set-objects.ts";
import { syncedInformer } from "../testing/synced-informer.ts";
import { echoServer } from "../testing/echo-server.ts";
import type { EchoServer } from "../testing/echo-server.ts";
import { readHistory, surplusRevisions } from "./daemon-history.ts";
import type { DaemonHistory } from "./daemon-history.ts";

/** The revision of a template with this image; its hash is its name. */
const kept = (
  name: string,
  image: string,
  revision: number,
  labels: Readonly<Record<string, string>> = { app: "web", "controller-revision-hash": name },
): RevisionView => ({
  metadata: {
    name,
    namespace: "shop",
    uid: `${name}-uid`,
    resourceVersion: "1",
    labels,
    ownerReferences: [newControllerRef(daemonSet(), DaemonSet)],
  },
  data: { spec: { template: { ...daemonSet({ image }).spec?.template, $patch: "replace" } } },
  revision,
});

interface Ground {
  readonly revisions?: readonly RevisionView[];
  readonly pods?: readonly PodView[];
  readonly set?: DaemonSetParts;
  readonly refuse?: (what: string, count: number) => Status | undefined;
  readonly live?: Readonly<Record<string, unknown>>;
}

async function history({
  revisions = [],
  pods = [],
  set = {},
  refuse,
  live = {},
}: Ground): Promise<{ readonly server: EchoServer; readonly found: DaemonHistory }> {
  const server = echoServer(refuse);
  for (const [place, object] of Object.entries(live)) server.objects.set(place, object);
  for (const pod of pods) server.objects.set(`pods/${pod.metadata.name}`, pod);
  const control = revisionControl({
    owner: daemonSet(set),
    ownerKind: DaemonSet,
    client: server.client,
    revisions: await syncedInformer<ControllerRevision>(...revisions),
    random: testRuntime().random,
    signal: new AbortController().signal,
  });
  return {
    server,
    found: await readHistory(daemonSet(set), { client: server.client, control, selector: selectorFromSet({ app: "web" }), pods }),
  };
}

const old = (names: readonly RevisionView[]): readonly (string | undefined)[] => names.map(({ metadata }) => metadata.name);

describe("readHistory", () => {
  it("creates the first revision with the whole template and the annotations", async () => {
    const { server, found } = await history({ set: { annotations: { note: "x" } } });
    expect(server.requests()).toEqual(["POST controllerrevisions"]);
    expect(server.asked[0]?.body).toMatchObject({
      revision: 1,
      metadata: { name: `web-${found.hash}`, annotations: { note: "x" }, labels: { app: "web", "controller-revision-hash": found.hash } },
      data: { spec: { template: { $patch: "replace", spec: { containers: [{ image: "web:1" }] } } } },
    });
    expect(found).toMatchObject({ old: [] });
    expect("collisionCount" in found).toBe(false);
  });

  it("increments the revision number when the template changes", async () => {
    const { server, found } = await history({ revisions: [kept("a", "web:0", 4), kept("b", "web:00", 2)] });
    expect(server.asked[0]?.body).toMatchObject({ revision: 5 });
    expect(old(found.old)).toEqual(["b", "a"]);
  });

  it("writes nothing when the newest revision has the template", async () => {
    const { server, found } = await history({ revisions: [kept("a", "web:0", 1), kept("b", "web:1", 2)] });
    expect([server.requests(), found.hash, old(found.old)]).toEqual([[], "b", ["a"]]);
  });

  it("renumbers the revision of an earlier template as the newest", async () => {
    const { server, found } = await history({ revisions: [kept("a", "web:1", 1), kept("b", "web:2", 2)] });
    expect(server.requests()).toEqual(["PUT controllerrevisions/a"]);
    expect(server.asked[0]?.body).toMatchObject({ revision: 3 });
    expect(found.hash).toBe("a");
  });

  it("merges equal revisions and relabels only their pods", async () => {
    const pods = [daemonPod({ hash: "b" }), daemonPod({ on: "n2", hash: "c" }), daemonPod({ on: "n3", hash: "a" })];
    const { server, found } = await history({ revisions: [kept("a", "web:0", 1), kept("b", "web:1", 2), kept("c", "web:1", 3)], pods });
    expect(server.requests()).toEqual(["PATCH pods/n1-b", "DELETE controllerrevisions/b"]);
    expect(found.hash).toBe("c");
    expect(found.pods.map(({ metadata }) => metadata.labels?.["controller-revision-hash"])).toEqual(["c", "c", "a"]);
  });

  it("labels a revision that lacks the pod label with its own name", async () => {
    const { server, found } = await history({ revisions: [kept("a", "web:1", 1, { app: "web" })] });
    expect(server.requests()).toEqual(["PUT controllerrevisions/a"]);
    expect(found.hash).toBe("a");
  });

  it("chooses another name after a collision and counts collisions", async () => {
    const names: string[] = [];
    const refuse = (what: string, count: number): Status | undefined =>
      what === "POST controllerrevisions" && count === 1
        ? newAlreadyExists({ group: "apps", resource: "controllerrevisions" }, "web")
        : undefined;
    const first = await history({});
    names.push(`controllerrevisions/web-${first.found.hash}`);
    const { server, found } = await history({ refuse, live: { [names[0] ?? ""]: kept("x", "web:9", 1) } });
    expect(server.requests()).toEqual(["POST controllerrevisions", `GET ${names[0]}`, "POST controllerrevisions"]);
    expect(found.collisionCount).toBe(1);
    expect(found.hash).not.toBe(first.found.hash);
  });
});

describe("surplusRevisions", () => {
  const three = ["a", "b", "c"].map((name, index) => kept(name, `web:${index}`, index));
  const surplus = (historyLimit: number, ...hashes: readonly string[]): readonly (string | undefined)[] =>
    old(
      surplusRevisions(
        daemonSet({ historyLimit }),
        { old: three },
        hashes.map((hash) => daemonPod({ hash })),
      ),
    );

  it("returns the oldest revisions beyond the limit", () => {
    expect([surplus(3), surplus(2), surplus(0)]).toEqual([[], ["a"], ["a", "b", "c"]]);
  });

  it("keeps revisions that pods still use", () => {
    expect(surplus(1, "a")).toEqual(["b", "c"]);
    expect(surplus(0, "a", "b", "c")).toEqual([]);
  });
});
