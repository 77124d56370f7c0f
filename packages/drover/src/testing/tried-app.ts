/**
 * Small operators for tests of the harness itself.
 *
 *     appOf({ name: (memory) => work }) → HarnessApp
 */
import { ConfigMap, Secret } from "@drover/api/core/v1";
import { controllerBuilder, createManager, done } from "@drover/controller";
import { createCluster } from "@drover/cache";
import type { ReconcileContext, Result } from "@drover/controller";
import { newControllerRef } from "@drover/machinery";
import type { DeepReadonly } from "@drover/machinery";
import type { HarnessApp } from "../harness/harness-app.ts";

/** What a controller does with one ConfigMap. */
export type Work = (source: DeepReadonly<ConfigMap>, context: ReconcileContext) => Promise<Result | undefined | void> | Result;

/** One or more controllers of ConfigMaps, each with the Secrets it owns. */
export function appOf(works: Readonly<Record<string, (memory: Map<string, number>) => Work>>): HarnessApp {
  return ({ runtime, transport, namespace, tape, permissions }) => {
    const cluster = createCluster({ runtime, transport, namespace, fieldManager: "app" });
    const manager = createManager({ runtime, cluster, tape, permissions });
    const controllers = Object.entries(works).map(([name, make]) => {
      const work = make(new Map());
      return controllerBuilder({ cluster, name, create: (options) => manager.controller(options) })
        .for(ConfigMap, { request: { namespace } })
        .owns(Secret)
        .reconcileObject(async (source, context) => (await work(source, context)) ?? done);
    });
    return { manager, controllers, run: (signal) => manager.run(signal) };
  };
}

const copy: Work = async (source, { client }) => {
  await client.apply(
    Secret,
    {
      metadata: { name: source.metadata.name ?? "", ownerReferences: [newControllerRef(source, ConfigMap)] },
      stringData: { ...source.data },
    },
    { force: true },
  );
};

/** Creates a Secret with the same data for every ConfigMap. */
export const copies: HarnessApp = appOf({ copies: () => copy });
