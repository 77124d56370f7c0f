/** An operator on our own API server, in this process, on a manual clock: what it applies, in which order, and what it reports. */
import { Deployment } from "@drover/api/apps/v1";
import { ConfigMap, Namespace, Secret, Service } from "@drover/api/core/v1";
import { Ingress } from "@drover/api/networking/v1";
import { ClusterRole } from "@drover/api/rbac/v1";
import { retry } from "@drover/controller";
import { objectKey } from "@drover/machinery";
import { condition, createOperator, hold, many, one, setLabel, terminal, writeStatus } from "../index.ts";
import type { Operator } from "../index.ts";
import { afterEach, describe, expect, it } from "vitest";
import { operatorScene } from "./operator-scene.ts";
import type { OperatorScene, SceneOptions } from "./operator-scene.ts";
import { conditionsOf, copies, create, eventsOf, find, patch, WebApp } from "./testing/web-app.ts";

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

describe("desired objects", () => {
  it("are created, wait while they are held, and are deleted when they must not exist", async () => {
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      owns: { deployment: Deployment, service: Service, ingress: Ingress },
      desired: ({
        object: {
          metadata: { name },
          spec,
        },
        owned,
      }) => ({
        deployment: {
          metadata: { name },
          spec: {
            replicas: spec.replicas,
            selector: { matchLabels: { app: "web" } },
            template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: spec.image }] } },
          },
        },
        service: { metadata: { name }, spec: { ports: [{ port: 80 }] } },
        ingress:
          spec.host === undefined
            ? undefined
            : owned.deployment?.status?.readyReplicas === undefined
              ? hold("waiting for pods")
              : { metadata: { name }, spec: { defaultBackend: { service: { name: "web", port: { number: 80 } } } } },
      }),
      status: ({ owned }) => ({ ready: owned.deployment?.status?.readyReplicas ?? 0 }),
    });
    const running = await start(app);
    const { client, settle } = running;
    await create(running, "web", { host: "shop.example.com" });
    await settle();
    expect(await find(running, Deployment, "web")).toMatchObject({
      spec: { replicas: 1 },
      metadata: { ownerReferences: [{ kind: "WebApp", name: "web", controller: true }] },
    });
    expect(await find(running, Ingress, "web")).toBeUndefined();
    expect(await conditionsOf(running, "web")).toEqual(["Held True Waiting: ingress: waiting for pods"]);

    await client.patch(Deployment, "web", { type: "merge", body: { metadata: { annotations: { touched: "yes" } } } });
    await client.resource(Deployment).status.patch("web", { type: "merge", body: { status: { replicas: 1, readyReplicas: 1 } } });
    await settle();
    expect(await find(running, Ingress, "web")).toBeDefined();
    expect((await find(running, WebApp, "web"))?.status).toMatchObject({ ready: 1, observedGeneration: 1 });
    expect(await conditionsOf(running, "web")).toEqual(["Held False NothingHeld"]);

    await patch(running, "web", { spec: { host: null } });
    await settle();
    expect(await find(running, Ingress, "web")).toBeUndefined();
    expect(await find(running, Service, "web")).toBeDefined();
  });

  it("stay unchanged when they are held after their creation", async () => {
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      owns: { copy: ConfigMap },
      desired: ({ object }) => ({
        copy: object.spec.host === "hold" ? hold("not now") : { metadata: { name: "copy" }, data: { image: object.spec.image } },
      }),
    });
    const running = await start(app);
    await create(running, "web");
    await running.settle();
    await patch(running, "web", { spec: { image: "shop:2", host: "hold" } });
    await running.settle();
    expect((await find(running, ConfigMap, "copy"))?.data).toEqual({ image: "shop:1" });
    await patch(running, "web", { spec: { host: null } });
    await running.settle();
    expect((await find(running, ConfigMap, "copy"))?.data).toEqual({ image: "shop:2" });
  });

  it("are repaired when others change or delete them, and cause no write otherwise", async () => {
    const running = await start(copies());
    const { client, settle, writes } = running;
    await create(running, "web");
    await settle();
    await client.delete(ConfigMap, "web");
    await settle();
    expect((await find(running, ConfigMap, "web"))?.data).toEqual({ image: "shop:1" });
    await client.patch(ConfigMap, "web", { type: "merge", body: { data: { image: "other", theirs: "stays" } } });
    await settle();
    expect((await find(running, ConfigMap, "web"))?.data).toEqual({ image: "shop:1", theirs: "stays" });
    const before = writes.length;
    for (const controller of running.run.controllers) controller.enqueue(objectKey("web", "default"));
    await settle();
    expect(writes.slice(before)).toEqual([]);
  });

  it("of a many slot are identified by name, and those no longer desired are deleted", async () => {
    const app = createOperator({ name: "shop" });
    const seen: number[] = [];
    app.controller(WebApp, {
      owns: { parts: many(ConfigMap) },
      desired: ({ object: { spec } }) => ({
        parts: Array.from({ length: spec.replicas }, (_, index) => ({ metadata: { name: `part-${index}` }, data: { index: `${index}` } })),
      }),
      status: ({ owned }) => {
        seen.push(owned.parts.length);
        return { ready: owned.parts.length };
      },
    });
    const running = await start(app);
    await create(running, "web", { replicas: 3 });
    await running.settle();
    expect((await find(running, WebApp, "web"))?.status?.ready).toBe(3);
    await patch(running, "web", { spec: { replicas: 1 } });
    await running.settle();
    expect((await running.client.list(ConfigMap, { labelSelector: setLabel })).items.map(({ metadata }) => metadata.name)).toEqual([
      "part-0",
    ]);
    expect((await find(running, WebApp, "web"))?.status?.ready).toBe(1);
    expect(seen).not.toContain(2);
  });

  it("of two slots of one kind are kept apart", async () => {
    const app = createOperator({ name: "shop" });
    const owned: (readonly [string | undefined, string | undefined])[] = [];
    app.controller(WebApp, {
      owns: { main: ConfigMap, canary: one(ConfigMap) },
      desired: () => ({ main: { metadata: { name: "a" } }, canary: { metadata: { name: "b" } } }),
      reconcile: (context) => void owned.push([context.owned.main?.metadata.name, context.owned.canary?.metadata.name]),
    });
    const running = await start(app);
    await create(running, "web");
    await running.settle();
    for (const controller of running.run.controllers) controller.enqueue(objectKey("web", "default"));
    await running.settle();
    expect(new Set(owned.map((pair) => pair.join()))).toEqual(new Set(["a,b"]));
  });

  it("include children whose owner reference names another version of the owner (§9.18)", async () => {
    const seen: (string | undefined)[] = [];
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, { owns: { copy: ConfigMap }, reconcile: ({ owned }) => void seen.push(owned.copy?.metadata.name) });
    const running = await start(app);
    await create(running, "web");
    await running.settle();
    const { uid = "" } = (await find(running, WebApp, "web"))?.metadata ?? {};
    await running.client.create(ConfigMap, {
      metadata: {
        name: "old",
        ownerReferences: [{ apiVersion: "demo.drover.dev/v1alpha1", kind: "WebApp", name: "web", uid, controller: true }],
      },
    });
    await running.settle();
    expect(seen).toEqual([undefined, "old"]);
  });

  it("that are cluster-scoped are deleted with their namespaced owner, without an owner reference", async () => {
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      owns: { role: ClusterRole },
      desired: ({ object }) => ({ role: { metadata: { name: `shop-${object.metadata.name}` }, rules: [] } }),
    });
    const running = await start(app);
    await create(running, "web");
    await running.settle();
    expect(await find(running, ClusterRole, "shop-web")).toBeDefined();
    await running.client.delete(ClusterRole, "shop-web");
    await running.settle();
    expect(await find(running, ClusterRole, "shop-web")).toBeDefined();
    await running.client.delete(WebApp, "web");
    await running.settle(10_000);
    expect(await find(running, WebApp, "web")).toBeUndefined();
    expect(await find(running, ClusterRole, "shop-web")).toBeUndefined();
  });
});

