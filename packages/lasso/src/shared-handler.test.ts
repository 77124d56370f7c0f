import { ApiError, newConflict, objectKey } from "@drover/machinery";
import type { KubeObject, ObjectMeta } from "@drover/machinery";
import { metricValues, testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { ErrIgnore } from "./err-ignore.ts";
import { RetryAfterError } from "./retry-after-error.ts";
import { SharedHandler } from "./shared-handler.ts";
import type { SharedControllerHandler } from "./shared-handler.ts";
import { handlerContext } from "./testing/handler-context.ts";

const key = objectKey("web", "shop");
const object = (metadata: Partial<ObjectMeta> = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", namespace: "shop", uid: "u1", resourceVersion: "1", ...metadata },
});
const deletionTimestamp = "2026-01-01T00:00:00Z";

function stage() {
  const runtime = testRuntime();
  const shared = new SharedHandler({ runtime, controllerName: "pods", contextId: "east" });
  const always = new AbortController().signal;
  const ran: string[] = [];
  const note =
    (name: string): SharedControllerHandler =>
    (_key, seen) =>
      void ran.push(`${name}@${seen?.metadata.resourceVersion ?? "none"}`);
  const run = (seen?: KubeObject): Promise<void> => shared.onChange(key, seen, handlerContext({ runtime }));
  return { runtime, shared, always, ran, note, run };
}

describe("SharedHandler", () => {
  it("runs handlers in the order of their registration, each with the object that the previous one returned (§3.26)", async () => {
    const { shared, always, ran, note, run } = stage();
    shared.register(always, "z", (_key, seen) => (ran.push(`z@${seen?.metadata.resourceVersion}`), object({ resourceVersion: "2" })));
    shared.register(
      always,
      "a",
      (_key, seen) => (ran.push(`a@${seen?.metadata.resourceVersion}`), Promise.resolve(object({ resourceVersion: "3" }))),
    );
    shared.register(always, "m", note("m"));
    await run(object());
    expect(ran).toEqual(["z@1", "a@2", "m@3"]);
    expect(shared.names).toEqual(["z", "a", "m"]);
  });

  it("keeps the object if a handler returns nothing, or an object without a uid", async () => {
    const { shared, always, ran, note, run } = stage();
    shared.register(always, "nothing", () => undefined);
    shared.register(always, "blank", () => object({ uid: "", resourceVersion: "9" }));
    shared.register(always, "last", note("last"));
    await run(object());
    expect(ran).toEqual(["last@1"]);
  });

  it("calls handlers without an object if there is none, and lets them return one", async () => {
    const { shared, always, ran, note, run } = stage();
    shared.register(always, "first", note("first"));
    shared.register(always, "made", () => object({ resourceVersion: "5" }));
    shared.register(always, "last", note("last"));
    await run(undefined);
    expect(ran).toEqual(["first@none", "last@5"]);
  });

  it("runs all handlers after an error, and names the one that failed", async () => {
    const { shared, always, ran, note, run } = stage();
    shared.register(always, "bad", () => {
      throw new Error("no luck");
    });
    shared.register(always, "good", note("good"));
    await expect(run(object())).rejects.toThrow(/^handler bad: no luck$/);
    expect(ran).toEqual(["good@1"]);
    shared.register(always, "worse", () => Promise.reject(new Error("none at all")));
    await expect(run(object())).rejects.toThrow(/^handler bad: no luck, handler worse: none at all$/);
  });

  it("ignores ErrIgnore, also as a cause, and does not count it as an error", async () => {
    const { runtime, shared, always, run } = stage();
    shared.register(always, "bare", () => {
      throw ErrIgnore;
    });
    shared.register(always, "wrapped", () => Promise.reject(new Error("not yet", { cause: ErrIgnore })));
    await run(object());
    expect(metricValues(runtime.metrics, "lasso_controller_total_handler_execution")).toEqual({
      "east,pods,bare,false": 1,
      "east,pods,wrapped,false": 1,
    });
  });

  it("runs the key again on RetryAfterError: the shortest delay counts, and a failure takes precedence", async () => {
    const { runtime, shared, always, run } = stage();
    shared.register(always, "slow", () => {
      throw new RetryAfterError(30_000);
    });
    shared.register(always, "quick", () => {
      throw new RetryAfterError(2000);
    });
    await expect(run(object())).rejects.toMatchObject({ name: "RetryAfterError", afterMs: 2000 });
    expect(metricValues(runtime.metrics, "lasso_controller_total_handler_execution")).toEqual({
      "east,pods,slow,false": 1,
      "east,pods,quick,false": 1,
    });
    shared.register(always, "bad", () => Promise.reject(new ApiError(newConflict({ group: "", resource: "pods" }, "web", "changed"))));
    await expect(run(object())).rejects.toThrow("handler bad: ");
  });

  it("trap: rejects a second handler of the same name, because one would hide the other", () => {
    const { shared, always } = stage();
    shared.register(always, "count", () => undefined);
    expect(() => shared.register(always, "count", () => undefined)).toThrow("handler count of pods is already registered");
  });

  it("removes handlers with their signals, and frees the name", async () => {
    const { shared, always, ran, note, run } = stage();
    const stop = new AbortController();
    shared.register(stop.signal, "gone", note("gone"));
    shared.register(always, "stays", note("stays"));
    stop.abort();
    await run(object());
    shared.register(stop.signal, "late", note("late"));
    expect([ran, shared.names]).toEqual([["stays@1"], ["stays"]]);
    shared.register(always, "gone", note("again"));
    await run(object());
    expect(ran).toEqual(["stays@1", "stays@1", "again@1"]);
  });

  it("trap: neither skips nor repeats a handler when another is removed while the chain runs", async () => {
    const { shared, always, ran, note, run } = stage();
    const [early, late] = [new AbortController(), new AbortController()];
    shared.register(early.signal, "early", note("early"));
    shared.register(always, "leaver", () => {
      early.abort();
      late.abort();
      shared.register(always, "newcomer", note("newcomer"));
    });
    shared.register(late.signal, "late", note("late"));
    shared.register(always, "last", note("last"));
    await run(object());
    expect(ran).toEqual(["early@1", "last@1"]);
  });

  it("traps 26 and 30: gives handlers their causes, a signal, a client, and a log that names them", async () => {
    const { runtime, shared, always } = stage();
    const context = handlerContext({ runtime, causes: [{ type: "enqueue", note: "asked for" }], causeCount: 1, attempts: 2, priority: 7 });
    const seen: unknown[] = [];
    shared.register(always, "curious", (_key, _object, { causes, causeCount, attempts, priority, signal, draining, client, run, log }) => {
      seen.push({ causes, causeCount, attempts, priority, signal, draining, client, run });
      log.info("looking");
    });
    await shared.onChange(key, object(), context);
    const { log: _log, ...rest } = context;
    expect(seen).toEqual([rest]);
    expect(runtime.log.entries).toMatchObject([{ message: "looking", fields: { handler: "curious" } }]);
  });

  it("counts calls and their duration by handler and outcome", async () => {
    const { runtime, shared, always, run } = stage();
    shared.register(always, "slow", () =>
      runtime.clock.advance(0).then(() => {
        throw new Error("no");
      }),
    );
    await expect(run(object())).rejects.toThrow("handler slow: no");
    expect(metricValues(runtime.metrics, "lasso_controller_total_handler_execution")).toEqual({ "east,pods,slow,true": 1 });
    expect(runtime.metrics.families().find(({ name }) => name === "lasso_controller_reconcile_time_seconds")).toBeDefined();
  });
});

