/** Sources and the builder on an API server: `for`, `owns`, `watches`, and kinds that appear and disappear. */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { Deployment, ReplicaSet } from "@drover/api/apps/v1";
import { ConfigMap, Namespace } from "@drover/api/core/v1";
import type { NodeTransport } from "@drover/client";
import { isNotFound, newControllerRef, objectKey, poll } from "@drover/machinery";
import type { Kind } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import { nodeRuntime } from "drover";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { controllerBuilder } from "../../packages/controller/src/builder/controller-builder.ts";
import { createCluster } from "@drover/cache";
import type { Cluster } from "@drover/cache";
import type { Controller } from "../../packages/controller/src/reconcile/controller.ts";
import type { ReconcileContext } from "../../packages/controller/src/reconcile/reconciler.ts";
import { done } from "../../packages/controller/src/reconcile/result.ts";
import { definition, objectSchema, version } from "../apiserver/custom-definitions.ts";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const runtime = nodeRuntime();
const namespace = "sourced";
const group = "sources.ex.io";
const Widget: Kind = {
  group,
  version: "v1",
  kind: "Widget",
  listKind: "WidgetList",
  plural: "widgets",
  singular: "widget",
  shortNames: [],
  categories: [],
  scope: "Namespaced",
  verbs: [],
  subresources: {},
};
const widgetDefinition = definition("widgets", "Widget", [version("v1", objectSchema({}))], {
  group,
}) as unknown as CustomResourceDefinition;

const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "web" }] } };
const selector = { matchLabels: { app: "web" } };

