import { ConfigMap } from "@drover/api/core/v1";
import { jsonResponse } from "@drover/client/testing";
import { ApiError, AssertionError, newConflict, objectKey } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { createCluster } from "@drover/cache";
import { createController } from "./controller.ts";
import type { ControllerOptions } from "./controller.ts";
import type { ReconcileContext } from "./reconciler.ts";
import { after, done, retry, stop } from "./result.ts";
import type { Result } from "./result.ts";
import { blockableClock } from "./testing/blockable-clock.ts";
import { controllerRig, keyOf } from "./testing/controller-rig.ts";

const web = keyOf("shop/web");
const conflict = (): ApiError => new ApiError(newConflict({ group: "apps", resource: "deployments" }, "web", "it has changed"));
const noJitter = { jitter: 0 };

describe("createController", () => {
  const make = (options: Partial<ControllerOptions>) => () =>
    createController({
      name: "web",
      reconcile: () => done,
      cluster: createCluster({ runtime: testRuntime(), transport: () => Promise.reject(new Error("no server")), namespace: "shop" }),
      ...options,
    });

  it("requires name and reconcile", () => {
    expect(make({ name: "" })).toThrow("name");
    expect(make({ reconcile: undefined as never })).toThrow("reconcile of controller web must be a function");
  });

  it("requires workers to be a whole number above 0, also in setWorkers; defaults to one", () => {
    for (const workers of [0, -1, 1.5, Number.NaN, Infinity]) {
      expect(make({ workers })).toThrow(new RangeError(`createController: workers must be a whole number above 0, not ${workers}`));
    }
    const controller = make({})();
    expect(() => controller.setWorkers(0)).toThrow(RangeError);
    expect(controller.state().workers).toBe(1);
  });

  it("names an invalid option", () => {
    expect(make({ deadlineMs: 0 })).toThrow("deadlineMs must be above 0");
    expect(make({ syncTimeoutMs: Number.NaN })).toThrow("syncTimeoutMs");
    expect(make({ blockedWarningMs: -1 })).toThrow("blockedWarningMs");
    expect(make({ drainMs: -1 })).toThrow("drainMs must be zero or more");
    expect(make({ retry: { max: -1 } })).toThrow("retry.max");
    expect(make({ retry: { baseMs: -1 } })).toThrow("retry.baseMs");
    expect(make({ debounce: { afterMs: 6, maxMs: 5 } })).toThrow("debounce needs 0 < afterMs ≤ maxMs < Infinity");
    expect(make({ tenantOf: "shop" as never })).toThrow("tenantOf must be a function");
  });

  it("does nothing until it runs: no timer, no request", () => {
    const rig = controllerRig({ reconcile: () => done });
    rig.controller.enqueue(web);
    expect([rig.clock.pending, rig.source.starts, rig.server.requests.length, rig.controller.state().ready]).toEqual([[], 0, 0, 1]);
  });

  it("returns the permissions it needs: its writes and those of its sources", () => {
    const rig = controllerRig({ reconcile: () => done, writes: [{ group: "", resource: "pods", verbs: ["create"] }] });
    const watch = rig.controller.watch({
      name: "nodes",
      needs: [{ group: "", resource: "nodes", verbs: ["list"] }],
      run: () => Promise.resolve(),
    });
    expect(rig.controller.needs.map(({ resource }) => resource)).toEqual(["pods", "nodes"]);
    void watch.stop();
    expect(rig.controller.needs.map(({ resource }) => resource)).toEqual(["pods"]);
  });
});

describe("createController: through", () => {
  it("chooses the wrappers of a run by its key", async () => {
    const sent: string[] = [];
    const rig = controllerRig({
      through: (key) => [
        () =>
          ({ path }) =>
            Promise.resolve(void sent.push(`${key}: ${path}`)).then(() => jsonResponse({ metadata: {} })),
      ],
      reconcile: async ({ key, client }) => {
        await client.get(ConfigMap, "c", { namespace: key.split("/")[0] ?? "" });
        return done;
      },
    });
    for (const key of ["a/x", "b/x"]) rig.controller.enqueue(keyOf(key));
    await rig.start();
    await rig.stop();
    expect(sent.toSorted()).toEqual(["a/x: /api/v1/namespaces/a/configmaps/c", "b/x: /api/v1/namespaces/b/configmaps/c"]);
  });

  it("fails the run, and retries it, if the wrappers cannot be chosen", async () => {
    let calls = 0;
    const rig = controllerRig({
      through: () => {
        calls++;
        throw new Error("no credentials");
      },
      reconcile: async ({ client }) => {
        await client.get(ConfigMap, "c");
        return done;
      },
    });
    rig.controller.enqueue(web);
    await rig.start();
    await rig.clock.advance(1000);
    expect(calls).toBeGreaterThan(1);
    await rig.stop();
  });
});

