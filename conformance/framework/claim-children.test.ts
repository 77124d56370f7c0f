/**
 * Adoption and release of children on a server: ours and the real one accept the same patches, for kinds with strategic
 * patches and for custom resources, which have none.
 */
import { ReplicaSet } from "@drover/api/apps/v1";
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { ConfigMap } from "@drover/api/core/v1";
import { createClient } from "@drover/client";
import type { Client, NodeTransport } from "@drover/client";
import { isControlledBy, parseSelector } from "@drover/machinery";
import type { DeepReadonly, Kind, KubeObject, OwnerReference } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import { claimChildren, ClaimError, defineResource, installResource } from "@drover/patterns";
import { nodeRuntime } from "drover";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const Gadget = defineResource({ group: "claims.example.com", version: "v1", kind: "Gadget", spec: z.object({}) });
const selector = parseSelector("app=web");
const other: OwnerReference = { apiVersion: "v1", kind: "Node", name: "n1", uid: "c5a2f5c0-0000-4000-8000-000000000001" };
const finalizer = "claims.example.com/counted";

describeOnServers("claimed children", ({ missing, start }) => {
  const runtime = nodeRuntime({ write: () => undefined });
  const log = recordingLog(runtime.clock);
  let server: SuiteServer | undefined;
  let transport: NodeTransport;
  let client: Client;
  let owner: ReplicaSet;

  beforeAll(async () => {
    if (missing !== undefined) return;
    server = await start();
    transport = server.transport({ clock: runtime.clock, log });
    client = createClient({ transport, clock: runtime.clock, log, namespace: "default" });
    await installResource(client, Gadget);
    const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "web" }] } };
    owner = await client.create(ReplicaSet, {
      metadata: { name: "claimer" },
      spec: { replicas: 0, selector: { matchLabels: { app: "web" } }, template },
    });
  }, 90_000);
  afterAll(async () => {
    if (server === undefined) return;
    await client.delete(CustomResourceDefinition, "gadgets.claims.example.com").catch(() => undefined);
    transport.close();
    await server.stop();
  });

  for (const kind of [ConfigMap, Gadget] as readonly Kind<KubeObject, "Namespaced">[]) {
    const create = (name: string, labels: Record<string, string>, ownerReferences: OwnerReference[] = []): Promise<KubeObject> =>
      client.create(kind, {
        metadata: { name, labels, ownerReferences, finalizers: ["claims.example.com/theirs"] },
        ...(kind.kind === "Gadget" ? { spec: {} } : {}),
      });
    const claimed = (children: readonly DeepReadonly<KubeObject>[]): Promise<readonly DeepReadonly<KubeObject>[]> =>
      claimChildren(children, { owner, ownerKind: ReplicaSet, childKind: kind, selector, client, finalizers: [finalizer] });

    it(`of kind ${kind.kind} are adopted, kept and released, and keep the fields of others`, { timeout: 60_000 }, async (ctx) => {
      if (missing !== undefined) ctx.skip(missing);
      const orphan = await create(`${kind.plural}-orphan`, { app: "web" }, [other]);
      const [adopted] = await claimed([orphan]);
      // A strategic patch puts the new reference first, a merge patch last.
      expect(adopted?.metadata.ownerReferences?.toSorted((a, b) => (a.kind < b.kind ? -1 : 1))).toEqual([
        other,
        { apiVersion: "apps/v1", kind: "ReplicaSet", name: "claimer", uid: owner.metadata.uid, controller: true, blockOwnerDeletion: true },
      ]);
      expect(adopted?.metadata.finalizers?.toSorted()).toEqual([finalizer, "claims.example.com/theirs"]);
      expect((await claimed([adopted as DeepReadonly<KubeObject>]))[0]).toBe(adopted);

      const stray = await client.patch(kind, orphan.metadata.name ?? "", {
        type: "merge",
        body: { metadata: { labels: { app: "other" } } },
      });
      expect(await claimed([stray])).toEqual([]);
      const released = await client.get(kind, orphan.metadata.name ?? "");
      expect([released.metadata.ownerReferences, released.metadata.finalizers]).toEqual([[other], ["claims.example.com/theirs"]]);
    });

    it(
      `of kind ${kind.kind} that were replaced are refused by the server, and releasing those is no error`,
      { timeout: 60_000 },
      async (ctx) => {
        if (missing !== undefined) ctx.skip(missing);
        const object = await create(`${kind.plural}-replaced`, { app: "web" });
        const { resourceVersion: _version, ...metadata } = { ...object.metadata, uid: "c5a2f5c0-0000-4000-8000-000000000002" };
        await expect(claimed([{ ...object, metadata }])).rejects.toThrow(ClaimError);
        const ours: OwnerReference = {
          apiVersion: "apps/v1",
          kind: "ReplicaSet",
          name: "claimer",
          uid: owner.metadata.uid ?? "",
          controller: true,
        };
        expect(await claimed([{ ...object, metadata: { ...metadata, labels: {}, ownerReferences: [ours] } }])).toEqual([]);
        expect((await client.get(kind, object.metadata.name ?? "")).metadata.ownerReferences).toBeUndefined();
      },
    );

    it(`of kind ${kind.kind} that are gone cause no error`, { timeout: 60_000 }, async (ctx) => {
      if (missing !== undefined) ctx.skip(missing);
      expect(
        await claimed([
          { metadata: { name: "gone", namespace: "default", uid: "c5a2f5c0-0000-4000-8000-000000000003", labels: { app: "web" } } },
        ]),
      ).toEqual([]);
    });
  }

  it("are not adopted by an owner that was replaced under its name", { timeout: 60_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    const orphan = await client.create(ConfigMap, { metadata: { name: "waits", labels: { app: "web" } } });
    const former = { ...owner, metadata: { ...owner.metadata, uid: "c5a2f5c0-0000-4000-8000-000000000004" } };
    await expect(claimChildren([orphan], { owner: former, ownerKind: ReplicaSet, childKind: ConfigMap, selector, client })).rejects.toThrow(
      "original ReplicaSet default/claimer is gone",
    );
    expect(isControlledBy(await client.get(ConfigMap, "waits"), owner)).toBe(false);
  });
});
