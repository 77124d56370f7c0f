/** The table of hostile values thrown by the parts that a program passes to its manager; see hostile-values.test.ts. */
import { ConfigMap } from "@drover/api/core/v1";
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { createCluster } from "@drover/cache";
import { LeaderElector, createManager, done, iterableSource, kindSource, pushSource } from "@drover/controller";
import type { ControllerOptions, ExternalEvent, Manager, Tape } from "@drover/controller";
import { objectKey } from "@drover/machinery";
import type { Log, MetricsRegistry, ObjectKey, Transport } from "@drover/machinery";
import { createOperator } from "@drover/patterns";
import { testRuntime } from "@drover/machinery/testing";
import { beforeAll, describe, expect, it } from "vitest";
import type { HarnessApp, HarnessPlace } from "./harness/harness-app.ts";
import { Mine, chosen, expectBounded, names, quietly, survives } from "./testing/hostile-scene.ts";

const nameOf = (key: string): string => key.split("/").at(-1) ?? "";

interface Controlled {
  /** Adds something to the manager. */
  readonly use?: (manager: Manager) => void;
  /** @default the tape of the harness */
  readonly tape?: (tape: Tape) => Tape;
  /** Whether the harness waits until the controller is idle. @default true */
  readonly isWatched?: boolean;
}

/** A manager with one controller of ConfigMaps. */
const controlled =
  (
    options: Omit<ControllerOptions, "name" | "cluster">,
    { use, tape: wrap = (same) => same, isWatched = true }: Controlled = {},
  ): HarnessApp =>
  ({ runtime, transport, namespace, tape, permissions }) => {
    const cluster = createCluster({ runtime, transport, namespace, fieldManager: "app" });
    const manager = createManager({ runtime, cluster, tape: wrap(tape), permissions });
    const controller = manager.controller({ name: "mined", ...options });
    controller.watch(kindSource(ConfigMap, { cluster }));
    use?.(manager);
    return { manager, controllers: isWatched ? [controller] : [], run: (signal) => manager.run(signal) };
  };

describe("hostile values thrown by the parts of a controller (SEC6)", { timeout: 60_000 }, () => {
  /** A limiter that fails once per key in each method. */
  const limiterOf = (method: "when" | "forget") => {
    const limiting = new Mine(1);
    return {
      when: (key: ObjectKey): number => {
        if (method === "when") limiting.go(nameOf(key));
        return 10;
      },
      forget: (key: ObjectKey): void => {
        if (method === "forget") limiting.go(nameOf(key));
      },
      numRequeues: (): number => 0,
    };
  };
  it.each(["when", "forget"] as const)("RateLimiter", (method) =>
    survives(
      (mine) =>
        controlled({
          retry: { limiter: limiterOf(method) },
          reconcile: ({ key }) => {
            mine.go(nameOf(key));
            return done;
          },
        }),
      { reports: "more" },
    ),
  );

  it.each(["begin", "call", "end"] as const)("Tape", (method) =>
    survives(
      (mine) =>
        controlled(
          {
            reconcile: async ({ key, client }) => {
              // The server has a ConfigMap of its own in kube-system.
              if (key.startsWith("default/")) await client.get(ConfigMap, nameOf(key));
              return done;
            },
          },
          {
            tape: (tape) => ({
              runs: (filter) => tape.runs(filter),
              begin: (start) => {
                const go = (place: typeof method): void => {
                  if (place === method) mine.go(nameOf(start.key));
                };
                go("begin");
                const taped = tape.begin(start);
                return {
                  call: (call) => {
                    taped.call(call);
                    go("call");
                  },
                  end: (result) => {
                    taped.end(result);
                    go("end");
                  },
                };
              },
            }),
          },
        ),
      {
        // A run is not repeated for its record; that a call was not recorded is not reported.
        reports: method === "call" ? "none" : "each",
        afterwards: async (t) => {
          for (const data of [{ a: "1" }, { a: "2" }]) {
            for (const { metadata } of await t.list(ConfigMap)) await t.patch(ConfigMap, metadata.name ?? "", { data });
            await t.settled({ twice: false });
          }
        },
      },
    ),
  );

  it("EventRecorder.eventf", () =>
    survives(
      (mine) => {
        let writes = 0;
        return controlled(
          {
            echoesMax: 1,
            events: { eventf: ({ regarding }) => mine.go("metadata" in regarding ? regarding.metadata.name : regarding.name) },
            // Writes its own object again and again, until that was reported without a failure.
            reconcile: async ({ key, client }) => {
              const name = nameOf(key);
              if (!mine.succeeded.has(name)) await client.apply(ConfigMap, { metadata: { name }, data: { write: String(writes++) } });
              return done;
            },
          },
          { isWatched: false },
        );
      },
      { reports: "more" },
    ));
});

