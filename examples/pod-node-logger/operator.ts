/** The same with operator(). */
import { operator } from "drover";
import type { RunnableOperator } from "drover";
import { Pod } from "drover/kinds";
import type { ExamplePlace } from "../example-place.ts";
import { NodeLog } from "./node-log.ts";

export function podNodeOperator(say: ExamplePlace["say"]): RunnableOperator {
  const app = operator({ name: "pod-node-logger" });
  const log = new NodeLog(say);
  app.controller(Pod, { reconcile: ({ key, object }) => log.look(key, object) });
  return app;
}