describe("SharedHandler on an object whose last finalizer the chain has removed", () => {
  it("does not run handlers while only the cache still shows it, but ten seconds later (§3.7)", async () => {
    const { runtime, shared, always, run } = stage();
    const seen: (readonly string[] | undefined)[] = [];
    shared.register(always, "finish", (_key, current) => {
      seen.push(current?.metadata.finalizers);
      return current === undefined ? undefined : object({ deletionTimestamp, finalizers: (current.metadata.finalizers ?? []).slice(1) });
    });
    await run(object({ deletionTimestamp, finalizers: ["a", "b"] }));
    await run(object({ deletionTimestamp, finalizers: ["b"] }));
    await expect(run(object({ deletionTimestamp, finalizers: ["b"] }))).rejects.toMatchObject({ name: "RetryAfterError", afterMs: 10_000 });
    await expect(run(object({ deletionTimestamp }))).rejects.toMatchObject({ afterMs: 10_000 });
    expect(seen).toEqual([["a", "b"], ["b"]]);
    await run(undefined);
    expect(seen).toHaveLength(3);
    await runtime.clock.advance(60_000);
    await run(object({ deletionTimestamp }));
    expect(seen).toHaveLength(4);
  });

  it("works without any handler (§3.8)", async () => {
    const { run } = stage();
    await run(object({ deletionTimestamp }));
    await run(object({ deletionTimestamp, finalizers: ["a"] }));
    await run(undefined);
  });
});