describe("hostile values thrown by external sources (SEC6)", { timeout: 60_000 }, () => {
  /** Events of every name, in a circle; the iterator fails with the value of a name in one of its methods. */
  const events = (mine: Mine, method: "open" | "next" | "value" | "return"): ((signal: AbortSignal) => AsyncIterable<ExternalEvent>) => {
    const all = [...names, "last"];
    let turn = 0;
    return () => {
      if (method === "open") mine.go(all[turn++ % all.length]);
      return {
        [Symbol.asyncIterator]: () => ({
          next: async () => {
            // Only a failure makes the source open it again.
            if (method === "open" && !all.every((one) => mine.succeeded.has(one))) throw new Error("again");
            const name = all[turn++ % all.length] ?? "";
            if (method === "next") mine.go(name);
            const box = method === "value" || method === "return" ? mine.value(name) : undefined;
            if (box !== undefined) return { done: false, value: box.value as ExternalEvent };
            return all.every((one) => mine.succeeded.has(one))
              ? { done: true, value: undefined }
              : { done: false, value: { key: objectKey(name, "default") } };
          },
          return: async () => {
            // oxlint-disable-next-line typescript/only-throw-error -- that is the point
            if (method === "return") throw chosen[turn % chosen.length]?.make();
            return { done: true, value: undefined };
          },
        }),
      };
    };
  };
  it.each(["open", "next", "value", "return"] as const)("iterableSource", (method) =>
    survives(
      (mine) => {
        const open = events(mine, method);
        return controlled(
          { reconcile: () => done },
          {
            use: (manager) => {
              const controller = manager.controller({ name: "external", reconcile: () => done });
              controller.watch(iterableSource("mined", open, { runtime: manager.cluster.runtime }));
            },
          },
        );
      },
      { reports: "more", afterwards: (t) => t.advance("2h") },
    ),
  );
  it("PushSource.push", () =>
    survives((mine) =>
      controlled(
        { reconcile: () => done },
        {
          use: (manager) => {
            const source = pushSource("mined", { runtime: manager.cluster.runtime });
            const controller = manager.controller({
              name: "external",
              reconcile: ({ key }) => {
                mine.go(nameOf(key));
                return done;
              },
            });
            controller.watch(source);
            for (const name of [...names, "last"]) source.push(objectKey(name, "default"));
          },
        },
      ),
    ));
});

/** Throws a hostile value from every method, the next one at each call; the proxy has every method that is asked for. */
function throwing<T extends object>(inner: T, turn: { calls: number } = { calls: 0 }): T {
  const fail = (): never => {
    // oxlint-disable-next-line typescript/only-throw-error -- that is the point
    throw chosen[turn.calls++ % chosen.length]?.make();
  };
  return new Proxy(inner, { get: (target, key) => (typeof Reflect.get(target, key) === "function" ? fail : Reflect.get(target, key)) });
}

