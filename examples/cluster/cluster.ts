/**
 * A Cluster is created through an external API that takes minutes: the operator requests it once, polls until it is
 * ready, and releases it before the object is deleted.
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
  /** Interval between polls while the cloud works. @default "30s" */
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
      const { id, endpoint, state } = await cloud.ensure(uid, spec, { signal }); // idempotent: the uid is the token
      const isReady = state === "ready";
      if (isReady && !isStatusConditionTrue(status?.conditions, "Ready")) events.normal("Created", `${id} is ready at ${endpoint}`);
      const told = {
        id,
        endpoint,
        conditions: [condition("Ready", isReady, isReady ? "Created" : "Creating", isReady ? "" : "waiting for the cloud")],
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
      return machines === undefined ? undefined : { after: every }; // keep the finalizer until the machines are gone
    },
    needs: [needOf(Cluster, ["update"], { subresource: "status" })],
  });
  return app;
}
