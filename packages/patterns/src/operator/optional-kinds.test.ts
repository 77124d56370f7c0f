/** Kinds that a cluster may not serve: an operator starts without them, uses them once they are installed, and survives their removal. */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { ConfigMap } from "@drover/api/core/v1";
import type { Kind, KubeObject } from "@drover/machinery";
import { createOperator, defineResource, once } from "../index.ts";
import type { Operator } from "../index.ts";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { operatorScene } from "./operator-scene.ts";
import type { OperatorScene, SceneOptions } from "./operator-scene.ts";
import { create, find, patch, WebApp } from "./testing/web-app.ts";

interface Monitor extends KubeObject {
  readonly spec?: { readonly port?: string };
}
const Monitor: Kind<Monitor, "Namespaced"> = {
  group: "monitoring.example.com",
  version: "v1",
  kind: "Monitor",
  listKind: "MonitorList",
  plural: "monitors",
  singular: "monitor",
  shortNames: [],
  categories: [],
  scope: "Namespaced",
  verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
  subresources: {},
};
const version = (name: string, served: boolean, storage: boolean): CustomResourceDefinition["spec"]["versions"][number] => ({
  name,
  served,
  storage,
  schema: {
    openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: { port: { type: "string" } } } } },
  },
});
const definitionName = "monitors.monitoring.example.com";

async function install({ client, settle }: Pick<OperatorScene, "client" | "settle">): Promise<void> {
  await client.create(CustomResourceDefinition, {
    metadata: { name: definitionName },
    spec: {
      group: Monitor.group,
      names: { kind: "Monitor", plural: "monitors", singular: "monitor", listKind: "MonitorList" },
      scope: "Namespaced",
      versions: [version("v1", true, true), version("v2", true, false)],
    },
  });
  await settle(10_000);
}
const remove = async ({ client, settle }: OperatorScene): Promise<void> => {
  await client.delete(CustomResourceDefinition, definitionName);
  await settle(30_000);
};

let scene: OperatorScene | undefined;
afterEach(async () => {
  await scene?.end();
  scene = undefined;
});
async function start(app: Operator, options: SceneOptions = {}): Promise<OperatorScene> {
  scene = await operatorScene(app, options);
  expect(scene.failure()).toBeUndefined();
  return scene;
}

function monitored(seen: string[] = []): Operator {
  const app = createOperator({ name: "shop" });
  app.controller(WebApp, {
    owns: { config: ConfigMap, monitor: Monitor },
    optional: [Monitor],
    desired: ({ object: { metadata, spec } }) => ({
      config: { metadata: { name: metadata.name }, data: { image: spec.image } },
      monitor: { metadata: { name: metadata.name }, spec: { port: spec.image } },
    }),
    reconcile: ({ object: { metadata }, owned, list, isServed }) =>
      void seen.push(
        `${metadata.name}: ${isServed(Monitor) ? "served" : "absent"} ${owned.monitor?.spec?.port ?? "-"} ${list(Monitor).length}`,
      ),
  });
  return app;
}

