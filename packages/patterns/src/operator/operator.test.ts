import { ConfigMap } from "@drover/api/core/v1";
import { timerSource } from "@drover/controller";
import { testRuntime } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { createOperator } from "./operator.ts";
import type { OperatorRun } from "./operator-place.ts";
import type { Operator } from "./operator.ts";

const silent = (): Promise<never> => new Promise(() => undefined);
const runOf = (app: Operator): OperatorRun => app.runOn({ runtime: testRuntime(), transport: silent });

describe("createOperator", () => {
  it("sends no request when a run is prepared, and each run has what was declared until then", () => {
    let requests = 0;
    const app = createOperator({ name: "shop" });
    const controller = app.controller(ConfigMap, { reconcile: () => undefined });
    const first = app.runOn({
      runtime: testRuntime(),
      transport: () => {
        requests++;
        return silent();
      },
    });
    controller.watch((cluster) => timerSource({ runtime: cluster.runtime, every: 1000, keys: () => [] }));
    const second = runOf(app);
    expect(requests).toBe(0);
    expect([first, second].map(({ controllers }) => controllers[0]?.state().watches.length)).toEqual([1, 2]);
    expect(first.manager).not.toBe(second.manager);
    expect(first.kinds).toEqual([ConfigMap]);
  });

  it("rejects an empty list of namespaces", () => {
    const app = createOperator({ name: "shop" });
    expect(() => app.runOn({ runtime: testRuntime(), transport: silent, watchNamespaces: [] })).toThrow("watchNamespaces is empty");
  });
});
