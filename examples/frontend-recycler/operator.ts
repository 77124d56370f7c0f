/** The same with operator(), which retries failed reconciles. */
import { needOf, operator } from "drover";
import type { RunnableOperator } from "drover";
import { ConfigMap, Pod } from "drover/kinds";
import type { ExamplePlace } from "../example-place.ts";
import { configName, recycle } from "./recycle.ts";

export function frontendOperator(say: ExamplePlace["say"]): RunnableOperator {
  const app = operator({ name: "frontend-recycler" });
  app.controller(ConfigMap, {
    when: ({ metadata }) => metadata.name === configName,
    reconcile: ({ object, client }) => recycle(object, { client, say }),
    needs: [needOf(ConfigMap, ["get", "create", "update", "patch"]), needOf(Pod, ["list", "delete"])],
  });
  return app;
}