// On a server of its own: it counts events of all namespaces.
describeOnServers("sources of a controller", ({ missing, startOwn }) => {
  const log = recordingLog(runtime.clock);
  const stop = new AbortController();
  const ends: Promise<unknown>[] = [];
  let server: SuiteServer | undefined;
  let transport: NodeTransport;
  let cluster: Cluster;

  beforeAll(async () => {
    if (missing !== undefined) return;
    server = await startOwn();
    transport = server.transport({ clock: runtime.clock, log });
    cluster = createCluster({ transport, runtime: { ...runtime, log }, namespace });
    await cluster.client.create(Namespace, { metadata: { name: namespace } });
    ends.push(cluster.run(stop.signal));
  }, 90_000);
  afterAll(async () => {
    if (server === undefined) return;
    stop.abort();
    await Promise.all(ends);
    transport.close();
    await server.stop();
  }, 30_000);
  beforeEach((ctx) => {
    if (server === undefined) ctx.skip(missing);
  });

  /** Why keys were reconciled: "shop/web: Deployment added". */
  function account(): {
    readonly lines: readonly string[];
    readonly note: (context: ReconcileContext) => typeof done;
    readonly told: (line: string) => Promise<void>;
  } {
    const lines: string[] = [];
    return {
      lines,
      note: ({ key, causes }) => {
        for (const cause of causes)
          lines.push(`${key}: ${cause.type === "change" ? `${cause.kind.kind} ${cause.change.type}` : cause.type}`);
        return done;
      },
      told: (line) =>
        poll(runtime.clock, { interval: 10, timeout: 30_000, immediate: true }, () => lines.includes(line)).catch((error: unknown) => {
          throw new Error(`${line} was not told; ${JSON.stringify(lines)} were`, { cause: error });
        }),
    };
  }
  function run(controller: Controller): void {
    ends.push(controller.run(stop.signal));
  }
  const gone = (kind: Kind, name: string): Promise<void> =>
    poll(runtime.clock, { interval: 50, timeout: 30_000, immediate: true }, async () => {
      try {
        await cluster.client.get(kind, name);
        return false;
      } catch (error) {
        if (isNotFound(error)) return true;
        throw error;
      }
    });

  it(
    "for, owns and watches: changes of a Deployment, of its ReplicaSets and of objects it refers to enqueue it",
    { timeout: 60_000 },
    async () => {
      const { lines, note, told } = account();
      const { client } = cluster;
      run(
        controllerBuilder({ cluster })
          .for(Deployment)
          .owns(ReplicaSet)
          .watches(
            ConfigMap,
            ({ metadata: { annotations } }) => (annotations?.["for"] === undefined ? [] : [objectKey(annotations["for"], namespace)]),
            { projection: "metadata", request: { namespace } },
          )
          .reconcile(note),
      );
      const web = await client.create(Deployment, { metadata: { name: "web" }, spec: { selector, template } });
      await told(`${namespace}/web: Deployment added`);
      const owned = await client.create(ReplicaSet, {
        metadata: { name: "web-1", ownerReferences: [newControllerRef(web, Deployment)] },
        spec: { selector, template },
      });
      await told(`${namespace}/web: ReplicaSet added`);
      await client.update(ReplicaSet, { ...owned, spec: { selector, template, replicas: 2 } });
      await told(`${namespace}/web: ReplicaSet updated`);
      await client.delete(ReplicaSet, "web-1");
      await told(`${namespace}/web: ReplicaSet deleted`);
      await client.create(ConfigMap, { metadata: { name: "settings", annotations: { for: "web" } } });
      await told(`${namespace}/web: ConfigMap added`);
      await client.create(ReplicaSet, { metadata: { name: "stranger" }, spec: { selector, template } });
      await client.delete(Deployment, "web");
      await told(`${namespace}/web: Deployment deleted`);
      expect(lines.filter((line) => !line.startsWith(`${namespace}/web:`))).toEqual([]);
    },
  );

  it("reconcileObject receives the cached object, and the cause names its writer", { timeout: 60_000 }, async () => {
    const seen: string[] = [];
    run(
      controllerBuilder({ cluster, name: "objects" })
        .for(ConfigMap, { request: { labelSelector: "seen" } })
        .reconcileObject(({ data, metadata }) => {
          seen.push(`${metadata.name}: ${data?.["text"]} by ${metadata.managedFields?.map(({ manager }) => manager).join()}`);
          return done;
        }),
    );
    await cluster.client.create(
      ConfigMap,
      { metadata: { name: "object", labels: { seen: "" } }, data: { text: "hello" } },
      { fieldManager: "somebody" },
    );
    await poll(runtime.clock, { interval: 10, timeout: 30_000 }, () => seen.length > 0);
    expect(seen).toEqual(["object: hello by somebody"]);
  });

  it("trap 24: a controller of a kind that is not served does not start, and the error names it", { timeout: 60_000 }, async () => {
    const controller = controllerBuilder({ cluster, name: "missing" })
      .for({ ...Widget, plural: "missings", kind: "Missing" })
      .options({ syncTimeoutMs: 1500 })
      .reconcile(() => done);
    await expect(controller.run(stop.signal)).rejects.toThrow(
      /Missing sources\.ex\.io.*404.*does not serve missings\.sources\.ex\.io in version v1; is its CustomResourceDefinition installed\?/su,
    );
  });

  it("an optional kind is followed as its definition is created, deleted and re-created (§9.31)", { timeout: 120_000 }, async () => {
    const { lines, note, told } = account();
    const { client } = cluster;
    const controller = controllerBuilder({ cluster, name: "optional" })
      .watches(Widget, ({ metadata: { name = "" } }) => [objectKey(name)], { optional: true })
      .reconcile(note);
    run(controller);
    await poll(runtime.clock, { interval: 10, timeout: 30_000, immediate: true }, () => controller.state().phase === "running");
    const createWidget = (name: string): Promise<void> =>
      poll(runtime.clock, { interval: 50, timeout: 30_000, immediate: true }, async () => {
        try {
          await client.create(Widget, { apiVersion: `${group}/v1`, kind: "Widget", metadata: { name } });
          return true;
        } catch (error) {
          // The definition was established a moment ago, and not every server serves it yet.
          if (isNotFound(error)) return false;
          throw error;
        }
      });
    await client.create(CustomResourceDefinition, widgetDefinition);
    await createWidget("first");
    await told("first: Widget added");
    await client.delete(CustomResourceDefinition, `widgets.${group}`);
    await gone(CustomResourceDefinition, `widgets.${group}`);
    await told("first: Widget deleted");
    await client.create(CustomResourceDefinition, widgetDefinition);
    await createWidget("second");
    await told("second: Widget added");
    expect(lines.filter((line) => line.startsWith("first: Widget added"))).toHaveLength(1);
    await client.delete(CustomResourceDefinition, `widgets.${group}`);
    await gone(CustomResourceDefinition, `widgets.${group}`);
    await told("second: Widget deleted");
    expect(controller.state().watches).toMatchObject([{ isSynced: true }]);
  });
});
