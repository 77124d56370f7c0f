import { StatefulSet } from "@drover/api/apps/v1";
import type { ControllerRevision } from "@drover/api/apps/v1";
import { newAlreadyExists, newConflict, newControllerRef, newNotFound, selectorFromSet } from "@drover/machinery";
import type { Status } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { syncedInformer } from "../testing/synced-informer.ts";
import { echoServer } from "../testing/echo-server.ts";
import type { EchoServer } from "../testing/echo-server.ts";
import { newControllerRevision } from "./controller-revision.ts";
import type { RevisionView } from "./controller-revision.ts";
import { revisionControl } from "./revision-control.ts";
import type { RevisionControl } from "./revision-control.ts";

const owner = { metadata: { name: "web", namespace: "shop", uid: "web-uid" } };
const data = { spec: { template: { $patch: "replace" } } };
const wanted = { labels: { app: "web" }, data, revision: 1 };
const nameAfter = (collisionCount: number): string =>
  newControllerRevision({ ...wanted, owner, ownerKind: StatefulSet, collisionCount }).metadata.name ?? "";
const resource = { group: "apps", resource: "controllerrevisions" };

interface Stage {
  readonly server: EchoServer;
  readonly control: RevisionControl;
}

async function stage({
  refuse,
  cached = [],
}: {
  readonly refuse?: (what: string, count: number) => Status | undefined;
  readonly cached?: readonly RevisionView[];
} = {}): Promise<Stage> {
  const server = echoServer(refuse);
  const { random } = testRuntime();
  return {
    server,
    control: revisionControl({
      owner,
      ownerKind: StatefulSet,
      client: server.client,
      revisions: await syncedInformer<ControllerRevision>(...cached),
      random,
      signal: new AbortController().signal,
    }),
  };
}

const kept = (
  name: string,
  {
    revision = 1,
    labels = { app: "web" },
    isOurs = true,
  }: { readonly revision?: number; readonly labels?: Readonly<Record<string, string>>; readonly isOurs?: boolean } = {},
): RevisionView => ({
  metadata: {
    name,
    namespace: "shop",
    uid: `${name}-uid`,
    labels,
    resourceVersion: "1",
    ...(isOurs ? { ownerReferences: [newControllerRef(owner, StatefulSet)] } : {}),
  },
  data,
  revision,
});

describe("RevisionControl.claim", () => {
  it("returns revisions that the selector matches, oldest first, and adopts orphans", async () => {
    const { server, control } = await stage({
      cached: [kept("b", { revision: 2 }), kept("orphan", { isOurs: false }), kept("other", { labels: { app: "db" }, isOurs: false })],
    });
    server.objects.set("statefulsets/web", owner);
    server.objects.set("controllerrevisions/orphan", kept("orphan", { isOurs: false }));
    const history = await control.claim(selectorFromSet({ app: "web" }));
    expect(history.map(({ revision }) => revision)).toEqual([1, 2]);
    expect(server.requests()).toEqual(["GET statefulsets/web", "PATCH controllerrevisions/orphan"]);
  });

  it("releases revisions that no longer match, or leaves them alone on request", async () => {
    const cached = [kept("lost", { labels: { app: "db" } })];
    const [frees, leaves] = [await stage({ cached }), await stage({ cached })];
    expect(await frees.control.claim(selectorFromSet({ app: "web" }))).toEqual([]);
    expect(frees.server.requests()).toEqual(["PATCH controllerrevisions/lost"]);
    expect(await leaves.control.claim(selectorFromSet({ app: "web" }), { releases: false })).toEqual([]);
    expect(leaves.server.requests()).toEqual([]);
  });
});

describe("RevisionControl.create", () => {
  it("returns an existing revision with equal data", async () => {
    const { server, control } = await stage({
      refuse: (what) => (what.startsWith("POST") ? newAlreadyExists(resource, "web") : undefined),
    });
    server.objects.set(`controllerrevisions/${nameAfter(0)}`, kept(nameAfter(0), { revision: 7 }));
    expect(await control.create(wanted)).toMatchObject({ collisionCount: 0, revision: { revision: 7 } });
  });

  it("tries another name for each collision and counts them", async () => {
    const { server, control } = await stage({
      refuse: (what, count) => (what.startsWith("POST") && count < 4 ? newAlreadyExists(resource, "web") : undefined),
    });
    for (const count of [1, 2]) server.objects.set(`controllerrevisions/${nameAfter(count)}`, { ...kept(nameAfter(count)), data: {} });
    const { revision, collisionCount } = await control.create({ ...wanted, collisionCount: 1 });
    expect(collisionCount).toBe(3);
    expect(revision.metadata.name).toBe(nameAfter(3));
    expect(server.asked.at(-1)?.body.metadata.labels).toEqual({
      app: "web",
      "controller.kubernetes.io/hash": nameAfter(3).replace("web-", ""),
    });
  });

  it("rejects with the server's error", async () => {
    const { control } = await stage({ refuse: () => newNotFound({ group: "", resource: "namespaces" }, "shop") });
    await expect(control.create(wanted)).rejects.toThrow("not found");
  });
});

describe("RevisionControl.renumber", () => {
  it("writes a changed number", async () => {
    const { server, control } = await stage();
    expect(await control.renumber(kept("a"), 1)).toMatchObject({ revision: 1 });
    expect(server.requests()).toEqual([]);
    expect(await control.renumber(kept("a"), 5)).toMatchObject({ revision: 5 });
    expect(server.requests()).toEqual(["PUT controllerrevisions/a"]);
  });

  it("retries a conflict on the server's object, and writes nothing when it already has the number", async () => {
    const { server, control } = await stage({
      refuse: (what, count) => (what.startsWith("PUT") && count === 1 ? newConflict(resource, "a", "changed") : undefined),
    });
    server.objects.set("controllerrevisions/a", { ...kept("a"), metadata: { ...kept("a").metadata, resourceVersion: "9" } });
    const renumbered = control.renumber(kept("a"), 5);
    await server.clock.advance(1000);
    await renumbered;
    expect(server.requests()).toEqual(["PUT controllerrevisions/a", "GET controllerrevisions/a", "PUT controllerrevisions/a"]);
    expect(server.asked.at(-1)?.body).toMatchObject({ revision: 5, metadata: { resourceVersion: "9" } });

    const again = await stage({ refuse: (what) => (what.startsWith("PUT") ? newConflict(resource, "a", "changed") : undefined) });
    again.server.objects.set("controllerrevisions/a", kept("a", { revision: 5 }));
    const same = again.control.renumber(kept("a"), 5);
    await again.server.clock.advance(1000);
    expect(await same).toMatchObject({ revision: 5 });
  });
});

describe("RevisionControl.remove", () => {
  it("ignores a revision that is gone, and rejects with any other error", async () => {
    await expect((await stage({ refuse: () => newNotFound(resource, "a") })).control.remove(kept("a"))).resolves.toBeUndefined();
    await expect((await stage({ refuse: () => newConflict(resource, "a", "no") })).control.remove(kept("a"))).rejects.toThrow("no");
  });
});
