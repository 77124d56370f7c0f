import { ApiError, newConflict, newForbidden } from "@drover/machinery";
import type { ObjectKey } from "@drover/machinery";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { DeadlineError } from "./deadline-error.ts";
import { FailureLog } from "./failure-log.ts";
import type { FailedRun } from "./failure-log.ts";
import { keyOf } from "./testing/controller-rig.ts";

const web = keyOf("shop/web");

function rig(): {
  readonly fail: (text: string, over?: Partial<FailedRun>) => void;
  readonly succeed: (key?: ObjectKey) => void;
  readonly pass: (ms: number) => Promise<void>;
  readonly taken: () => string[];
} {
  const { clock, log } = testRuntime();
  const failures = new FailureLog(log.with({ controller: "webapp" }), clock);
  let read = 0;
  return {
    fail: (text, over = {}) =>
      failures.failed({
        key: web,
        run: "r-1",
        attempts: 0,
        error: new Error(text),
        isConflict: false,
        isParked: false,
        retryInMs: 640.4,
        ...over,
      }),
    succeed: (key = web) => failures.succeeded(key),
    pass: async (ms) => await clock.advance(ms),
    taken: () => {
      const entries = log.entries.slice(read).filter(({ level }) => level !== "debug");
      read = log.entries.length;
      return entries.map(({ level, message, fields }) =>
        [level, message, ...(typeof fields["times"] === "number" ? [fields["times"]] : [])].join(" "),
      );
    },
  };
}

describe("FailureLog", () => {
  it("writes a failure as one short line: controller, object, error, retry", () => {
    const { clock, log } = testRuntime();
    const failures = new FailureLog(log.with({ controller: "webapp" }), clock);
    failures.failed({
      key: web,
      run: "r-1",
      attempts: 2,
      error: new Error("no room"),
      isConflict: false,
      isParked: false,
      retryInMs: 640.4,
    });
    expect(log.entries).toMatchObject([
      {
        level: "error",
        message: "reconcile failed",
        fields: { controller: "webapp", key: "shop/web", retryIn: "640ms", attempts: 2, run: "r-1" },
      },
    ]);
  });

  it("has the code of the problem: that of the server's refusal, else that of the error, and one for parked keys", () => {
    const { clock, log } = testRuntime();
    const failures = new FailureLog(log, clock);
    const codeOf = (error: unknown, isParked = false): unknown => {
      failures.failed({ key: web, run: "r-1", attempts: 0, error, isConflict: false, isParked, retryInMs: 1 });
      return log.entries.at(-1)?.fields["code"];
    };
    const refusal = newForbidden({ group: "", resource: "pods" }, "a", 'User "x" cannot get resource "pods" in API group ""');
    const late = new DeadlineError({ controller: "web", key: "shop/web", deadlineMs: 1 });
    expect([codeOf(new ApiError(refusal)), codeOf(late), codeOf(late, true), codeOf(new Error("no"))]).toEqual([
      "DRV0422",
      "DRV0407",
      "DRV0409",
      undefined,
    ]);
  });

  it("writes the same failure of a key the first, second, fourth and eighth time, and once per silence", async () => {
    const { fail, pass, taken } = rig();
    for (let time = 1; time <= 9; time++) fail("no room");
    expect(taken()).toEqual(["error reconcile failed", "error reconcile failed 2", "error reconcile failed 4", "error reconcile failed 8"]);
    await pass(300_000);
    fail("no room");
    expect(taken()).toEqual(["error reconcile failed 10"]);
    fail("no room");
    expect(taken()).toEqual([]);
  });

  it("writes another failure, another key, and the first one after a success", () => {
    const { fail, succeed, taken } = rig();
    fail("a");
    fail("a");
    fail("b");
    fail("b", { key: keyOf("shop/db") });
    expect(taken()).toHaveLength(4);
    succeed();
    succeed();
    succeed(keyOf("shop/other"));
    expect(taken()).toEqual(["info reconciled after failures 1"]);
    fail("b");
    expect(taken()).toEqual(["error reconcile failed"]);
  });

  it("writes conflicts only when they persist, and a parked key always", () => {
    const { fail, taken } = rig();
    const error = new ApiError(newConflict({ group: "", resource: "pods" }, "web", "changed"));
    for (let attempts = 0; attempts < 8; attempts++) fail("", { error, isConflict: true, attempts });
    expect(taken().map((line) => line.slice(0, 25))).toEqual(["warn persistent conflict:", "warn persistent conflict:"]);
    fail("a", { isParked: true });
    fail("a", { isParked: true });
    expect(taken()).toHaveLength(2);
  });

  it("forgets the oldest of many keys, whose next failure is written again", () => {
    const { fail, taken } = rig();
    for (let index = 0; index <= 1_000; index++) fail("no room", { key: keyOf(`shop/web-${index}`) });
    taken();
    fail("no room", { key: keyOf("shop/web-1") });
    fail("no room", { key: keyOf("shop/web-0") });
    expect(taken()).toEqual(["error reconcile failed 2", "error reconcile failed"]);
  });
});
