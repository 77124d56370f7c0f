/**
 * The table of hostile values: every place that calls code of a user × hostile values: all of them with DROVER_LONG=1, else every
 * 16th.
 */
import { ConfigMap, ResourceQuota, Secret } from "@drover/api/core/v1";
import { createCluster } from "@drover/cache";
import type { Cluster } from "@drover/cache";
import { controllerBuilder, createManager, createProbeHandler, done, retry, timerSource } from "@drover/controller";
import type { ControllerBuilderFor, HealthCheck, Manager, Reconciler, Result } from "@drover/controller";
import { objectKeyOf } from "@drover/machinery";
import { ManualClock, recordingLog, testRuntime } from "@drover/machinery/testing";
import { createOperator } from "@drover/patterns";
import type { ControllerDeclaration } from "@drover/patterns";
import { describe, expect, it } from "vitest";
import type { HarnessApp, HarnessPlace } from "./harness/harness-app.ts";
import { Mine, chosen, expectBounded, names, quietly, survives } from "./testing/hostile-scene.ts";

const nameOf = (key: string): string => key.split("/").at(-1) ?? "";

/** A manager with one controller of ConfigMaps. */
const managed =
  (
    build: (
      builder: ControllerBuilderFor<ConfigMap>,
      cluster: Cluster,
    ) => { reconcile: Reconciler; builder: ControllerBuilderFor<ConfigMap> },
  ): HarnessApp =>
  ({ runtime, transport, namespace, tape, permissions }: HarnessPlace) => {
    const cluster = createCluster({ runtime, transport, namespace, fieldManager: "app" });
    const manager = createManager({ runtime, cluster, tape, permissions });
    const start = controllerBuilder({ cluster, name: "mined", create: (options) => manager.controller(options) }).for(ConfigMap, {
      request: { namespace },
    });
    const { builder, reconcile } = build(start, cluster);
    return { manager, controllers: [builder.reconcile(reconcile)], run: (signal) => manager.run(signal) };
  };

const reconciling = (reconcile: (name: string) => Result | Promise<Result>): HarnessApp =>
  managed((builder) => ({ builder, reconcile: ({ key }) => reconcile(nameOf(key)) }));

describe("hostile values thrown or returned by a reconcile (SEC6)", { timeout: 60_000 }, () => {
  it("Reconciler throws", () =>
    survives((mine) =>
      reconciling((name) => {
        mine.go(name);
        return done;
      }),
    ));
  it("Reconciler rejects", () =>
    survives((mine) =>
      reconciling(async (name) => {
        await Promise.resolve();
        mine.go(name);
        return done;
      }),
    ));
  it("Reconciler returns retry(value)", () =>
    survives((mine) =>
      reconciling((name) => {
        const box = mine.value(name);
        return box === undefined ? done : retry(box.value);
      }),
    ));
  it("Reconciler returns the value itself", () =>
    survives((mine) => reconciling((name) => (mine.value(name) ?? { value: done }).value as Result)));
  it("Reconciler resolves with the value itself", () =>
    survives((mine) => reconciling(async (name) => (mine.value(name) ?? { value: done }).value as Result)));
});

describe("hostile values thrown by what selects and maps objects (SEC6)", { timeout: 60_000 }, () => {
  it("Predicate", () =>
    survives((mine) =>
      managed((builder) => ({
        builder: builder.where(({ object }) => {
          mine.go(object.metadata?.name);
          return true;
        }),
        reconcile: () => done,
      })),
    ));
  it("MapToKeys", () =>
    survives((mine) =>
      managed((builder) => ({
        builder: builder.watches(ConfigMap, (object) => {
          mine.go(object.metadata.name);
          return [];
        }),
        reconcile: () => done,
      })),
    ));
  it("Handler", () =>
    survives((mine) =>
      managed((builder) => ({
        builder: builder.watches(ConfigMap, {
          handler: ({ object }) => {
            mine.go(object.metadata.name);
            return [];
          },
        }),
        reconcile: () => done,
      })),
    ));
  it("ControllerOptions.tenantOf", () =>
    survives((mine) =>
      managed((builder) => ({
        builder: builder.options({ tenantOf: (key) => mine.value(nameOf(key))?.value as string }),
        // The key is not lost: it runs, as one of the tenant "".
        reconcile: ({ key }) => {
          mine.succeeded.add(nameOf(key));
          return done;
        },
      })),
    ));
  it("TimerSourceOptions.keys", () => {
    let turn = 0;
    return survives((mine) =>
      managed((builder, cluster) => ({
        builder: builder.watchesSource(
          timerSource({
            runtime: cluster.runtime,
            every: 1000,
            keys: () => {
              mine.go(`value-${turn++ % 100}`);
              return [];
            },
          }),
        ),
        reconcile: ({ key }) => {
          if (nameOf(key) === "last") mine.go("last");
          return done;
        },
      })),
    );
  });
});

