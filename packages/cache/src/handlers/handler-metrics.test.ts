import { createMetrics, prometheusText } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { handlerMetrics } from "./handler-metrics.ts";

describe("handlerMetrics", () => {
  it("counts per handler and ends its series with the handler", () => {
    const metrics = createMetrics();
    const handlers = handlerMetrics(metrics, "pods");
    const mine = handlers.of("mine");
    handlers.of("yours");
    for (const what of ["error", "error", "givenUp", "merged"] as const) mine.count(what);
    mine.pending(3);
    const lines = (): string[] =>
      prometheusText(metrics)
        .split("\n")
        .filter((line) => line.includes('"mine"'));
    expect(lines()).toEqual(
      [
        'errors_total{handler="mine",name="pods"} 2',
        'given_up_total{handler="mine",name="pods"} 1',
        'merged_total{handler="mine",name="pods"} 1',
        'pending_keys{handler="mine",name="pods"} 3',
      ].map((line) => `informer_handler_${line}`),
    );
    handlers.forget("mine");
    expect([lines(), prometheusText(metrics).includes('"yours"')]).toEqual([[], true]);
  });
});
