/**
 * `app.run()` with webhooks on a server with sockets, ours and the real one: certificates, registration, defaults, refusals,
 * conversions and policies, and what happens when the operator has ended.
 */
import { ConfigMap, Secret } from "@drover/api/core/v1";
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from "@drover/api/admissionregistration/v1";
import { createClient } from "@drover/client";
import type { Client, NodeTransport } from "@drover/client";
import { recordingLog } from "@drover/machinery/testing";
import { nodeRuntime, defineResource, operator } from "drover";
import { harness } from "drover/testing";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const Shop = defineResource({
  group: "webhooks.example.com",
  version: "v1",
  kind: "Shop",
  spec: z.object({ host: z.string().optional(), address: z.object({ city: z.string() }) }),
  default: ({ metadata, spec }) => ({ spec: { ...spec, host: spec.host ?? `${metadata.name ?? ""}.example.com` } }),
  validate: ({ object, warn }) => {
    if (object.spec.address.city === "") warn("spec.address.city: customers will not find the shop");
    return object.spec.host?.endsWith(".example.com") === true ? [] : [{ field: "spec.host", message: "must be a host of example.com" }];
  },
  olderVersions: {
    v1beta1: {
      spec: z.object({ host: z.string().optional(), city: z.string() }),
      up: ({ spec, status }) => {
        const { city, ...rest } = spec as { city: string };
        return { status, spec: { ...rest, address: { city } } };
      },
      down: ({ spec, status }) => {
        const { address, ...rest } = spec as { address: { city: string } };
        return { status, spec: { ...rest, city: address.city } };
      },
    },
  },
});

/** The registration is observed by the server within a second or so. */
async function eventually<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 100) throw error;
    }
    await delay(100);
  }
}

describeOnServers("an operator with webhooks", ({ missing, startOwn }) => {
  const runtime = nodeRuntime({ write: () => undefined });
  const warnings: string[] = [];
  const stop = new AbortController();
  let server: SuiteServer | undefined;
  let transport: NodeTransport;
  let client: Client;
  let ended: Promise<void> = Promise.resolve();

  const app = operator({ name: "shop-operator" });
  app.controller(Shop, {
    owns: { page: ConfigMap },
    desired: ({ object }) => ({ page: { metadata: { name: object.metadata.name }, data: { host: object.spec.host ?? "" } } }),
  });
  app.admit(ConfigMap, { rules: [["!has(object.data) || !('password' in object.data)", "keep passwords in Secrets"]] });
  app.admit(ConfigMap, {
    name: "marked",
    objectSelector: { matchLabels: { app: "shop" } },
    mutate: ({ object }) => ({ data: { ...object.data, marked: "yes" } }),
  });

  beforeAll(async () => {
    if (missing !== undefined) return;
    server = await startOwn();
    const { clock } = runtime;
    transport = server.transport({ clock, log: recordingLog(clock) });
    client = createClient({
      transport,
      clock,
      log: runtime.log,
      namespace: "default",
      fieldManager: "test",
      onWarning: ({ text }) => void warnings.push(text),
    });
    ended = app.run({ cluster: { kubeconfig: server.kubeconfig, from: "kubeconfig" }, runtime, signal: stop.signal });
    ended.catch(() => undefined);
  }, 120_000);
  afterAll(async () => {
    if (server === undefined) return;
    stop.abort();
    await ended;
    transport.close();
    await server.stop();
  }, 60_000);

  it("sets defaults, and reconciles the object (§3.38)", { timeout: 60_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    const shop = { metadata: { name: "books" }, spec: { address: { city: "Springfield" } } };
    const created = await eventually(async () => {
      const object = await client.create(Shop, shop, { dryRun: "All" });
      expect(object.spec.host).toBe("books.example.com");
      return client.create(Shop, shop);
    });
    expect(created.spec.host).toBe("books.example.com");
    await eventually(async () => expect((await client.get(ConfigMap, "books")).data).toEqual({ host: "books.example.com" }));
  });

  it("refuses in the words of the API server, with causes, and warns", { timeout: 60_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    const refused = await client
      .create(Shop, { metadata: { name: "toys" }, spec: { host: "toys.org", address: { city: "" } } })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 422,
      reason: "Invalid",
      message: expect.stringContaining(
        'admission webhook "validate.shops.webhooks.example.com" denied the request: Shop.webhooks.example.com "toys" is invalid: spec.host: Invalid value: "toys.org": must be a host of example.com',
      ) as string,
    });
    expect(warnings).toContain("spec.address.city: customers will not find the shop");
  });

  it("converts objects to an older version and back", { timeout: 60_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    const old = client.dynamic({
      group: "webhooks.example.com",
      version: "v1beta1",
      resource: "shops",
      kind: "Shop",
      scope: "Namespaced",
    } as never);
    expect(await old.get("books")).toMatchObject({ spec: { city: "Springfield", host: "books.example.com" } });
  });

  it("changes objects of other kinds that it selected, and enforces rules", { timeout: 60_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    const marked = await client.create(ConfigMap, { metadata: { name: "marked", labels: { app: "shop" } } });
    expect(marked.data).toEqual({ marked: "yes" });
    const plain = await client.create(ConfigMap, { metadata: { name: "plain" } });
    expect(plain.data).toBeUndefined();
    await eventually(async () =>
      expect(
        await client
          .create(ConfigMap, { metadata: { name: "secret" }, data: { password: "x" } }, { dryRun: "All" })
          .catch((error: unknown) => String(error)),
      ).toContain("keep passwords in Secrets"),
    );
  });

  it("registers only what it declared", { timeout: 60_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    const { webhooks = [] } = await client.get(ValidatingWebhookConfiguration, "shop-operator");
    expect(webhooks.map(({ name, rules }) => [name, rules])).toEqual([
      [
        "validate.shops.webhooks.example.com",
        [
          {
            operations: ["CREATE", "UPDATE"],
            apiGroups: ["webhooks.example.com"],
            apiVersions: ["v1"],
            resources: ["shops"],
            scope: "Namespaced",
          },
        ],
      ],
    ]);
  });

  it("serves webhooks in a harness on this server, and deletes its registrations at the end", { timeout: 60_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    const kubeconfig = server?.kubeconfig ?? "";
    const harnessed = operator({ name: "harnessed" });
    harnessed.admit(Secret, {
      objectSelector: { matchLabels: { app: "harnessed" } },
      mutate: () => ({ metadata: { annotations: { seen: "yes" } } }),
    });
    harnessed.controller(ConfigMap, { reconcile: () => undefined });
    const t = await harness(harnessed, { on: { kubeconfig } });
    const secret = { metadata: { name: "a", labels: { app: "harnessed" } } };
    await eventually(async () =>
      expect(await t.client.create(Secret, secret, { dryRun: "All" })).toMatchObject({ metadata: { annotations: { seen: "yes" } } }),
    );
    expect(await client.get(MutatingWebhookConfiguration, "harnessed")).toMatchObject({
      webhooks: [{ name: "mutate.secrets.harnessed.drover.dev" }],
    });
    await t.close();
    await expect(client.get(MutatingWebhookConfiguration, "harnessed")).rejects.toMatchObject({ code: 404 });
  });

  it("leaves its rules in force when it has ended: writes are refused", { timeout: 60_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    stop.abort();
    await ended;
    await expect(client.create(Shop, { metadata: { name: "late" }, spec: { address: { city: "x" } } })).rejects.toThrow(
      'failed calling webhook "default.shops.webhooks.example.com"',
    );
  });
});
