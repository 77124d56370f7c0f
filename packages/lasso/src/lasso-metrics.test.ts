import { Pod } from "@drover/api/core/v1";
import { createMetrics, prometheusText } from "@drover/machinery";
import { expect, it } from "vitest";
import { metricValues } from "@drover/machinery/testing";
import { lassoMetrics } from "./lasso-metrics.ts";

it("lassoMetrics counts handlers and cached objects by context, under Lasso's names and labels", () => {
  const registry = createMetrics();
  const metrics = lassoMetrics(registry, "east");
  metrics.handled({ controllerName: "pods", handlerName: "count", hasError: false, seconds: 0.02 });
  metrics.handled({ controllerName: "pods", handlerName: "count", hasError: true, seconds: 3 });
  metrics.cachedObjects(Pod).set(7);
  const text = prometheusText(registry);
  expect(text).toContain(
    'lasso_controller_total_handler_execution{controller_name="pods",ctx="east",handler_name="count",has_error="true"} 1',
  );
  expect(text).toContain(
    'lasso_controller_reconcile_time_seconds_sum{controller_name="pods",ctx="east",handler_name="count",has_error="false"} 0.02',
  );
  expect(text).toContain('lasso_controller_total_cached_object{ctx="east",group="",kind="Pod",version="v1"} 7');
  metrics.forgetCache(Pod);
  expect(metricValues(registry, "lasso_controller_total_cached_object")).toEqual({});
});