/** A controller of ConfigMaps that owns Secrets, on an operator. */
const declared = (declaration: (mine: Mine) => ControllerDeclaration<ConfigMap, { readonly copy: typeof Secret }>) => (mine: Mine) => {
  const app = createOperator({ name: "shop" });
  app.controller(ConfigMap, { owns: { copy: Secret }, ...declaration(mine) });
  return app;
};

describe("hostile values thrown by the parts of an operator (SEC6)", { timeout: 60_000 }, () => {
  it("desired", () =>
    survives(
      declared((mine) => ({
        desired: ({ object }) => {
          mine.go(object.metadata.name);
          return { copy: undefined };
        },
      })),
    ));
  it("reconcile", () =>
    survives(
      declared((mine) => ({
        reconcile: async ({ object }) => {
          mine.go(object.metadata.name);
        },
      })),
    ));
  it("reconcile returns the value itself", () =>
    survives(
      declared((mine) => ({
        reconcile: ({ object }) => {
          const box = mine.value(object.metadata.name);
          // Returning nothing is a success.
          if (box?.value === undefined) mine.succeeded.add(object.metadata.name ?? "");
          return box?.value as undefined;
        },
      })),
    ));
  it("when", () =>
    survives(
      declared((mine) => ({
        reconcile: () => undefined,
        when: (object) => {
          mine.go(object.metadata.name);
          return true;
        },
      })),
    ));
  it("predicates", () =>
    survives(
      declared((mine) => ({
        reconcile: () => undefined,
        predicates: [
          ({ object }) => {
            mine.go(object.metadata?.name);
            return true;
          },
        ],
      })),
    ));
  it("cleanup", () =>
    survives(
      declared((mine) => ({
        cleanup: async ({ object }) => {
          mine.go(object.metadata.name);
        },
      })),
      {
        afterwards: async (t) => {
          for (const { metadata } of await t.list(ConfigMap)) await t.delete(ConfigMap, metadata.name ?? "");
          await t.settled({ twice: false });
        },
      },
    ));
});

describe("hostile values thrown by a status (SEC6)", { timeout: 60_000 }, () => {
  it("status", () =>
    survives(
      (mine) => {
        const app = createOperator({ name: "shop" });
        app.controller(ResourceQuota, {
          status: ({ object }) => {
            mine.go(object.metadata.name);
            return { hard: {} };
          },
        });
        return app;
      },
      { create: (t, name) => t.create(ResourceQuota, { metadata: { name }, spec: {} }) },
    ));
});

/** An informer of ConfigMaps without a controller. */
const informed =
  (use: (cluster: Cluster, mine: Mine) => void) =>
  (mine: Mine): HarnessApp =>
  ({ runtime, transport, namespace }) => {
    const cluster = createCluster({ runtime, transport, namespace });
    use(cluster, mine);
    return { controllers: [], informers: () => cluster.informers.state(), run: (signal) => cluster.run(signal) };
  };

describe("hostile values thrown by the parts of an informer (SEC6)", { timeout: 60_000 }, () => {
  it("ChangeHandler throws", () =>
    survives(
      informed((cluster, mine) => {
        cluster.informers.acquire(ConfigMap).informer.addHandler(({ object }) => mine.go(object.metadata.name));
      }),
    ));
  it("ChangeHandler rejects", () =>
    survives(
      informed((cluster, mine) => {
        cluster.informers.acquire(ConfigMap).informer.addHandler(async ({ object }) => mine.go(object.metadata.name));
      }),
    ));
  it("ChangeHandler returns the value", () =>
    survives(
      informed((cluster, mine) => {
        cluster.informers.acquire(ConfigMap).informer.addHandler(({ object }) => mine.value(object.metadata.name)?.value as undefined);
      }),
      {
        // A value that is no promise is ignored: the second event succeeds. Only thenables fail.
        reports: "some",
        afterwards: async (t) => {
          for (const data of [{ a: "1" }, { a: "2" }])
            for (const { metadata } of await t.list(ConfigMap)) await t.patch(ConfigMap, metadata.name ?? "", { data });
        },
      },
    ));
  it("IndexFunction", () =>
    survives(
      informed((cluster, mine) => {
        const { informer } = cluster.informers.acquire(ConfigMap);
        informer.addIndexers({
          mined: ({ key }) => {
            mine.go(nameOf(key));
            return [];
          },
        });
      }),
      {
        afterwards: async (t) => {
          for (const data of [{ a: "1" }, { a: "2" }])
            for (const { metadata } of await t.list(ConfigMap)) await t.patch(ConfigMap, metadata.name ?? "", { data });
        },
      },
    ));
  it("Transform throws", () =>
    survives(
      informed((cluster, mine) => {
        cluster.informers.acquire(ConfigMap, {
          transform: (object) => {
            mine.go(object.metadata.name);
            return object;
          },
        });
      }),
      {
        afterwards: async (t) => {
          for (const data of [{ a: "1" }, { a: "2" }])
            for (const { metadata } of await t.list(ConfigMap)) await t.patch(ConfigMap, metadata.name ?? "", { data });
        },
      },
    ));
  it("Transform returns the value", () =>
    survives(
      informed((cluster, mine) => {
        cluster.informers
          .acquire(ConfigMap, {
            transform: (object) => {
              const box = mine.value(object.metadata.name);
              return box === undefined ? object : (box.value as typeof object);
            },
          })
          .informer.addHandler(({ key }) => void objectKeyOf({ metadata: { name: key } }));
      }),
      {
        afterwards: async (t) => {
          for (const data of [{ a: "1" }, { a: "2" }])
            for (const { metadata } of await t.list(ConfigMap)) await t.patch(ConfigMap, metadata.name ?? "", { data });
        },
      },
    ));
});

