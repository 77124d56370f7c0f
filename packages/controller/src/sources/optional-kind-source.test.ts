import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { ConfigMap } from "@drover/api/core/v1";
import type { ScriptedApi } from "@drover/cache/testing";
import { statusResponse } from "@drover/client/testing";
import { newForbidden, objectKey } from "@drover/machinery";
import type { Kind, KubeObject, ResourceRow } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { KindSourceOptions } from "./kind-source.ts";
import { optionalKindSource } from "./optional-kind-source.ts";
import { sourceRig } from "./testing/source-rig.ts";
import type { SourceLife, SourceRig } from "./testing/source-rig.ts";

const row: ResourceRow = { group: "example.com", version: "v1", kind: "Widget", plural: "widgets", scope: "Namespaced" };
const Widget: Kind = {
  ...row,
  listKind: "WidgetList",
  singular: "widget",
  shortNames: [],
  categories: [],
  verbs: [],
  subresources: {},
  scope: "Namespaced",
};
const widget = (name: string): KubeObject => ({ metadata: { namespace: "shop", name } });

interface Stage extends SourceRig {
  readonly definitions: ScriptedApi;
  readonly life: SourceLife;
  /** Writes the definition; undefined deletes it. */
  readonly define: (state: { readonly served?: boolean; readonly established?: boolean } | undefined) => Promise<void>;
}

function stage(options: Partial<KindSourceOptions<KubeObject>> = {}): Stage {
  const rig = sourceRig();
  const definitions = rig.serve({ ...CustomResourceDefinition, scope: "Cluster" });
  const name = "widgets.example.com";
  return {
    ...rig,
    definitions,
    life: rig.watch(optionalKindSource(Widget, { cluster: rig.cluster, ...options })),
    define: async (state) => {
      if (state === undefined) definitions.remove(name);
      else {
        const { served = true, established = true } = state;
        const definition = {
          metadata: { name },
          spec: {
            versions: [
              { name: "v0", served: true },
              { name: "v1", served },
            ],
          },
          status: { conditions: [{ type: "Established", status: established ? "True" : "False" }] },
        };
        definitions.put(definition);
      }
      await rig.clock.advance(10);
    },
  };
}
const told = ({ causes }: SourceLife): readonly string[] =>
  causes.splice(0).map((cause) => (cause.type === "change" ? `${cause.change.type} ${cause.change.key}` : cause.type));

