/** `drover migrate` on our server and on the real one: afterwards the old version can be removed, and every object is there. */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { createClient } from "@drover/client";
import type { Client, NodeTransport } from "@drover/client";
import { isInvalid } from "@drover/machinery";
import type { Kind, KubeObject } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import { nodeRuntime } from "drover";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrate } from "../../packages/cli/src/migrate.ts";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const count = 1000;
const group = "migrate.example.com";
const name = `parcels.${group}`;
type Parcel = KubeObject & { spec?: { size?: number } };
const kind = (version: string): Kind<Parcel, "Namespaced"> => ({
  group,
  version,
  kind: "Parcel",
  listKind: "ParcelList",
  plural: "parcels",
  singular: "parcel",
  shortNames: [],
  categories: [],
  scope: "Namespaced",
  verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
  subresources: {},
});
const versions = (storage: string, names: readonly string[] = ["v1alpha1", "v1"]): CustomResourceDefinition["spec"]["versions"] =>
  names.map((version) => ({
    name: version,
    served: true,
    storage: version === storage,
    schema: {
      openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: { size: { type: "integer" } } } } },
    },
  }));

describeOnServers("drover migrate", ({ missing, start }) => {
  const runtime = nodeRuntime({ write: () => undefined });
  const log = recordingLog(runtime.clock);
  let server: SuiteServer | undefined;
  let transport: NodeTransport;
  let client: Client;

  beforeAll(async () => {
    if (missing !== undefined) return;
    server = await start();
    transport = server.transport({ clock: runtime.clock, log });
    client = createClient({ transport, clock: runtime.clock, log, namespace: "default" });
  }, 90_000);
  afterAll(async () => {
    if (server === undefined) return;
    await client.delete(CustomResourceDefinition, name).catch(() => undefined);
    transport.close();
    await server.stop();
  });

  const setVersions = (all: CustomResourceDefinition["spec"]["versions"]): Promise<unknown> =>
    client.patch(CustomResourceDefinition, name, { type: "merge", body: { spec: { versions: all } } });
  const storedIn = async (): Promise<Readonly<Record<string, number>>> => {
    const texts = (await server?.storedTexts(`/registry/${group}/parcels/`)) ?? [];
    const found: Record<string, number> = {};
    for (const text of texts) {
      const { apiVersion } = JSON.parse(text) as { readonly apiVersion: string };
      found[apiVersion] = (found[apiVersion] ?? 0) + 1;
    }
    return found;
  };

  it(`stores ${count} objects in the new version, after which the old one can be removed`, { timeout: 180_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    await client.create(CustomResourceDefinition, {
      metadata: { name },
      spec: { group, scope: "Namespaced", names: { plural: "parcels", kind: "Parcel" }, versions: versions("v1alpha1") },
    });
    await expect
      .poll(
        () =>
          client.list(kind("v1alpha1")).then(
            () => true,
            () => false,
          ),
        { timeout: 30_000 },
      )
      .toBe(true);
    for (let done = 0; done < count; done += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          client.create(kind("v1alpha1"), { metadata: { name: `p-${done + index}` }, spec: { size: done + index } }),
        ),
      );
    await setVersions(versions("v1"));
    await expect(setVersions(versions("v1", ["v1"]))).rejects.toSatisfy(isInvalid);
    expect(await storedIn()).toEqual({ [`${group}/v1alpha1`]: count });

    let said = "";
    await migrate(
      { definitions: [name], isDryRun: false, chunkSize: 300, kubeconfig: server?.kubeconfig, context: undefined },
      { write: (text) => void (said += text), isTerminal: false, signal: ctx.signal },
    );
    expect(said).toBe(
      `${name}\n  ${count} objects, ${count} written\n  all objects are stored in v1; v1alpha1 can be removed from spec.versions\n`,
    );
    expect(await storedIn()).toEqual({ [`${group}/v1`]: count });

    await setVersions(versions("v1", ["v1"]));
    const sizes: number[] = [];
    for await (const { spec } of client.listAll(kind("v1"))) sizes.push(spec?.size ?? -1);
    expect(sizes.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, index) => index));
  });
});
