import { testRuntime } from "@drover/machinery/testing";
import type { TestRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { HandlerRunner } from "./handler-runner.ts";
import type { ChangeHandler, HandlerOptions } from "./handler-runner.ts";
import { AddedChange } from "../store/change.ts";
import { podVersion } from "../testing/pod-version.ts";
import type { TestPod } from "../testing/pod-version.ts";

const added = (key: string): AddedChange<TestPod> => new AddedChange({ version: podVersion(key, 1), isInInitialList: false });

function stage(
  handler: ChangeHandler<TestPod>,
  options: HandlerOptions = {},
): { runtime: TestRuntime; runner: HandlerRunner<TestPod>; tell: (key: string) => void } {
  const runtime = testRuntime();
  const runner = new HandlerRunner<TestPod>(
    {
      ...runtime,
      handler,
      name: "mine",
      sliceMs: 10,
      metrics: { count: () => undefined, pending: () => undefined },
      onRemoved: () => undefined,
    },
    options,
  );
  return { runtime, runner, tell: (key) => runner.tell(added(key)) };
}

describe("HandlerRunner", () => {
  it("never calls a handler from within itself", async () => {
    const told: string[] = [];
    let depth = 0;
    const { runtime, tell } = stage(({ key }) => {
      expect(++depth).toBe(1);
      told.push(key);
      if (key === "a") tell("b");
      depth--;
    });
    tell("a");
    expect(told).toEqual(["a"]);
    await runtime.clock.runAll();
    expect(told).toEqual(["a", "b"]);
  });

  it("uses one timer for all calls, and warns once about each slow call", async () => {
    const ends: (() => void)[] = [];
    const { runtime, runner, tell } = stage(
      () =>
        new Promise<void>((resolve) => {
          ends.push(resolve);
        }),
      { warnAfterMs: 1000 },
    );
    const late = (): unknown[] => runtime.log.entries.map(({ fields }) => fields["key"]);
    tell("a");
    tell("b");
    await runtime.clock.advance(600);
    ends.shift()?.();
    await runtime.clock.advance(900);
    expect([late(), runtime.clock.pending.length]).toEqual([[], 1]);
    await runtime.clock.advance(200);
    expect(late()).toEqual(["b"]);
    await runtime.clock.advance(100_000);
    expect([late(), runner.state().running]).toEqual([["b"], { key: "b", ms: 101_100 }]);
    ends.shift()?.();
    await runtime.clock.settle();
    tell("c");
    await runtime.clock.advance(1000);
    expect(late()).toEqual(["b", "c"]);
    runner.remove();
    expect(runtime.clock.pending).toEqual([]);
  });

  it("awaits every thenable, and treats other results as done", async () => {
    // oxlint-disable-next-line unicorn/no-thenable -- promises of other libraries are just that
    const results: unknown[] = [{ then: (resolve: () => void) => resolve() }, 7, null, undefined];
    const told: string[] = [];
    const { runtime, tell } = stage(({ key }) => {
      told.push(key);
      return results.shift() as undefined;
    });
    for (const key of ["a", "b", "c", "d"]) tell(key);
    await runtime.clock.runAll();
    expect(told).toEqual(["a", "b", "c", "d"]);
  });
});
