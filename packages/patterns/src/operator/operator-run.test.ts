/** One run of an operator on our own API server: what triggers it, what it watches, what it leaves alone, and what it survives. */
import { ConfigMap, Namespace, Secret } from "@drover/api/core/v1";
import { relatedSource } from "@drover/controller";
import { objectKey } from "@drover/machinery";
import type { Transport } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { condition, createOperator, many, pausedAnnotation, setLabel } from "../index.ts";
import type { Operator } from "../index.ts";
import { afterEach, describe, expect, it } from "vitest";
import { operatorScene } from "./operator-scene.ts";
import type { OperatorScene, SceneOptions } from "./operator-scene.ts";
import { conditionsOf, copies, create, find, patch, WebApp } from "./testing/web-app.ts";

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

describe("references and indexes of an operator", () => {
  it("a change or deletion of a referenced object reconciles exactly its referrers", async () => {
    const ran: string[] = [];
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      reconcile: ({
        object: {
          metadata: { name },
          spec,
        },
        get,
      }) => void ran.push(`${name}: ${spec.tls === undefined ? "-" : (get(Secret, spec.tls)?.data?.["k"] ?? "none")}`),
    });
    const running = await start(app);
    const { client, settle } = running;
    await client.create(Secret, { metadata: { name: "cert" }, data: { k: "MQ==" } });
    await client.create(ConfigMap, { metadata: { name: "page" } });
    await create(running, "a", { tls: "cert" });
    await create(running, "b", { mounts: [{ from: "x" }, { from: "page" }] });
    await create(running, "c");
    await settle();
    expect(ran.splice(0).toSorted()).toEqual(["a: MQ==", "b: -", "c: -"]);
    await client.patch(Secret, "cert", { type: "merge", body: { data: { k: "Mg==" } } });
    await settle();
    expect(ran.splice(0)).toEqual(["a: Mg=="]);
    await client.delete(ConfigMap, "page");
    await settle();
    expect(ran.splice(0)).toEqual(["b: -"]);
    await client.delete(Secret, "cert");
    await settle();
    expect(ran.splice(0)).toEqual(["a: none"]);
    await patch(running, "a", { spec: { tls: "other" } });
    await settle();
    expect(ran.splice(0)).toEqual(["a: none"]);
    await client.create(Secret, { metadata: { name: "cert" }, data: { k: "MQ==" } });
    await settle();
    expect(ran.splice(0)).toEqual([]);
    await client.create(Secret, { metadata: { name: "other" }, data: { k: "Mw==" } });
    await settle();
    expect(ran).toEqual(["a: Mw=="]);
  });

  it("an index finds the operator's own objects by content, typed", async () => {
    const app = createOperator({ name: "shop" });
    const byHost = app.index(WebApp, "byHost", (object) => [object.spec.host]);
    const twins: (string | undefined)[][] = [];
    app.controller(WebApp, {
      reconcile: ({ object, index }) =>
        void twins.push(
          index(byHost)
            .get(object.spec.host ?? "")
            .map(({ metadata }) => metadata.name),
        ),
    });
    const running = await start(app);
    await create(running, "b", { host: "x" });
    await running.settle();
    await create(running, "a", { host: "x" });
    await running.settle();
    expect(twins).toEqual([["b"], ["a", "b"]]);
  });
});

