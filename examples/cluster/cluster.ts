/**
 * A Cluster is made by somebody else's API, which takes its time: it is asked for once, looked at until it is ready,
 * and given back before the object goes.
 */
import { condition, defineResource, isStatusConditionTrue, needOf, operator, writeStatus } from "drover";
import type { Duration, RunnableOperator } from "drover";
import { z } from "zod";
import type { Cloud } from "./cloud.ts";

export const Cluster = defineResource({
  group: "demo.drover.dev",
  version: "v1",
  kind: "Cluster",
  spec: z.object({ region: z.string().min(1), nodes: z.int().min(1).default(3) }),
  status: z.object({ id: z.string().default(""), endpoint: z.string().default("") }),
  columns: { Region: ".spec.region", Endpoint: ".status.endpoint" },
});

export interface ClusterOperatorOptions {
  readonly cloud: Cloud;
  /** How often the cloud is looked at while it works. @default "30s" */
  readonly every?: Duration;
}

export function clusterOperator({ cloud, every = "30s" }: ClusterOperatorOptions): RunnableOperator {
  const app = operator({ name: "cluster-operator" });
  app.controller(Cluster, {
    reconcile: async ({ object, client, clock, events, signal }) => {
      const {
        metadata: { uid = "" },
        spec,
        status,
      } = object;
      const { id, endpoint, state } = await cloud.ensure(uid, spec, { signal }); // by our uid: asking twice makes no second one
      const isReady = state === "ready";
      if (isReady && !isStatusConditionTrue(status?.conditions, "Ready")) events.normal("Created", `${id} is ready at ${endpoint}`);
      const told = {
        id,
        endpoint,
        conditions: [condition("Ready", isReady, isReady ? "Created" : "Creating", isReady ? "" : "the cloud is at work")],
      };
      await writeStatus(Cluster, object, told, { client, clock });
      return { after: isReady ? "1h" : every };
    },
    cleanup: async ({
      object: {
        metadata: { uid = "" },
      },
      signal,
    }) => {
      const machines = await cloud.remove(uid, { signal });
      return machines === undefined ? undefined : { after: every }; // only when nothing is left may the object go
    },
    needs: [needOf(Cluster, ["update"], { subresource: "status" })],
  });
  return app;
}