describe("createController: options of the queue", () => {
  it("tenantOf lets tenants take turns, however many keys one of them has", async () => {
    const keys: string[] = [];
    const rig = controllerRig({
      tenantOf: (key) => key.split("/")[0] ?? "",
      reconcile: ({ key }) => {
        keys.push(key);
        return done;
      },
    });
    for (const key of ["big/a", "big/b", "big/c", "small/a"]) rig.controller.enqueue(keyOf(key));
    await rig.start();
    await rig.stop();
    expect(keys).toEqual(["big/a", "small/a", "big/b", "big/c"]);
  });

  it("debounce delays a key that keeps changing until changes stop, at most maxMs", async () => {
    const runs: number[] = [];
    const rig = controllerRig({
      debounce: { afterMs: 100, maxMs: 250 },
      reconcile: () => {
        runs.push(rig.clock.monotonic());
        return done;
      },
    });
    await rig.start();
    const start = rig.clock.monotonic();
    rig.controller.enqueue(web);
    await rig.clock.advance(99);
    expect(runs).toEqual([]);
    await rig.clock.advance(1);
    expect(runs).toEqual([start + 100]);
    for (let change = 0; change < 6; change++) {
      rig.controller.enqueue(web);
      await rig.clock.advance(50);
    }
    expect(runs[1]).toBe(start + 100 + 250);
    await rig.stop();
  });
});

describe("Controller.run", () => {
  it("calls reconcile with the complete context", async () => {
    const runs: ReconcileContext[] = [];
    const rig = controllerRig({
      reconcile: (context) => {
        runs.push(context);
        return done;
      },
    });
    rig.controller.enqueue(web, { priority: 3, note: "by hand", parent: { controller: "app", key: keyOf("shop/app"), run: "r-1" } });
    rig.controller.enqueue(web, { note: "again" });
    await rig.start();
    const [context] = runs;
    expect(runs.length).toBe(1);
    expect([context?.key, context?.causeCount, context?.attempts, context?.priority]).toEqual(["shop/web", 2, 0, 3]);
    expect(context?.causes).toEqual([
      { type: "enqueue", note: "by hand", parent: { controller: "app", key: "shop/app", run: "r-1" } },
      { type: "enqueue", note: "again" },
    ]);
    expect([context?.signal.aborted, context?.draining.aborted]).toEqual([false, false]);
    context?.log.info("hello");
    expect(rig.runtime.log.entries.at(-1)?.fields).toEqual({ controller: "web", key: "shop/web", run: context?.run });
    await rig.stop();
    expect([rig.ended(), rig.clock.pending, rig.controller.state().phase]).toEqual([{}, [], "ended"]);
  });

  it("gives each run a unique id, also among controllers of the same name", async () => {
    const ids: string[] = [];
    const runtime = testRuntime();
    for (let index = 0; index < 2; index++) {
      const rig = controllerRig({
        runtime,
        reconcile: ({ run }) => {
          ids.push(run);
          return done;
        },
      });
      for (let key = 0; key < 3; key++) rig.controller.enqueue(objectKey(`n${key}`));
      await rig.start();
      await rig.stop();
    }
    expect(new Set(ids).size).toBe(6);
  });

  it("reconciles two keys with the same name in two namespaces separately", async () => {
    const keys: string[] = [];
    const rig = controllerRig({
      reconcile: ({ key }) => {
        keys.push(key);
        return done;
      },
    });
    for (const key of ["a/web", "b/web", "web", "a/web"]) rig.controller.enqueue(keyOf(key));
    await rig.start();
    expect(keys).toEqual(["a/web", "b/web", "web"]);
    await rig.stop();
  });

  it.each([
    [{}, 1],
    [{ workers: 3 }, 3],
  ])("never runs more of 10,000 keys at a time than it has workers (%o) (§9.13)", async (options, most) => {
    let [underWay, underWayMax, count] = [0, 0, 0];
    const rig = controllerRig({
      ...options,
      reconcile: async () => {
        underWayMax = Math.max(underWayMax, ++underWay);
        await Promise.resolve();
        underWay--;
        count++;
        return done;
      },
    });
    for (let index = 0; index < 10_000; index++) rig.controller.enqueue(objectKey(`n${index}`));
    await rig.start();
    await rig.clock.advance(1000);
    expect([count, underWayMax]).toEqual([10_000, most]);
    await rig.stop();
  });

  it("yields to the event loop, however many keys are ready", async () => {
    const runtime = testRuntime();
    const clock = blockableClock(runtime.clock);
    let count = 0;
    let countAtTurn = 0;
    const rig = controllerRig({
      runtime,
      clock,
      reconcile: () => {
        count++;
        clock.block(1);
        return done;
      },
    });
    for (let index = 0; index < 100; index++) rig.controller.enqueue(objectKey(`n${index}`));
    clock.timer(0, () => {
      countAtTurn = count;
    });
    void rig.start();
    await rig.clock.advance(0);
    expect(countAtTurn).toBeLessThan(20);
    await rig.clock.advance(1);
    expect(count).toBe(100);
    await rig.stop();
  });
});

