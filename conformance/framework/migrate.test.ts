/** `drover migrate` on our server and on the real one: afterwards the old version can be removed, and every object is there. */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { createClient } from "@drover/client";
import type { Client, NodeTransport } from "@drover/client";
import { isInvalid, isJsonObject } from "@drover/machinery";
import type { JsonObject, Kind, KubeObject } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import { nodeRuntime } from "drover";
import { afterAll, beforeAll, expect, it } from "vitest";
import { migrate } from "../../packages/cli/src/migrate.ts";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";
import { webhookEndpoint } from "../servers/webhook-endpoint.ts";
import type { Hook } from "../servers/webhook-endpoint.ts";

const count = 1000;
const group = "migrate.example.com";
const name = `parcels.${group}`;
const convertedName = `crates.${group}`;
type Parcel = KubeObject & { spec?: { size?: number } };
const kind = (version: string, word = "Parcel"): Kind<Parcel, "Namespaced"> => ({
  group,
  version,
  kind: word,
  listKind: `${word}List`,
  plural: `${word.toLowerCase()}s`,
  singular: word.toLowerCase(),
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

/** Converts by apiVersion alone; reviews with an object of this name fail. */
const convertsAllBut =
  (bad: string): Hook =>
  ({ objects, desiredAPIVersion = "" }) => {
    const all = Array.isArray(objects) ? objects.filter(isJsonObject) : [];
    const isBad = (object: JsonObject): boolean => isJsonObject(object["metadata"]) && object["metadata"]["name"] === bad;
    return all.some(isBad)
      ? { response: { result: { status: "Failure", message: `${bad} has no converted form` } } }
      : {
          response: {
            result: { status: "Success" },
            convertedObjects: all.map((object) => ({ ...object, apiVersion: desiredAPIVersion })),
          },
        };
  };

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
    for (const each of [name, convertedName]) await client.delete(CustomResourceDefinition, each).catch(() => undefined);
    transport.close();
    await server.stop();
  });

  const setVersions = (all: CustomResourceDefinition["spec"]["versions"]): Promise<unknown> =>
    client.patch(CustomResourceDefinition, name, { type: "merge", body: { spec: { versions: all } } });
  const storedIn = async (plural = "parcels"): Promise<Readonly<Record<string, number>>> => {
    const texts = (await server?.storedTexts(`/registry/${group}/${plural}/`)) ?? [];
    const found: Record<string, number> = {};
    for (const text of texts) {
      const { apiVersion } = JSON.parse(text) as { readonly apiVersion: string };
      found[apiVersion] = (found[apiVersion] ?? 0) + 1;
    }
    return found;
  };

  it(`stores ${count} objects in the new version, after which the old one can be removed`, { timeout: 300_000 }, async (ctx) => {
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

  it("names an object that its conversion webhook rejects, and stores the others", { timeout: 300_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    const endpoint = await webhookEndpoint();
    const run = async (): Promise<string> => {
      let said = "";
      await migrate(
        { definitions: [convertedName], isDryRun: false, chunkSize: 2, kubeconfig: server?.kubeconfig, context: undefined },
        { write: (text) => void (said += text), isTerminal: false, signal: ctx.signal },
      ).catch((error: unknown) => (said += `\n${String(error)}`));
      return said;
    };
    try {
      endpoint.set("convert", convertsAllBut("bad"));
      await client.create(CustomResourceDefinition, {
        metadata: { name: convertedName },
        spec: { group, scope: "Namespaced", names: { plural: "crates", kind: "Crate" }, versions: versions("v1alpha1") },
      });
      const old = kind("v1alpha1", "Crate");
      await expect
        .poll(
          () =>
            client.list(old).then(
              () => true,
              () => false,
            ),
          { timeout: 30_000 },
        )
        .toBe(true);
      for (const each of ["a", "bad", "c"]) await client.create(old, { metadata: { name: each } });
      const clientConfig = { url: endpoint.url("convert"), caBundle: endpoint.caBundle };
      const conversion = { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"], clientConfig } };
      await client.patch(CustomResourceDefinition, convertedName, {
        type: "merge",
        body: { spec: { versions: versions("v1"), conversion } },
      });

      const failed = (await run()).replaceAll(/\s+/g, " ");
      expect(failed).toContain(
        `failed default/bad: conversion webhook for ${group}/v1alpha1, Kind=Crate failed: bad has no converted form`,
      );
      expect(failed).toContain("3 objects, 2 written, 1 failed status.storedVersions still has v1alpha1");
      expect(failed).toContain(`${convertedName} not migrated`);
      expect(await storedIn("crates")).toEqual({ [`${group}/v1`]: 2, [`${group}/v1alpha1`]: 1 });

      endpoint.set("convert", convertsAllBut("none"));
      expect(await run()).toContain("  3 objects, 1 written\n  all objects are stored in v1");
      expect(await storedIn("crates")).toEqual({ [`${group}/v1`]: 3 });
    } finally {
      await client.delete(CustomResourceDefinition, convertedName).catch(() => undefined);
      await endpoint.close();
    }
  });
});