describe("hostile values thrown by what talks to the server (SEC6)", { timeout: 60_000 }, () => {
  it("Transport rejects", () =>
    survives((mine) => {
      let turn = 0;
      return ({ runtime, transport, namespace }) => {
        const cluster = createCluster({
          runtime,
          namespace,
          transport: async (request) => {
            if (request.path.includes("/configmaps")) new Mine(1).go(names[turn++]);
            return transport(request);
          },
        });
        const lease = cluster.informers.acquire(ConfigMap);
        lease.informer.addHandler(({ object }) => void mine.succeeded.add(object.metadata.name ?? ""));
        return { controllers: [], informers: () => cluster.informers.state(), run: (signal) => cluster.run(signal) };
      };
    }));

  it("watchErrorHandler", () =>
    survives((mine) => {
      let turn = 0;
      return ({ runtime, transport, namespace }) => {
        const cluster = createCluster({
          runtime,
          namespace,
          transport: (request) =>
            turn < names.length && request.path.includes("/configmaps") ? Promise.reject(new Error("refused")) : transport(request),
        });
        const lease = cluster.informers.acquire(ConfigMap);
        lease.informer.addHandler(({ object }) => void mine.succeeded.add(object.metadata.name ?? ""));
        const asynchronous = async (): Promise<void> => new Mine(1).go(names[turn]);
        lease.onWatchError(() => asynchronous() as unknown as undefined);
        lease.onWatchError(() => new Mine(1).go(names[turn++]));
        return { controllers: [], informers: () => cluster.informers.state(), run: (signal) => cluster.run(signal) };
      };
    }));

  it("tweakListOptions", () =>
    survives((mine) => {
      let turn = 0;
      return informed((cluster) => {
        const tweakListOptions = <O>(options: O): O => {
          new Mine(1).go(names[turn++]);
          return options;
        };
        cluster.informers
          .acquire(ConfigMap, { tweakListOptions })
          .informer.addHandler(({ object }) => void mine.succeeded.add(object.metadata.name ?? ""));
      })(mine);
    }));
});

describe("hostile values that end a manager (SEC6)", { timeout: 60_000 }, () => {
  /** Returns what `run` of a manager with this runnable rejects with. */
  const endOf = async (use: (manager: Manager) => void): Promise<{ readonly error: unknown }> => {
    const runtime = testRuntime();
    const cluster = createCluster({ runtime, transport: () => new Promise(() => undefined), namespace: "shop" });
    const manager = createManager({ runtime, cluster, permissions: "off" });
    use(manager);
    let end: { readonly error: unknown } | undefined;
    manager.run(new AbortController().signal).catch((error: unknown) => (end = { error }));
    await runtime.clock.runUntil(() => end !== undefined);
    expectBounded(runtime.log.lines);
    if (end === undefined) throw new Error("the manager has not ended");
    return end;
  };
  const still = (): Promise<void> => new Promise(() => undefined);

  it.each(["run", "ready"] as const)("Runnable", (method) =>
    quietly(async () => {
      for (const { name, make } of chosen) {
        const value = make();
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- that is the point
        const runnable = { name: "mined", run: still, [method]: () => Promise.reject(value) };
        const { error } = await endOf((manager) => manager.add(runnable));
        expect(Object.is(error, value) || Object.is((error as Error).cause, value), name).toBe(true);
      }
    }),
  );

  it("Source.run", () =>
    quietly(async () => {
      for (const { name, make } of chosen) {
        const value = make();
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- that is the point
        const source = { name: "mined", run: () => Promise.reject(value) };
        const { error } = await endOf((manager) => void manager.controller({ name: "web", reconcile: () => done }).watch(source));
        expect(Object.is(error, value) || Object.is((error as Error).cause, value), name).toBe(true);
      }
    }));
});

describe("hostile values thrown by a health check (SEC6)", { timeout: 60_000 }, () => {
  it("HealthCheck", () =>
    quietly(async () => {
      for (const { name, make } of chosen) {
        const log = recordingLog(new ManualClock());
        const check: HealthCheck = () => {
          // oxlint-disable-next-line typescript/only-throw-error -- that is the point
          throw make();
        };
        const handle = createProbeHandler({ ready: new Map([["mined", check]]), log });
        for (const path of ["/readyz", "/readyz/mined"]) {
          const { status, body } = await handle({ method: "GET", path, headers: {} });
          expect(status, name).toBe(500);
          expect((body as string).length).toBeLessThan(70_000);
        }
        expectBounded(log.lines);
      }
    }));
});