describe("Controller on the result of a reconcile", () => {
  it("done: resets failures, and leaves nothing in the queue", async () => {
    const results: Result[] = [retry(new Error("no")), retry(new Error("no")), done];
    const rig = controllerRig({ reconcile: () => results.shift() ?? done, retry: noJitter });
    rig.controller.enqueue(web);
    await rig.start();
    expect(rig.controller.inspect(web)?.attempts).toBe(1);
    await rig.clock.advance(100);
    expect([rig.controller.inspect(web), rig.controller.inspectAll()]).toEqual([undefined, []]);
    expect(rig.metric("controller_runtime_reconcile_total")).toEqual({ success: 1, error: 2 });
    expect(rig.metric("controller_runtime_reconcile_errors_total")).toBe(2);
    await rig.stop();
  });

  it("after: runs again after the delay, without rate limit, resets failures, keeps the priority", async () => {
    const results: Result[] = [retry(new Error("no")), after("30s")];
    const runs: ReconcileContext[] = [];
    const rig = controllerRig({
      reconcile: (context) => {
        runs.push(context);
        return results.shift() ?? done;
      },
      retry: noJitter,
    });
    rig.controller.enqueue(web, { priority: 7 });
    await rig.start();
    await rig.clock.advance(5);
    expect(rig.controller.inspect(web)).toMatchObject({ state: "waiting", attempts: 0, nextRunInMs: 30_000, priority: 7 });
    await rig.clock.advance(29_999);
    expect(runs.length).toBe(2);
    await rig.clock.advance(1);
    expect(runs[2]?.causes).toEqual([{ type: "after", afterMs: 30_000, run: runs[1]?.run }]);
    expect(runs.map(({ attempts, priority }) => [attempts, priority])).toEqual([
      [0, 7],
      [1, 7],
      [0, 7],
    ]);
    expect(rig.metric("controller_runtime_reconcile_total")).toEqual({ success: 1, error: 1, requeue_after: 1 });
    await rig.stop();
  });

  it("after and retry: use the priority of the result", async () => {
    const results: Result[] = [after(10, { priority: 4 }), retry(new Error("no"), { priority: -3 }), done];
    const priorities: number[] = [];
    const rig = controllerRig({
      reconcile: ({ priority }) => {
        priorities.push(priority);
        return results.shift() ?? done;
      },
    });
    rig.controller.enqueue(web, { priority: 1 });
    await rig.start();
    await rig.clock.advance(100);
    expect(priorities).toEqual([1, 4, -3]);
    await rig.stop();
  });

  it("an error: requeues the key with its priority, while later keys still run", async () => {
    const runs: string[] = [];
    const rig = controllerRig({
      reconcile: ({ key, priority }) => {
        runs.push(`${key} ${priority}`);
        if (key === web && runs.length === 1) throw new Error("no luck");
        return done;
      },
    });
    rig.controller.enqueue(web, { priority: 2 });
    rig.controller.enqueue(keyOf("shop/db"));
    await rig.start();
    await rig.clock.advance(100);
    expect(runs).toEqual(["shop/web 2", "shop/db 0", "shop/web 2"]);
    expect(
      rig.runtime.log.entries
        .filter(({ level }) => level === "error")
        .map(({ message, fields }) => [message, fields["key"], fields["attempts"], fields["controller"]]),
    ).toEqual([["reconcile failed", "shop/web", 0, "web"]]);
    expect(rig.runtime.log.entries.find(({ level }) => level === "error")?.fields).toMatchObject({
      retryIn: expect.stringMatching(/^[5-6]ms$/) as string,
      run: expect.any(String) as string,
    });
    await rig.stop();
  });

  it("errors: the delay grows with every failure until a run succeeds; each retry has its cause (§9.10)", async () => {
    const at: number[] = [];
    const causes: unknown[] = [];
    let failures = 4;
    const rig = controllerRig({
      retry: noJitter,
      reconcile: ({ causes: [cause] }) => {
        at.push(rig.clock.monotonic());
        causes.push(cause);
        if (failures-- > 0) throw new Error(`failure ${failures}`);
        return done;
      },
    });
    rig.controller.enqueue(web);
    await rig.start();
    await rig.clock.advance(1000);
    expect(at).toEqual([0, 5, 15, 35, 75]);
    expect(causes[3]).toMatchObject({ type: "retry", attempt: 3, error: "failure 1", isConflict: false });
    rig.controller.enqueue(web);
    await rig.clock.settle();
    expect(rig.controller.inspectAll()).toEqual([]);
    await rig.stop();
  });

  it("errors: jitter extends delays by a fifth at most, and each controller counts on its own (Lasso's trap 13)", async () => {
    const fail = (): Result => retry(new Error("no"));
    const runtime = testRuntime();
    const first = controllerRig({ runtime, reconcile: fail });
    const second = controllerRig({ runtime, name: "other", reconcile: fail });
    for (let index = 0; index < 20; index++) first.controller.enqueue(objectKey(`n${index}`));
    await first.start();
    const pauses = first.controller.inspectAll().map(({ nextRunInMs }) => nextRunInMs ?? 0);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(5);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(6);
    expect(new Set(pauses).size).toBeGreaterThan(10);
    second.controller.enqueue(objectKey("n0"));
    await second.start();
    expect(second.controller.inspect(objectKey("n0"))?.attempts).toBe(1);
    await first.stop();
    await second.stop();
  });

  it("stop: no retry, resets failures, counts as an error and as terminal, logs once", async () => {
    const results: Result[] = [retry(new Error("no")), stop("the spec names no image")];
    const rig = controllerRig({ retry: noJitter, reconcile: () => results.shift() ?? done });
    rig.controller.enqueue(web);
    await rig.start();
    await rig.clock.advance(100_000);
    expect(rig.controller.inspectAll()).toEqual([]);
    expect(rig.metric("controller_runtime_terminal_reconcile_errors_total")).toBe(1);
    expect(rig.metric("controller_runtime_reconcile_errors_total")).toBe(2);
    expect(rig.metric("controller_runtime_reconcile_total")).toEqual({ error: 2 });
    expect(
      rig.runtime.log.entries.filter(({ message }) => message.startsWith("reconcile stopped")).map(({ fields }) => fields["reason"]),
    ).toEqual(["the spec names no image"]);
    await rig.stop();
  });

  it("a conflict: retried with a debug line, its own counter, and the same delays", async () => {
    const failures = [conflict(), new Error("update failed", { cause: conflict() })];
    const rig = controllerRig({
      retry: noJitter,
      reconcile: () => {
        if (failures.length > 0) throw failures.shift() as Error;
        return done;
      },
    });
    rig.controller.enqueue(web);
    await rig.start();
    await rig.clock.advance(5);
    expect(rig.controller.inspect(web)).toMatchObject({ attempts: 2, nextRunInMs: 10, causes: [{ type: "retry", isConflict: true }] });
    await rig.clock.advance(100);
    expect(rig.metric("drover_reconcile_conflicts_total")).toBe(2);
    expect(rig.metric("controller_runtime_reconcile_errors_total")).toBe(0);
    expect(rig.metric("controller_runtime_reconcile_total")).toEqual({ requeue: 2, success: 1 });
    expect(rig.runtime.log.entries.filter(({ level }) => level !== "debug")).toEqual([]);
    await rig.stop();
  });

  it("repeated conflicts: logged as a warning in the end", async () => {
    const rig = controllerRig({ retry: { jitter: 0, capMs: 5 }, reconcile: () => retry(conflict()) });
    rig.controller.enqueue(web);
    await rig.start();
    await rig.clock.advance(20);
    expect(rig.runtime.log.entries.filter(({ level }) => level !== "debug")).toEqual([]);
    await rig.clock.advance(5);
    expect(
      rig.runtime.log.entries.filter(({ level }) => level !== "debug").map(({ level, fields }) => [level, fields["attempts"]]),
    ).toEqual([["warn", 5]]);
    await rig.stop();
  });

  it("too many failures: parks the key, visible and logged once, until its next event (§9.10)", async () => {
    let isBroken = true;
    const rig = controllerRig({ retry: { max: 3, jitter: 0 }, reconcile: () => (isBroken ? retry(new Error("broken")) : done) });
    rig.controller.enqueue(web);
    await rig.start();
    await rig.clock.advance(1_000_000);
    expect(rig.controller.inspect(web)).toMatchObject({ state: "parked", attempts: 3, reason: "broken" });
    expect(rig.controller.state()).toMatchObject({ parked: 1, ready: 0, waiting: 0 });
    const told = rig.runtime.log.entries.filter(({ level }) => level === "warn");
    expect(told.map(({ fields }) => [fields["key"], (fields["error"] as Error).message])).toEqual([["shop/web", "broken"]]);
    expect([rig.controller.unpark(web), rig.controller.unpark(web)]).toEqual([true, false]);
    await rig.clock.settle();
    expect(rig.controller.inspect(web)).toMatchObject({ state: "waiting", attempts: 1 });
    isBroken = false;
    rig.source.request("shop/web");
    await rig.clock.settle();
    expect(rig.controller.inspectAll()).toEqual([]);
    await rig.stop();
  });

  it("an invalid result: fails with a message that names the controller and the four forms", async () => {
    const bad: unknown[] = [
      undefined,
      null,
      true,
      "done",
      {},
      { type: "again" },
      { type: "after", afterMs: Number.NaN },
      { type: "after", afterMs: -1 },
      { type: "done", priority: Infinity },
      { type: "stop" },
      Promise.resolve(),
      conflictOfJson(),
    ];
    const count = bad.length;
    const rig = controllerRig({ retry: { jitter: 0, capMs: 5 }, reconcile: () => (bad.length === 0 ? done : (bad.shift() as Result)) });
    rig.controller.enqueue(web);
    await rig.start();
    await rig.clock.advance(1000);
    const messages = rig.runtime.log.entries
      .filter(({ level }) => level === "error")
      .map(({ fields }) => (fields["error"] as Error).message);
    expect(messages.length).toBe(count);
    for (const message of messages)
      expect(message).toMatch(
        /^controller web: the reconcile of shop\/web returned .*; it must return done, after\(duration\), retry\(error\) or stop\(reason\)$/,
      );
    expect(rig.metric("controller_runtime_reconcile_panics_total")).toBe(count);
    await rig.stop();
  });

  it("anything thrown, immediately or later: is a retry; a failed assertion counts as a panic (§9.29)", async () => {
    const thrown: (() => unknown)[] = [
      () => new Error(""),
      () => "text",
      () => undefined,
      () => null,
      () => Object.create(null) as unknown,
      () => Symbol("s"),
      () => new AssertionError("not so"),
    ];
    const count = thrown.length * 2;
    const left = thrown.flatMap((what) => [
      { what, later: false },
      { what, later: true },
    ]);
    const rig = controllerRig({
      retry: { capMs: 5, jitter: 0 },
      reconcile: () => {
        const next = left.shift();
        if (next === undefined) return done;
        // oxlint-disable-next-line typescript/only-throw-error, typescript/prefer-promise-reject-errors -- people throw anything
        if (next.later) return Promise.reject(next.what());
        throw next.what();
      },
    });
    rig.controller.enqueue(web);
    await rig.start();
    await rig.clock.advance(1000);
    expect(rig.metric("controller_runtime_reconcile_total")).toEqual({ error: count, success: 1 });
    expect(rig.metric("controller_runtime_reconcile_panics_total")).toBe(2);
    await rig.stop();
  });

  it("observes the duration of each run", async () => {
    const rig = controllerRig({
      reconcile: async () => {
        await new Promise<void>((resolve) => {
          rig.clock.timer(250, resolve);
        });
        return done;
      },
    });
    rig.controller.enqueue(web);
    await rig.start();
    expect(rig.metric("controller_runtime_active_workers")).toBe(1);
    await rig.clock.advance(250);
    expect(rig.metric("controller_runtime_reconcile_time_seconds")).toBe(0.25);
    expect(rig.metric("controller_runtime_active_workers")).toBe(0);
    await rig.stop();
  });
});

/** An object that cannot be printed. */
function conflictOfJson(): unknown {
  const object: Record<string, unknown> = {};
  object["self"] = object;
  return object;
}