describe("optionalKindSource", () => {
  it("has synced immediately if the kind is absent, logs so once, and sends no request about it", async () => {
    const { life, start, runtime, clock, cluster } = stage();
    await start();
    expect([life.keys, life.state]).toEqual([[], { synced: 1, waitingFor: undefined }]);
    await clock.advance(600_000);
    expect([cluster.informers.state().map(({ name }) => name), runtime.log.entries.filter(({ level }) => level !== "debug")]).toEqual([
      ["customresourcedefinitions"],
      [
        {
          level: "info",
          message: "optional kind is not served, waiting for its definition",
          fields: { source: "Widget example.com", definition: "widgets.example.com" },
        },
      ],
    ]);
  });

  it("follows its definition: watches while it is established and serves the version, and not otherwise", async () => {
    const { life, start, define, serve, unserve, clock, cluster } = stage();
    await start();
    await define({ established: false });
    const watched = (): number => cluster.informers.state().length - 1;
    expect(watched()).toBe(0);
    const widgets = serve(row);
    widgets.put(widget("a"));
    await define({});
    await clock.advance(5000);
    expect([told(life), watched()]).toEqual([["added shop/a"], 1]);
    widgets.put(widget("b"));
    await clock.advance(10);
    expect(told(life)).toEqual(["added shop/b"]);
    await define({ served: false });
    expect([told(life), watched(), life.state.waitingFor]).toEqual([[], 0, undefined]);
    await define({});
    await clock.advance(5000);
    expect(told(life).toSorted()).toEqual(["added shop/a", "added shop/b"]);
    unserve(widgets);
    await define(undefined);
    await clock.advance(120_000);
    expect([watched(), life.state.waitingFor]).toEqual([0, undefined]);
  });

  it("waits for the first list if the kind exists at the start", async () => {
    const { life, start, define, serve, clock } = stage();
    serve(row).put(widget("a"));
    await define({});
    expect(life.state.synced).toBe(0);
    await start();
    await clock.advance(1000);
    expect([life.keys, life.state]).toEqual([["shop/a"], { synced: 1, waitingFor: undefined }]);
  });

  it("requests everything again if the definition was replaced, and reports objects of the old one as deleted", async () => {
    const { life, start, define, serve, unserve, clock, definitions } = stage();
    const old = serve(row);
    old.put(widget("a"));
    old.put(widget("b"));
    await start();
    await define({});
    await clock.advance(5000);
    expect(told(life)).toEqual(["added shop/a", "added shop/b"]);
    unserve(old);
    const young = serve(row);
    young.put(widget("b"));
    // Deleted and created again between two events: only the uid differs.
    definitions.unseen(() => {
      definitions.remove("widgets.example.com");
    });
    definitions.restart();
    await define({});
    await clock.advance(60_000);
    expect(told(life)).toEqual(["deleted shop/a", "deleted shop/b", "added shop/b"]);
  });

  it("does not report objects as deleted if only their version is no longer served", async () => {
    const { life, start, define, serve, clock } = stage();
    serve(row).put(widget("a"));
    await start();
    await define({});
    await clock.advance(5000);
    await define({ served: false });
    expect(told(life)).toEqual(["added shop/a"]);
  });

  it("isolates a handler that fails on an object deleted with its definition", async () => {
    const { life, start, define, serve, clock, runtime } = stage({
      predicates: [
        ({ type, key }) => {
          if (type === "deleted" && key === "shop/a") throw new Error("odd");
          return true;
        },
      ],
    });
    const widgets = serve(row);
    widgets.put(widget("a"));
    widgets.put(widget("b"));
    await start();
    await define({});
    await clock.advance(5000);
    await define(undefined);
    expect(told(life)).toEqual(["added shop/a", "added shop/b", "deleted shop/b"]);
    expect(runtime.log.entries.filter(({ level }) => level === "error")).toMatchObject([
      { fields: { source: "Widget example.com", key: "shop/a" } },
    ]);
  });

  it("reports missing permission to list definitions, and does not count as synced", async () => {
    const { life, start, clock, definitions } = stage();
    definitions.fault(
      () => statusResponse(newForbidden({ group: "apiextensions.k8s.io", resource: "customresourcedefinitions" }, "", "no")),
      { times: 1000 },
    );
    await start();
    await clock.advance(3000);
    expect([life.state.synced, life.state.waitingFor]).toEqual([
      0,
      expect.stringMatching(
        /^cannot tell whether widgets\.example\.com is served: .*403 Forbidden.*needs the verbs list and watch on customresourcedefinitions\.apiextensions\.k8s\.io/u,
      ),
    ]);
  });

  it("ends when stopped, with and without the kind, leaves nothing behind, and can be watched again", async () => {
    const { life, start, define, serve, clock, cluster, watch, end } = stage();
    await start();
    await life.stop();
    serve(row).put(widget("a"));
    await define({});
    const again = watch(optionalKindSource(Widget, { cluster }));
    await clock.advance(5000);
    expect([life.keys, again.keys, again.state.synced]).toEqual([[], ["shop/a"], 1]);
    await again.stop();
    await clock.advance(10);
    expect(cluster.informers.state()).toEqual([]);
    await end();
    expect(clock.pending).toEqual([]);
  });

  it("watches a built-in kind as usual, and declares the permissions it needs", async () => {
    const rig = sourceRig();
    rig.configMaps.put(widget("c"));
    const source = optionalKindSource(ConfigMap, { cluster: rig.cluster });
    const life = rig.watch(source);
    await rig.start();
    expect([life.keys, rig.cluster.informers.state().length, source.needs]).toEqual([
      [objectKey("c", "shop")],
      1,
      [{ group: "", resource: "configmaps", verbs: ["list", "watch"], cluster: "" }],
    ]);
    expect(optionalKindSource(Widget, { cluster: { ...rig.cluster, name: "far" }, request: { namespace: ["a", "b"] } }).needs).toEqual([
      { group: "example.com", resource: "widgets", verbs: ["list", "watch"], namespace: "a", cluster: "far" },
      { group: "example.com", resource: "widgets", verbs: ["list", "watch"], namespace: "b", cluster: "far" },
      { group: "apiextensions.k8s.io", resource: "customresourcedefinitions", verbs: ["list", "watch"], cluster: "far" },
    ]);
  });
});
