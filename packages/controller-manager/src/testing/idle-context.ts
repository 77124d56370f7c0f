/** A manager that never runs, to inspect what controllers add to it. */
import { createEventBroadcaster, createManager } from "@drover/controller";
import { createCluster } from "@drover/cache";
import type { Controller } from "@drover/controller";
import { testRuntime } from "@drover/machinery/testing";
import type { ControllerContext } from "../host/controller-descriptor.ts";

export interface IdleContext {
  readonly context: ControllerContext;
  /** Controllers created through its manager. */
  readonly controllers: readonly Controller[];
}

export function idleContext(): IdleContext {
  const runtime = testRuntime();
  const cluster = createCluster({ runtime, namespace: "default", transport: () => Promise.reject(new Error("the manager must not run")) });
  const manager = createManager({ runtime, cluster });
  const controllers: Controller[] = [];
  const make = manager.controller.bind(manager);
  manager.controller = (options) => {
    const made = make(options);
    controllers.push(made);
    return made;
  };
  return { context: { manager, events: createEventBroadcaster({ ...runtime, client: cluster.client }), preset: "drover" }, controllers };
}
