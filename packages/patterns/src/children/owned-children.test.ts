import { ConfigMap } from "@drover/api/core/v1";
import { createInformer, listWatcher } from "@drover/cache";
import type { Informer } from "@drover/cache";
import { ScriptedApi } from "@drover/cache/testing";
import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { afterEach, describe, expect, it } from "vitest";
import { addOwnerIndex, ownedChildren, ownerIndex } from "./owned-children.ts";

const owner = { metadata: { name: "web", namespace: "shop", uid: "u1" } };
const node = { metadata: { name: "n1", uid: "u8" } };

/** ConfigMaps by namespace/name, and the uid of their controller. */
const objects: Readonly<Record<string, string | undefined>> = {
  "shop/a": "u1",
  "shop/b": "u1",
  "shop/theirs": "u2",
  "shop/orphan": undefined,
  "other/orphan": undefined,
  "other/a": "u1",
  "shop/n": "u8",
  "other/n": "u8",
};

interface Stage {
  readonly api: ScriptedApi;
  readonly runtime: TestRuntime;
  readonly informer: Informer<ConfigMap>;
}

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function stage(): Promise<Stage> {
  const runtime = testRuntime();
  const api = new ScriptedApi({ clock: runtime.clock, random: runtime.random });
  for (const [key, uid] of Object.entries(objects)) put(api, key, uid);
  const informer = createInformer({ source: listWatcher({ transport: api.transport, clock: runtime.clock, kind: ConfigMap }), runtime });
  const stop = new AbortController();
  const running = informer.run(stop.signal);
  ends.push(async () => {
    stop.abort();
    await runtime.clock.runUntil(() => true);
    await running;
  });
  await runtime.clock.runUntil(() => informer.hasSynced);
  return { api, runtime, informer };
}

function put(api: ScriptedApi, key: string, controllerUid?: string): void {
  const [namespace = "", name = ""] = key.split("/");
  const references =
    controllerUid === undefined
      ? [{ apiVersion: "v1", kind: "Node", name: "n9", uid: "plain" }]
      : [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: controllerUid, controller: true }];
  api.put({ metadata: { namespace, name, ownerReferences: references } });
}

const keys = (
  found: readonly { readonly metadata: { readonly namespace?: string | undefined; readonly name?: string | undefined } }[],
): string[] => found.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).toSorted();

describe("ownedChildren", () => {
  it("returns children with the owner's uid in its namespace, and orphans of the namespace on request (row C013)", async () => {
    const { informer } = await stage();
    addOwnerIndex(informer);
    expect(keys(ownedChildren(informer, owner))).toEqual(["shop/a", "shop/b"]);
    expect(keys(ownedChildren(informer, owner, { orphans: true }))).toEqual(["shop/a", "shop/b", "shop/orphan"]);
    expect(ownedChildren(informer, { metadata: { ...owner.metadata, uid: "new" } })).toEqual([]);
  });

  it("returns children and orphans of all namespaces for a cluster-scoped owner", async () => {
    const { informer } = await stage();
    addOwnerIndex(informer);
    expect(keys(ownedChildren(informer, node))).toEqual(["other/n", "shop/n"]);
    expect(keys(ownedChildren(informer, node, { orphans: true }))).toEqual(["other/n", "other/orphan", "shop/n", "shop/orphan"]);
  });

  it("follows changes of owner references", async () => {
    const { api, runtime, informer } = await stage();
    addOwnerIndex(informer);
    put(api, "shop/orphan", "u1");
    put(api, "shop/a");
    await runtime.clock.settle();
    expect(keys(ownedChildren(informer, owner))).toEqual(["shop/b", "shop/orphan"]);
    expect(keys(ownedChildren(informer, owner, { orphans: true }))).toEqual(["shop/a", "shop/b", "shop/orphan"]);
  });

  it("throws for an owner without a uid, and without the index", async () => {
    const { informer } = await stage();
    expect(() => ownedChildren(informer, owner)).toThrow(ownerIndex);
    addOwnerIndex(informer);
    addOwnerIndex(informer);
    expect(() => ownedChildren(informer, { metadata: { name: "web" } })).toThrow("children of web: the owner has no metadata.uid");
  });
});