describe("reconcile and its return values", () => {
  it("runs again after the returned time, and not before", async () => {
    let runs = 0;
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      reconcile: async () => {
        runs++;
        return { after: "10m" };
      },
    });
    const running = await start(app);
    await create(running, "web");
    await running.settle();
    expect(runs).toBe(1);
    await running.settle(599_000);
    expect(runs).toBe(1);
    await running.settle(1000);
    expect(runs).toBe(2);
  });

  it("retries after a throw, records an Event, and sets the status until it succeeds", async () => {
    let broken = true;
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      reconcile: async () => {
        if (broken) throw new Error("the registry does not answer");
      },
      status: () => ({ ready: 0 }),
    });
    const running = await start(app);
    await create(running, "web");
    await running.settle(100);
    expect(await conditionsOf(running, "web")).toEqual([
      "Reconciled False ReconcileFailed: the registry does not answer",
      "Ready False ReconcileFailed: the registry does not answer",
    ]);
    expect(await eventsOf(running)).toContainEqual("Warning ReconcileFailed: the registry does not answer");
    broken = false;
    await running.settle(60_000);
    expect(await conditionsOf(running, "web")).toEqual(["Reconciled True Reconciled", "Ready True Reconciled"]);
    expect((await find(running, WebApp, "web"))?.status?.observedGeneration).toBe(1);
  });

  it("lets the author's Ready condition win, passes it the error, and retries nevertheless", async () => {
    let runs = 0;
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      reconcile: () => {
        runs++;
        return retry(new Error("no"));
      },
      status: ({ error }) => ({
        ready: 0,
        conditions: [condition("Ready", error === undefined, "Mine", error instanceof Error ? error.message : "")],
      }),
    });
    const running = await start(app);
    await create(running, "web");
    await running.settle(1000);
    expect(await conditionsOf(running, "web")).toEqual(["Ready False Mine: no", "Reconciled False ReconcileFailed: no"]);
    expect(runs).toBeGreaterThan(3);
  });

  it("shows a failure on the object without a status function, and clears only what it wrote", async () => {
    let broken = true;
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      reconcile: () => {
        if (broken) throw new Error("no registry", { cause: new Error("connection refused") });
      },
    });
    const running = await start(app);
    await create(running, "web");
    await running.settle(100);
    expect((await conditionsOf(running, "web"))[0]).toBe("Reconciled False ReconcileFailed: no registry: connection refused");
    broken = false;
    await create(running, "fine");
    await running.settle(60_000);
    expect((await conditionsOf(running, "web"))[0]).toBe("Reconciled True Reconciled");
    expect((await find(running, WebApp, "fine"))?.status).toBeUndefined();
    // Another controller of the kind fails: its condition is not undone.
    await patch(running, "web", { metadata: { labels: { touched: "yes" } } });
    const seen = await find(running, WebApp, "web");
    const theirs = [
      { type: "Reconciled", status: "False", reason: "ReconcileFailed", message: "theirs", lastTransitionTime: "2026-01-01T00:00:00Z" },
    ];
    await running.client.resource(WebApp).status.update({ ...seen, status: { ...seen?.status, conditions: theirs } } as never);
    await running.settle(60_000);
    expect(await conditionsOf(running, "web")).toEqual(["Reconciled False ReconcileFailed: theirs"]);
  });

  it("leaves the status alone that a reconcile writes itself, when it shows and clears a failure", async () => {
    let broken = true;
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      reconcile: async ({ object, client, clock }) => {
        const told = { ready: (object.status?.ready ?? 0) + 1, conditions: [condition("Ready", true, "Mine")] };
        if ((object.status?.ready ?? 0) < 2) await writeStatus(WebApp, object, told, { client, clock });
        if (broken) throw new Error("no");
      },
    });
    const running = await start(app);
    await create(running, "web");
    await running.settle(1000);
    expect(await conditionsOf(running, "web")).toEqual(["Ready True Mine", "Reconciled False ReconcileFailed: no"]);
    broken = false;
    await running.settle(60_000);
    expect(await conditionsOf(running, "web")).toEqual(["Ready True Mine", "Reconciled True Reconciled"]);
    expect((await find(running, WebApp, "web"))?.status?.ready).toBe(2);
  });

  it("shows a failed cleanup on the object", async () => {
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      cleanup: () => {
        throw new Error("the database is busy");
      },
    });
    const running = await start(app);
    await create(running, "web");
    await running.settle(100);
    await running.client.delete(WebApp, "web");
    await running.settle(100);
    expect((await conditionsOf(running, "web"))[0]).toBe("Reconciled False CleanupFailed: the database is busy");
  });

  it("does not retry a terminal result until the spec changes", async () => {
    let runs = 0;
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      owns: { copy: ConfigMap },
      desired: () => ({ copy: { metadata: { name: "copy" } } }),
      reconcile: ({ object }) => {
        runs++;
        if (object.spec.image === "bad") throw terminal("no such image");
      },
      status: () => ({ ready: 0 }),
    });
    const running = await start(app);
    await create(running, "web", { image: "bad" });
    await running.settle(60_000);
    await running.client.delete(ConfigMap, "copy");
    await patch(running, "web", { metadata: { labels: { touched: "yes" } } });
    await running.settle(60_000);
    expect(runs).toBe(1);
    expect(await conditionsOf(running, "web")).toEqual([
      "Reconciled False ReconcileStopped: no such image",
      "Ready False ReconcileStopped: no such image",
      "Stalled True ReconcileStopped: no such image",
    ]);
    for (const controller of running.run.controllers) controller.enqueue(objectKey("web", "default"));
    await running.settle();
    expect(runs).toBe(2);
    await patch(running, "web", { spec: { image: "good" } });
    await running.settle();
    expect(runs).toBe(3);
    expect(await conditionsOf(running, "web")).toEqual(["Reconciled True Reconciled", "Ready True Reconciled", "Stalled False Reconciled"]);
  });

  it("receives caches, live reads, a client in the object's namespace, events, causes and time", async () => {
    const seen: unknown[] = [];
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      reads: [ConfigMap, Namespace],
      reconcile: async ({ key, object, get, list, live, client, events, causes, attempts, now, clock, run, signal, draining, log }) => {
        seen.push(
          key,
          get(ConfigMap, "settings")?.data,
          get(ConfigMap, "none"),
          list(ConfigMap).map(({ metadata }) => metadata.name),
          get(Namespace, "kube-system")?.metadata.name,
        );
        seen.push(
          (await live.get(Secret, "token"))?.metadata.name,
          await live.get(Secret, "none"),
          (await live.list(Secret)).length,
          client.namespace,
        );
        seen.push(
          causes.map(({ type }) => type),
          attempts,
          now() === clock.now(),
          typeof run,
          signal.aborted,
          draining.aborted,
        );
        events.normal("Greeted", `hello ${object.metadata.name}`);
        log.info("greeted");
      },
    });
    const running = await start(app, {
      before: async (client) => {
        await client.create(Namespace, { metadata: { name: "shop" } });
        await client.create(ConfigMap, { metadata: { name: "settings" }, data: { colour: "red" } }, { namespace: "shop" });
        await client.create(ConfigMap, { metadata: { name: "elsewhere" } }, { namespace: "default" });
        await client.create(Secret, { metadata: { name: "token" } }, { namespace: "shop" });
      },
    });
    await running.client.create(
      WebApp,
      { metadata: { name: "web" }, spec: { image: "x", replicas: 1, mounts: [] } },
      { namespace: "shop" },
    );
    await running.settle();
    expect(seen).toEqual([
      "shop/web",
      { colour: "red" },
      undefined,
      ["settings"],
      "kube-system",
      "token",
      undefined,
      1,
      "shop",
      ["change"],
      0,
      true,
      "string",
      false,
      false,
    ]);
    expect(await eventsOf(running)).toEqual(["Normal Greeted: hello web"]);
  });
});