describe("a run of an operator", () => {
  it("passes tenantOf and debounce of the declaration to the queue", async () => {
    const ran: string[] = [];
    const tenants = new Set<string>();
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      debounce: { afterMs: 100, maxMs: 1000 },
      tenantOf: (key) => {
        tenants.add(key.split("/")[0] ?? "");
        return key;
      },
      reconcile: ({ object }) => void ran.push(object.spec.image),
    });
    const running = await start(app);
    await create(running, "a");
    await running.settle(60);
    await patch(running, "a", { spec: { image: "newer" } });
    await running.settle(60);
    expect(ran).toEqual([]);
    await running.settle(40);
    expect([ran, [...tenants]]).toEqual([["newer"], ["default"]]);
  });

  it("reconciles an object that keeps changing no more often than its rate, and others at once", async () => {
    const ran: string[] = [];
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      rate: { everyMs: 10_000, burst: 2 },
      reconcile: ({ object: { metadata, spec } }) => void ran.push(`${metadata.name} ${spec.image}`),
    });
    const running = await start(app);
    await create(running, "a");
    await running.settle();
    for (const image of ["v2", "v3", "v4"]) {
      await patch(running, "a", { spec: { image } });
      await running.settle(10);
    }
    await create(running, "b");
    await running.settle(10);
    expect(ran.splice(0)).toEqual(["a shop:1", "a v2", "b shop:1"]);
    await running.settle(10_000);
    expect(ran).toEqual(["a v4"]);
  });

  it("leaves paused objects alone, and continues when they are resumed", async () => {
    const running = await start(copies());
    await running.client.dynamic(WebApp).create({
      apiVersion: "demo.drover.dev/v1",
      kind: "WebApp",
      metadata: { name: "web", annotations: { [pausedAnnotation]: "true" } },
      spec: { image: "x" },
    });
    await running.settle();
    expect(await find(running, ConfigMap, "web")).toBeUndefined();
    await patch(running, "web", { metadata: { annotations: { [pausedAnnotation]: null } } });
    await running.settle();
    expect(await find(running, ConfigMap, "web")).toBeDefined();
  });

  it("watches additional kinds, and starts added runnables again in each run", async () => {
    const app = createOperator({ name: "shop" });
    const ran: string[] = [];
    const controller = app.controller(WebApp, {
      reconcile: ({ causes }) => void ran.push(...causes.map((cause) => (cause.type === "change" ? cause.kind.kind : cause.type))),
    });
    controller.watch((cluster) => relatedSource(Namespace, { cluster, map: () => [objectKey("web", "default")] }));
    app.add((cluster) => ({
      name: "greeter",
      run: async () => {
        ran.push(`greeting ${cluster.client.namespace}`);
      },
    }));
    const running = await start(app);
    await create(running, "web");
    await running.settle();
    expect(ran.filter((line) => line.startsWith("greeting"))).toEqual(["greeting default"]);
    ran.length = 0;
    await running.client.create(Namespace, { metadata: { name: "new" } });
    await running.settle();
    expect(ran).toEqual(["Namespace"]);
  });

  it("names no object in the labels of its metrics, whatever happens to objects (§9.28)", async () => {
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      owns: { copy: ConfigMap },
      desired: ({ object }) => ({ copy: { metadata: { name: object.metadata.name } } }),
      reconcile: ({ object }) => {
        if (object.metadata.name === "needle-bad") throw new Error("needle-bad is bad");
      },
      status: () => ({ ready: 1 }),
      cleanup: () => undefined,
    });
    const running = await start(app);
    await create(running, "needle-good");
    await create(running, "needle-bad");
    await running.settle(60_000);
    await running.client.delete(WebApp, "needle-good");
    await running.settle(60_000);
    const samples = running.runtime.metrics
      .families()
      .flatMap((family) => [...family.samples()].map(({ labelValues }) => `${family.name} ${labelValues.join(" ")}`));
    expect(samples.filter((line) => line.startsWith("controller_runtime_reconcile_errors_total"))).not.toEqual([]);
    expect(samples.filter((line) => line.includes("needle"))).toEqual([]);
  });

  it("reports a desired that throws for one object, and reconciles the others (§9.29, §9.32)", async () => {
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      owns: { copy: ConfigMap },
      desired: ({ object }) => {
        if (object.metadata.name === "bad") throw new RangeError("no such size");
        return { copy: { metadata: { name: object.metadata.name } } };
      },
      status: () => ({ ready: 1 }),
    });
    const running = await start(app);
    await create(running, "bad");
    await create(running, "good");
    await running.settle(60_000);
    expect([await find(running, ConfigMap, "bad"), (await find(running, ConfigMap, "good"))?.metadata.name, running.failure()]).toEqual([
      undefined,
      "good",
      undefined,
    ]);
    expect([await conditionsOf(running, "bad"), await conditionsOf(running, "good")]).toEqual([
      ["Reconciled False ReconcileFailed: no such size", "Ready False ReconcileFailed: no such size"],
      [],
    ]);
    await patch(running, "good", { spec: { image: "shop:2" } });
    await running.settle();
    expect((await find(running, WebApp, "good"))?.status?.observedGeneration).toBe(2);
  });

  it("sees a change by others that happens during its own write without effect (§9.20)", async () => {
    const app = createOperator({ name: "shop" });
    const seen: string[] = [];
    app.controller(WebApp, {
      reconcile: async ({
        object: {
          metadata: { name },
          spec,
        },
        client,
      }) => {
        seen.push(spec.image);
        await client.patch(WebApp, name, { type: "merge", body: { metadata: { labels: { touched: null } } } });
      },
    });
    let isFirst = true;
    const running = await start(app, {
      wrap: (next) => async (request) => {
        // Their change lands before our empty write, whose answer has their version.
        if (request.method === "PATCH" && request.path.includes("/webapps/") && isFirst) {
          isFirst = false;
          await patch(running, "web", { spec: { image: "shop:2" } });
        }
        return next(request);
      },
    });
    await create(running, "web");
    await running.settle(60_000);
    expect([seen[0], seen.at(-1), isFirst]).toEqual(["shop:1", "shop:2", false]);
  });

  it("reports the kinds it watches, and shares nothing with another run of the same operator", async () => {
    const app = copies();
    const first = await start(app);
    const second = await operatorScene(app);
    await create(first, "web");
    await Promise.all([first.settle(), second.settle()]);
    expect(first.run.kinds.map(({ kind }) => kind)).toEqual(["WebApp", "ConfigMap", "Secret"]);
    expect(await find(first, ConfigMap, "web")).toBeDefined();
    expect(await find(second, ConfigMap, "web")).toBeUndefined();
    await second.end();
  });

  it("converges although every other write fails, is refused or loses its answer", async () => {
    let count = 0;
    const flaky =
      (next: Transport): Transport =>
      async (request) => {
        if (request.method === "GET" || (!request.path.includes("demo.drover.dev/v1") && !request.path.includes("/configmaps/")))
          return next(request);
        const status = [500, 409, 0, 429][(count++ >> 1) % 4] ?? 500;
        if (count % 2 === 0) return next(request);
        if (status === 0) {
          await next(request);
          throw new Error("the connection broke");
        }
        return {
          status,
          headers: { "content-type": "application/json" },
          body: JSON.stringify({
            kind: "Status",
            apiVersion: "v1",
            status: "Failure",
            code: status,
            reason: status === 409 ? "Conflict" : status === 429 ? "TooManyRequests" : "InternalError",
            message: "not now",
          }),
        };
      };
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      owns: { parts: many(ConfigMap) },
      desired: ({ object: { spec } }) => ({
        parts: Array.from({ length: spec.replicas }, (_, index) => ({ metadata: { name: `part-${index}` } })),
      }),
      cleanup: () => undefined,
      status: ({ owned }) => ({ ready: owned.parts.length, conditions: [condition("Ready", true, "Fine")] }),
    });
    const running = await start(app, { wrap: flaky });
    await create(running, "web", { replicas: 4 });
    await running.settle(600_000);
    expect((await find(running, WebApp, "web"))?.status?.ready).toBe(4);
    await patch(running, "web", { spec: { replicas: 1 } });
    await running.settle(600_000);
    expect((await running.client.list(ConfigMap, { labelSelector: setLabel })).items).toHaveLength(1);
    await running.client.delete(WebApp, "web");
    await running.settle(600_000);
    expect(await find(running, WebApp, "web")).toBeUndefined();
  });

  it("in a second process finds nothing to do", async () => {
    const app = copies();
    const running = await start(app);
    await create(running, "web", { replicas: 4 });
    await running.settle();
    const stop = new AbortController();
    const before = running.writes.length;
    const second = app.runOn({ runtime: testRuntime({ clock: running.runtime.clock }), transport: running.transport }).run(stop.signal);
    await running.settle(1000);
    // The definition is applied again without a change.
    expect(running.writes.slice(before).filter((write) => !write.includes("customresourcedefinitions"))).toEqual([]);
    stop.abort();
    await running.settle(6000);
    await second;
  });

  it("watches only the given namespaces", async () => {
    const running = await start(copies(), {
      watchNamespaces: ["default"],
      before: async (client) => void (await client.create(Namespace, { metadata: { name: "other" } })),
    });
    await running.client.create(
      WebApp,
      { metadata: { name: "web" }, spec: { image: "x", replicas: 1, mounts: [] } },
      { namespace: "other" },
    );
    await create(running, "web");
    await running.settle();
    expect(await find(running, ConfigMap, "web")).toBeDefined();
    expect(await find(running, ConfigMap, "web", "other")).toBeUndefined();
  });
});