describe("optional kinds of an operator", () => {
  it("starts without the kind, skips its slot, sends no request about it, and logs so once per source", async () => {
    const seen: string[] = [];
    const asked: string[] = [];
    const running = await start(monitored(seen), {
      wrap: (next) => (request) => {
        asked.push(request.path);
        return next(request);
      },
    });
    await create(running, "a");
    await running.settle(600_000);
    expect([running.failure(), new Set(seen), (await find(running, ConfigMap, "a"))?.data]).toEqual([
      undefined,
      new Set(["a: absent - 0"]),
      { image: "shop:1" },
    ]);
    expect(asked.filter((path) => path.includes("/monitors"))).toEqual([]);
    expect(running.runtime.log.entries.filter(({ message }) => message.startsWith("optional kind")).map(({ fields }) => fields)).toEqual([
      expect.objectContaining({ source: "cache of monitors.monitoring.example.com", definition: definitionName }),
      expect.objectContaining({ source: "Monitor owned by WebApp", definition: definitionName }),
    ]);
  });

  it("makes the objects of every owner when the kind is installed, and repairs them", async () => {
    const running = await start(monitored());
    for (const name of ["a", "b", "c"]) await create(running, name);
    await running.settle();
    await install(running);
    const ports = async (): Promise<unknown> =>
      Promise.all(["a", "b", "c"].map(async (name) => (await find(running, Monitor, name))?.spec?.port));
    expect(await ports()).toEqual(["shop:1", "shop:1", "shop:1"]);
    await running.client.delete(Monitor, "b");
    await patch(running, "c", { spec: { image: "shop:2" } });
    await running.settle(1000);
    expect(await ports()).toEqual(["shop:1", "shop:1", "shop:2"]);
  });

  it("runs on when the kind is removed, and makes its objects again when it comes back", async () => {
    const seen: string[] = [];
    const running = await start(monitored(seen), { before: (client) => install({ client, settle: () => Promise.resolve() }) });
    await create(running, "a");
    await running.settle(1000);
    expect([seen.at(-1), (await find(running, Monitor, "a"))?.spec?.port]).toEqual(["a: served shop:1 1", "shop:1"]);
    await remove(running);
    expect([running.failure(), seen.at(-1)]).toEqual([undefined, "a: absent - 0"]);
    const failures = (): number => running.runtime.log.entries.filter(({ message }) => message.startsWith("reconcile failed")).length;
    const before = failures();
    await patch(running, "a", { spec: { image: "shop:2" } });
    await running.settle(600_000);
    expect([failures() - before, (await find(running, ConfigMap, "a"))?.data]).toEqual([0, { image: "shop:2" }]);
    await install(running);
    expect([running.failure(), (await find(running, Monitor, "a"))?.spec?.port]).toEqual([undefined, "shop:2"]);
    await running.settle(10_000);
    expect(seen.at(-1)).toBe("a: served shop:2 1");
  });

  it("keeps the objects while only their version is not served", async () => {
    const running = await start(monitored(), { before: (client) => install({ client, settle: () => Promise.resolve() }) });
    await create(running, "a");
    await running.settle(1000);
    await running.client.patch(CustomResourceDefinition, definitionName, {
      type: "json",
      body: [{ op: "replace", path: "/spec/versions/0/served", value: false }],
    });
    await running.settle(30_000);
    await patch(running, "a", { spec: { image: "shop:2" } });
    await running.settle(30_000);
    const later = { ...Monitor, version: "v2" };
    expect([(await find(running, ConfigMap, "a"))?.data, (await find(running, later, "a"))?.metadata.name]).toEqual([
      { image: "shop:2" },
      "a",
    ]);
  });

  it("reads and indexes of an optional kind are empty, then complete", async () => {
    const seen: string[] = [];
    const app = createOperator({ name: "shop" });
    const byPort = app.index(Monitor, "byPort", ({ spec }) => [spec?.port]);
    app.controller(WebApp, {
      reads: [Monitor],
      optional: [Monitor],
      reconcile: ({ get, index }) => {
        seen.push(`${get(Monitor, "m")?.spec?.port ?? "-"} ${index(byPort).values().join()} ${index(byPort).get("web").length}`);
      },
    });
    const running = await start(app);
    await create(running, "a");
    await running.settle();
    await install(running);
    await running.client.create(Monitor, { metadata: { name: "m" }, spec: { port: "web" } });
    await running.settle(1000);
    await patch(running, "a", { spec: { image: "shop:2" } });
    await running.settle(1000);
    expect(seen).toEqual(["-  0", "-  0", "web web 1"]);
  });

  it("makes the object of a once slot when the kind is installed", async () => {
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      owns: { monitor: once(Monitor, ({ object }) => ({ metadata: { name: object.metadata.name ?? "" }, spec: { port: "once" } })) },
      optional: [Monitor],
    });
    const running = await start(app);
    await create(running, "a");
    await running.settle(1000);
    await install(running);
    expect((await find(running, Monitor, "a"))?.spec?.port).toBe("once");
  });

  it("without optional, the start fails and names the kind", async () => {
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, { reads: [Monitor], reconcile: () => undefined });
    const running = await start(app);
    await running.settle(130_000);
    expect(String(running.failure())).toContain("monitors.monitoring.example.com");
  });

  it("roles allow reading definitions", () => {
    expect(monitored().roles({ install: false })).toMatch(/customresourcedefinitions\n +verbs:\n +- get\n +- list\n +- watch/u);
  });
});

describe("mistakes with optional", () => {
  const Other = defineResource({ group: "demo.drover.dev", version: "v1", kind: "Other", spec: z.object({}) });
  const declare = (more: object) => (): unknown =>
    createOperator({ name: "shop" }).controller(WebApp, { reads: [ConfigMap, Other], reconcile: () => undefined, ...more });

  it.each([
    ["a kind that is not used", { optional: [Monitor] }, /Monitor is neither owned, read nor referenced/u],
    ["its own kind", { optional: [WebApp] }, /WebApp is the kind that the controller reconciles/u],
    ["a built-in kind", { optional: [ConfigMap] }, /ConfigMap is built in/u],
    ["a resource of the operator", { optional: [Other] }, /Other is installed by the operator itself/u],
    ["an import that is undefined", { optional: [undefined] }, /it contains undefined instead of a kind/u],
  ])("%s is refused", (_name, more, message) => {
    expect(declare(more)).toThrow(message);
  });

  it("a kind that another controller requires is refused when the run is prepared", () => {
    const app = monitored();
    app.controller(Other, { reads: [Monitor], reconcile: () => undefined });
    expect(() => app.roles()).toThrow(/Monitor is optional here, but the controller of Other requires it/u);
  });
});
