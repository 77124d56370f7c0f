/** The resource of the operator tests, with functions to create and read it. */
import { ConfigMap, Secret } from "@drover/api/core/v1";
import { Event } from "@drover/api/events/v1";
import { isNotFound } from "@drover/machinery";
import type { Kind, KubeObject } from "@drover/machinery";
import { createOperator, defineResource, reference } from "../../index.ts";
import type { Operator } from "../../index.ts";
import { z } from "zod";
import type { OperatorScene } from "../operator-scene.ts";

/** The resource that the operators under test manage. */
export const WebApp = defineResource({
  group: "demo.drover.dev",
  version: "v1",
  kind: "WebApp",
  spec: z.object({
    image: z.string().min(1),
    replicas: z.int().min(0).default(1),
    host: z.string().optional(),
    tls: reference(Secret, z.string()).optional(),
    mounts: z.array(z.object({ from: reference(ConfigMap, z.string()) })).default([]),
  }),
  status: z.object({ ready: z.int().default(0) }),
});
type Spec = Partial<{ image: string; replicas: number; host: string; tls: string; mounts: { from: string }[] }>;

/** Creates a WebApp with this spec and defaults for the rest. */
export const create = ({ client }: OperatorScene, name: string, spec: Spec = {}): Promise<unknown> =>
  client
    .dynamic(WebApp)
    .create({ apiVersion: "demo.drover.dev/v1", kind: "WebApp", metadata: { name }, spec: { image: "shop:1", ...spec } });
/** Patches a WebApp with a merge patch. */
export const patch = ({ client }: OperatorScene, name: string, body: object): Promise<unknown> =>
  client.patch(WebApp, name, { type: "merge", body });

/** Returns undefined if the object does not exist. */
export async function find<T extends KubeObject>(
  { client }: OperatorScene,
  kind: Kind<T>,
  name: string,
  namespace = "default",
): Promise<T | undefined> {
  try {
    return await client.get(kind as Kind<T, "Namespaced">, name, kind.scope === "Cluster" ? {} : { namespace });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Conditions as "Ready True Fine: all is well". */
export const conditionsOf = async (running: OperatorScene, name: string): Promise<readonly string[]> =>
  ((await find(running, WebApp, name))?.status?.conditions ?? []).map(
    ({ type, status, reason, message }) => `${type} ${status} ${reason}${message === "" ? "" : `: ${message}`}`,
  );

/** Events as "Warning Failed: no". */
export async function eventsOf({ client, settle }: OperatorScene): Promise<readonly string[]> {
  await settle(10_000);
  const { items } = await client.list(Event, { namespace: "*" });
  return items.map(({ type, reason, note }) => `${type} ${reason}: ${note}`);
}

/** An operator that keeps a ConfigMap with the image of each WebApp. */
export function copies(name = "shop"): Operator {
  const app = createOperator({ name });
  app.controller(WebApp, {
    owns: { copy: ConfigMap },
    desired: ({ object }) => ({ copy: { metadata: { name: object.metadata.name }, data: { image: object.spec.image } } }),
  });
  return app;
}