describe("hostile values thrown by the log and the metrics (SEC6)", { timeout: 60_000 }, () => {
  const operator = (mine: Mine): ReturnType<typeof createOperator> => {
    const app = createOperator({ name: "shop" });
    app.controller(ConfigMap, {
      reconcile: ({ object, log }) => {
        log.info("seen");
        mine.go(object.metadata.name);
      },
    });
    return app;
  };
  const on =
    (parts: (runtime: HarnessPlace["runtime"]) => Partial<HarnessPlace["runtime"]>) =>
    (mine: Mine): HarnessApp =>
    (place) =>
      operator(mine).runOn({ ...place, runtime: { ...place.runtime, ...parts(place.runtime) } });
  const log = (level: (message: string) => unknown, more: () => Log): Log => {
    return { debug: level, info: level, warn: level, error: level, with: more };
  };

  it("Log throws", () =>
    survives(
      on((runtime) => ({ log: throwing(runtime.log) })),
      { reports: "none" },
    ));
  it("Log rejects", () => {
    let turn = 0;
    const rejecting: Log = log(
      async () => {
        // oxlint-disable-next-line typescript/only-throw-error -- that is the point
        throw chosen[turn++ % chosen.length]?.make();
      },
      () => rejecting,
    );
    return survives(
      on(() => ({ log: rejecting })),
      { reports: "none" },
    );
  });
  it("Metrics", () =>
    survives(
      on((runtime) => ({ metrics: throwing(runtime.metrics) })),
      { reports: "more" },
    ));
  it("Metrics of whose series every method throws", () =>
    survives(
      on((runtime) => {
        const turn = { calls: 0 };
        const bound = { add: () => undefined, set: () => undefined, observe: () => undefined };
        const series = <M extends object>(metric: M): M => {
          const failing = throwing(metric, turn);
          return new Proxy(metric, { get: (_, key) => (key === "with" ? () => throwing(bound, turn) : Reflect.get(failing, key)) });
        };
        const made: MetricsRegistry = {
          counter: (options) => series(runtime.metrics.counter(options)),
          gauge: (options) => series(runtime.metrics.gauge(options)),
          histogram: (options) => series(runtime.metrics.histogram(options)),
          families: () => runtime.metrics.families(),
        };
        return { metrics: made };
      }),
      { reports: "more" },
    ));
});
describe("hostile values thrown by the callbacks of a lease (SEC6)", { timeout: 60_000 }, () => {
  let leases = 0;
  let transport: Transport = () => Promise.reject(new Error("no server"));
  beforeAll(async () => {
    ({ handle: transport } = await createApiServer({ runtime: testRuntime(), host: nodeHost }));
  });

  /** Runs an elector whose callback throws; returns how its run ended, after a stop if it goes on. */
  const lead = async (
    callbacks: Partial<ConstructorParameters<typeof LeaderElector>[0]>,
  ): Promise<{ readonly error: unknown } | "stopped"> => {
    const runtime = testRuntime();
    const { client } = createCluster({ runtime, transport, namespace: "default" });
    let isLed = false;
    const elector = new LeaderElector({
      runtime,
      client,
      lease: { namespace: "default", name: `lease-${leases++}` },
      identity: "me",
      onStartedLeading: async (signal) => {
        isLed = true;
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      },
      ...callbacks,
    });
    const stop = new AbortController();
    let end: { readonly error: unknown } | "stopped" | undefined;
    elector.run(stop.signal).then(
      () => (end = "stopped"),
      (error: unknown) => (end = { error }),
    );
    await runtime.clock.advance(3000);
    if (end === undefined) expect(isLed).toBe(true);
    stop.abort();
    await runtime.clock.advance(3000);
    expectBounded(runtime.log.lines);
    if (end === undefined) throw new Error("the elector has not ended");
    return end;
  };
  const fail = (make: () => unknown) => (): never => {
    // oxlint-disable-next-line typescript/only-throw-error -- that is the point
    throw make();
  };

  it.each(["onNewLeader", "onStoppedLeading"] as const)("onNewLeader and onStoppedLeading", (callback) =>
    quietly(async () => {
      for (const { name, make } of chosen) {
        expect(await lead({ [callback]: fail(make) }), name).toBe("stopped");
        expect(await lead({ [callback]: async () => fail(make)() }), name).toBe("stopped");
      }
    }),
  );
  it("onStartedLeading", () =>
    quietly(async () => {
      for (const { name, make } of chosen) {
        const value = make();
        const end = await lead({ onStartedLeading: fail(() => value) });
        expect(end !== "stopped" && Object.is(end.error, value), name).toBe(true);
      }
    }));
  it("Runnable.warmUp", () =>
    quietly(async () => {
      for (const { name, make } of chosen) {
        const value = make();
        const runtime = testRuntime();
        const cluster = createCluster({ runtime, transport: () => new Promise(() => undefined), namespace: "default" });
        const leaderElection = { name: "web", namespace: "default", identity: "me" };
        const manager = createManager({ runtime, cluster, leaderElection, permissions: "off" });
        manager.add({ name: "mined", run: () => new Promise(() => undefined), warmUp: async () => fail(() => value)() });
        let end: { readonly error: unknown } | undefined;
        manager.run(new AbortController().signal).catch((error: unknown) => (end = { error }));
        await runtime.clock.runUntil(() => end !== undefined);
        expect(end !== undefined && (Object.is(end.error, value) || Object.is((end.error as Error).cause, value)), name).toBe(true);
        expectBounded(runtime.log.lines);
      }
    }));
});