describe("deletion of an object", () => {
  it("waits for the cleanup, which is retried until it succeeds; an Event names what blocks it", async () => {
    const done: string[] = [];
    let broken = true;
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      reconcile: ({ object }) => void done.push(`ensure with ${object.metadata.finalizers?.join() ?? "none"}`),
      cleanup: async ({ object }) => {
        if (broken) throw new Error("the DNS says no");
        done.push(`release ${object.spec.host ?? ""}`);
      },
    });
    const running = await start(app);
    await create(running, "web", { host: "shop.example.com" });
    await running.settle();
    await running.client.delete(WebApp, "web");
    await running.settle(1000);
    expect((await find(running, WebApp, "web"))?.metadata.finalizers).toEqual(["demo.drover.dev/shop"]);
    const [event = ""] = await eventsOf(running);
    expect(event).toContain(
      "Warning CleanupFailed: the finalizer demo.drover.dev/shop keeps WebApp web until cleanup succeeds; cleanup failed: the DNS says no",
    );
    broken = false;
    await running.settle(100_000);
    expect(await find(running, WebApp, "web")).toBeUndefined();
    // The finalizer is set before the first effect, and setting it causes one more run.
    expect(new Set(done)).toEqual(new Set(["ensure with demo.drover.dev/shop", "release shop.example.com"]));
    expect(done.at(-1)).toBe("release shop.example.com");
  });

  it("leaves children of a terminating object to the garbage collector", async () => {
    const running = await start(copies(), { before: () => Promise.resolve() });
    await create(running, "web");
    await running.settle();
    await patch(running, "web", { metadata: { finalizers: ["example.com/somebody"] } });
    await running.client.delete(WebApp, "web");
    await running.settle();
    await running.client.delete(ConfigMap, "web");
    await running.settle();
    expect(await find(running, ConfigMap, "web")).toBeUndefined();
  });

  it("cleans up after an object that the controller no longer selects, and removes its finalizer", async () => {
    const done: string[] = [];
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      when: ({ spec }) => spec.host !== undefined,
      reconcile: () => void done.push("ensure"),
      cleanup: () => void done.push("release"),
    });
    const running = await start(app);
    await create(running, "web", { host: "a" });
    await create(running, "other");
    await running.settle();
    await patch(running, "web", { spec: { host: null } });
    await running.settle();
    expect((await find(running, WebApp, "web"))?.metadata.finalizers).toBeUndefined();
    expect(done).toEqual(["ensure", "ensure", "release"]);
  });
});

