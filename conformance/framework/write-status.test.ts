/**
 * A status is written once on a server, whatever the type of its conditions: the stored status equals the stated one,
 * as far as the kind has fields for it, so a second run sends nothing.
 */
import { createClient } from "@drover/client";
import type { Client, NodeTransport } from "@drover/client";
import type { HttpRequest, Kind, KubeObject } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import { condition, writeStatus } from "@drover/patterns";
import { nodeRuntime } from "drover";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { bodyOf, kindOf } from "../apiserver/kind-requests.ts";
import { minimalObjects } from "../apiserver/minimal-objects.ts";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const keys = [
  "/v1/Namespace",
  "/v1/Node",
  "/v1/PersistentVolumeClaim",
  "/v1/Pod",
  "/v1/ReplicationController",
  "/v1/Service",
  "apps/v1/DaemonSet",
  "apps/v1/Deployment",
  "apps/v1/ReplicaSet",
  "apps/v1/StatefulSet",
  "autoscaling/v2/HorizontalPodAutoscaler",
  "batch/v1/Job",
  "policy/v1/PodDisruptionBudget",
] as const;

describeOnServers("a status with conditions", ({ missing, start }) => {
  const runtime = nodeRuntime({ write: () => undefined });
  const { clock } = runtime;
  const log = recordingLog(clock);
  const sent: string[] = [];
  let server: SuiteServer | undefined;
  let transport: NodeTransport;
  let client: Client;

  beforeAll(async () => {
    if (missing !== undefined) return;
    server = await start();
    transport = server.transport({ clock, log });
    const noted = (request: HttpRequest): ReturnType<NodeTransport> => (sent.push(request.method), transport(request));
    client = createClient({ transport: noted, clock, log, namespace: "default" });
  }, 90_000);
  afterAll(async () => {
    if (server === undefined) return;
    transport.close();
    await server.stop();
  });

  beforeEach((ctx) => {
    if (server === undefined) ctx.skip(missing);
  });

  it.each(keys)("is written once: %s", async (key) => {
    const kind = kindOf(key) as Kind<KubeObject, "Namespaced", "status">;
    const made = await client.create(kind, bodyOf(kind, minimalObjects[key] ?? {}, "stated-once") as unknown as KubeObject);
    const { conditions: _conditions, ...rest } = (made as { readonly status?: Readonly<Record<string, unknown>> }).status ?? {};
    const stated = { ...rest, conditions: [condition("Suspended", false, "NotAsked")] };
    const written = await writeStatus(kind, made, stated, { client, clock });
    expect(written).toMatchObject({ status: { conditions: [{ type: "Suspended", status: "False", reason: "NotAsked" }] } });
    sent.length = 0;
    expect(await writeStatus(kind, written, stated, { client, clock })).toBe(written);
    expect(sent).toEqual([]);
    await client.delete(kind, "stated-once");
  });
});
