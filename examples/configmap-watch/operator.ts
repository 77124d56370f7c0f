/** The same with operator(), which creates the informer, the queue and the workers. */
import { operator } from "drover";
import type { RunnableOperator } from "drover";
import { ConfigMap } from "drover/kinds";
import type { ExamplePlace } from "../example-place.ts";

export function configMapOperator(say: ExamplePlace["say"]): RunnableOperator {
  const app = operator({ name: "configmap-watch" });
  app.controller(ConfigMap, {
    reconcile: ({ key, object }) =>
      say(`ConfigMap ${key} is at version ${object.metadata.resourceVersion ?? ""}: ${JSON.stringify(object.data ?? {})}`),
  });
  return app;
}