describe("the status of an operator's object", () => {
  it("is written once, not again when it is equal, and its timestamps change only with it", async () => {
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, { status: ({ object }) => ({ ready: object.spec.replicas, conditions: [condition("Ready", true, "Fine")] }) });
    const running = await start(app);
    await create(running, "web");
    await running.settle();
    const first = await find(running, WebApp, "web");
    await running.settle(60_000);
    await patch(running, "web", { spec: { replicas: 2 } });
    await running.settle();
    const second = await find(running, WebApp, "web");
    expect(second?.status).toMatchObject({
      ready: 2,
      observedGeneration: 2,
      conditions: [{ observedGeneration: 2, lastTransitionTime: first?.status?.conditions?.[0]?.lastTransitionTime }],
    });
    const puts = running.writes.filter((write) => write.startsWith("PUT"));
    await patch(running, "web", { metadata: { labels: { touched: "yes" } } });
    await running.settle();
    expect(running.writes.filter((write) => write.startsWith("PUT"))).toEqual(puts);
    expect(puts).toHaveLength(2);
  });

  it("of a first run takes one request, without a conflict with the recorded kinds", async () => {
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      owns: { copy: ConfigMap },
      desired: ({ object }) => ({ copy: { metadata: { name: object.metadata.name } } }),
      status: ({ object }) => ({ ready: object.spec.replicas, conditions: [condition("Ready", true, "Fine")] }),
    });
    const sent: string[] = [];
    const running = await start(app, {
      wrap: (next) => async (request) => {
        const answer = await next(request);
        if (/webapps\/|configmaps\//.test(request.path))
          sent.push(`${request.method} ${request.path.replace(/^.*\/default\/|\?.*$/g, "")} ${answer.status}`);
        return answer;
      },
    });
    await create(running, "web");
    await running.settle(10_000);
    expect(sent).toEqual(["PATCH webapps/web 200", "PATCH configmaps/web 201", "PUT webapps/web/status 200"]);
    expect((await find(running, WebApp, "web"))?.status).toMatchObject({ ready: 1, observedGeneration: 1 });
  });

  it("keeps conditions of others, and is written over a concurrent change outside the spec", async () => {
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      reconcile: async ({ client, object }) => {
        await client.patch(WebApp, object.metadata.name, { type: "merge", body: { metadata: { annotations: { seen: "yes" } } } });
      },
      status: () => ({ ready: 1, conditions: [condition("Ready", true, "Fine")] }),
    });
    const running = await start(app);
    await create(running, "web");
    await running.client.resource(WebApp).status.patch("web", {
      type: "merge",
      body: {
        status: {
          ready: 0,
          conditions: [{ type: "Audited", status: "True", reason: "Ok", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" }],
        },
      },
    });
    await running.settle();
    expect(await conditionsOf(running, "web")).toEqual(["Audited True Ok", "Ready True Fine"]);
  });
});
