import {
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
  MutatingWebhookConfiguration,
} from "@drover/api/admissionregistration/v1";
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { ConfigMap, Secret } from "@drover/api/core/v1";
import type { KubeObject } from "@drover/machinery";
import { nodeCrypto } from "@drover/machinery/node";
import { certificateAuthority } from "@drover/machinery/x509";
import { metricValues } from "@drover/machinery/testing";
import { afterEach, describe, expect, it } from "vitest";
import { certificatesIn } from "./certificates-state.ts";
import { webhookNamed } from "./testing/reviews.ts";
import { webhookScene } from "./testing/webhook-rig.ts";
import type { AdmissionWebhook, Webhooks } from "./webhook.ts";
import type { ServingPair } from "./webhook-serving.ts";

const rules = [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }] as const;
const everywhere = { namespaceSelector: {} };
const refusing = (fields: Partial<AdmissionWebhook> = {}): AdmissionWebhook =>
  webhookNamed("validate.maps", {
    type: "validating",
    rules,
    ...everywhere,
    handle: ({ name }) => (name.startsWith("bad") ? { isAllowed: false, message: "bad name" } : { isAllowed: true }),
    ...fields,
  });
const webhooks = (...admission: readonly AdmissionWebhook[]): Webhooks => ({ admission, conversions: [], policies: [] });

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
async function scene() {
  const made = await webhookScene();
  ends.push(made.end);
  let maps = 0;
  const createMap = (name = `m${maps++}`) => made.client.create(ConfigMap, { metadata: { name } });
  const configuration = () => made.client.get(ValidatingWebhookConfiguration, "shop");
  return { ...made, createMap, configuration };
}

const day = 24 * 3_600_000;

describe("addWebhooks", () => {
  it("issues certificates, registers and answers, before the manager is running", async () => {
    const { clock, start, createMap, client, metrics } = await scene();
    const { manager } = start(webhooks(refusing()));
    await clock.runUntil(() => manager.state().phase === "running");
    await createMap("good");
    await expect(createMap("bad")).rejects.toThrow('admission webhook "validate.maps.example.com" denied the request: bad name');
    const { type, data = {} } = await client.get(Secret, "shop");
    expect([type, Object.keys(data).toSorted()]).toEqual(["kubernetes.io/tls", ["ca.crt", "ca.key", "tls.crt", "tls.key"]]);
    expect(metricValues(metrics, "webhook_certificate_expiry_days")["serving"]).toBeCloseTo(90, 0);
    expect(manager.state().running).toContain("webhooks");
  });

  it("registers again what was changed or deleted by hand, within ten seconds", async () => {
    const { clock, start, client, configuration } = await scene();
    start(webhooks(refusing()));
    await clock.advance(1000);
    const { webhooks: before, metadata } = await configuration();
    await client.patch(ValidatingWebhookConfiguration, "shop", {
      type: "json",
      body: [{ op: "replace", path: "/webhooks/0/failurePolicy", value: "Ignore" }],
    });
    await clock.advance(10_000);
    expect((await configuration()).webhooks).toEqual(before);
    await client.delete(ValidatingWebhookConfiguration, "shop");
    await clock.advance(10_000);
    expect((await configuration()).webhooks).toEqual(before);
    const { resourceVersion } = (await configuration()).metadata;
    await clock.advance(60_000);
    expect((await configuration()).metadata.resourceVersion).toBe(resourceVersion);
    expect(metadata.resourceVersion).not.toBe(resourceVersion);
  });

  it("replaces the authority without a moment in which the API server does not trust the certificate (F1)", async () => {
    const { clock, start, network, createMap, configuration } = await scene();
    start(webhooks(refusing()));
    await clock.advance(1000);
    const bundles = new Set<string>();
    // Twenty months: certificates change every two months, authorities every eight.
    for (let months = 0; months < 20; months++) {
      clock.setNow(clock.now() + 30 * day);
      await clock.advance(10_000);
      await createMap();
      clock.setNow(clock.now() + 3_600_000);
      await clock.advance(10_000);
      await createMap();
      bundles.add((await configuration()).webhooks?.[0]?.clientConfig.caBundle ?? "");
    }
    expect(network.failures).toBe(0);
    expect(network.served.length).toBeGreaterThan(8);
    expect(bundles.size).toBeGreaterThanOrEqual(4);
  });

  it("shares one Secret among replicas that start at the same time, and repairs it", async () => {
    const { clock, start, client, network, createMap } = await scene();
    start(webhooks(refusing()));
    start(webhooks(refusing()));
    await clock.advance(1000);
    expect(network.served[0]).toEqual(network.served[1]);
    const { data = {} } = await client.get(Secret, "shop");
    await client.patch(Secret, "shop", { type: "merge", body: { data: { "tls.key": btoa("junk") } } });
    await clock.advance(20_000);
    const repaired = await client.get(Secret, "shop");
    expect(repaired.data?.["ca.crt"]).toBe(data["ca.crt"]);
    expect(network.ports.map(({ pair }) => btoa(pair.certificatePem))).toEqual([repaired.data?.["tls.crt"], repaired.data?.["tls.crt"]]);
    await createMap();
    await client.delete(Secret, "shop");
    await clock.advance(20_000);
    await createMap();
    expect(network.failures).toBe(0);
  });

  it("serves pairs from outside, and keeps the last one while a new one is inconsistent (F1)", async () => {
    const { clock, start, network, createMap, log } = await scene();
    const authority = certificateAuthority({ commonName: "outside", crypto: nodeCrypto, clock });
    const issue = () => authority.issue({ commonName: "shop", usage: "server", dnsNames: ["shop.default.svc"] });
    const caBundle = authority.certificatePem;
    const issued = issue();
    let now: () => Promise<ServingPair & { readonly caBundle: string }> = () => Promise.resolve({ ...issued, caBundle });
    const { manager } = start(webhooks(refusing()), { certificates: () => now() });
    await clock.advance(1000);
    await createMap();
    const other = issue();
    for (const broken of [
      { ...other, privateKeyPem: issued.privateKeyPem },
      { ...other, certificatePem: other.certificatePem.slice(0, 100) },
      { ...other, certificatePem: "" },
    ]) {
      now = () => Promise.resolve({ ...broken, caBundle });
      await clock.advance(30_000);
      await createMap();
    }
    now = () => Promise.reject(new Error("gone"));
    await clock.advance(10_000);
    expect(network.served).toHaveLength(1);
    for (let time = 0; time < 100; time++) {
      const next = issue();
      now = () => Promise.resolve({ ...next, caBundle });
      await clock.advance(10_000);
      expect(network.ports[0]?.pair.certificatePem).toBe(next.certificatePem);
      await createMap();
    }
    expect([network.failures, network.served.length, manager.state().phase]).toEqual([0, 101, "running"]);
    expect(log.entries.filter(({ level }) => level === "warn").length).toBeLessThan(6);
  });

  it("starts although its own configuration refuses everything while it is away (F8, F9)", async () => {
    const { clock, start, createMap, client } = await scene();
    const { namespaceSelector: _namespaceSelector, ...hook } = refusing();
    const secrets = webhookNamed("validate.secrets", {
      type: "validating",
      rules: [{ ...rules[0], resources: ["secrets"] }],
      handle: () => ({ isAllowed: true }),
    });
    const first = start(webhooks(hook, secrets));
    await clock.advance(1000);
    await first.stop();
    await client.delete(Secret, "shop");
    await expect(client.create(Secret, { metadata: { name: "s" } }, { namespace: "kube-public" })).rejects.toThrow(
      "failed calling webhook",
    );
    const { manager } = start(webhooks(hook, secrets));
    await clock.runUntil(() => manager.state().phase === "running");
    await client.create(Secret, { metadata: { name: "s" } }, { namespace: "kube-public" });
    await createMap();
  });

  it("fails readiness first on stop, answers open reviews, then closes (F3, H7)", async () => {
    const { clock, start, network, createMap } = await scene();
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const { stopping, manager, running } = start(webhooks(refusing({ handle: async () => (await gate, { isAllowed: true }) })), {
      closeDelayMs: 5000,
    });
    await clock.runUntil(() => manager.state().phase === "running");
    const handler = network.ports[0]?.handler;
    const readiness = async () => (await handler?.({ method: "GET", path: "/readyz", headers: {} }))?.status;
    expect(await readiness()).toBe(200);
    const open = createMap();
    await clock.advance(100);
    stopping.abort();
    await clock.advance(4000);
    expect([await readiness(), network.ports[0]?.isOpen]).toEqual([500, true]);
    release();
    await open;
    await createMap();
    await clock.advance(1000);
    expect([network.ports[0]?.isOpen, network.failures]).toEqual([false, 0]);
    await running;
  });

  it("drops nothing when replicas are replaced one by one (F3)", async () => {
    const { clock, start, network, createMap } = await scene();
    let replicas = [start(webhooks(refusing())), start(webhooks(refusing()))];
    await clock.advance(1000);
    for (let round = 0; round < 5; round++) {
      replicas = [...replicas, start(webhooks(refusing()))];
      await clock.advance(2000);
      await createMap();
      await replicas.shift()?.stop();
      await createMap();
    }
    expect(network.failures).toBe(0);
  });

  it("leaves the registration of a replica alone that started later, for ten minutes", async () => {
    const { clock, start, configuration } = await scene();
    start(webhooks(refusing({ timeoutSeconds: 3 })));
    await clock.advance(5000);
    const newer = start(webhooks(refusing({ timeoutSeconds: 7 })));
    await clock.advance(60_000);
    const timeout = async () => (await configuration()).webhooks?.[0]?.timeoutSeconds;
    expect(await timeout()).toBe(7);
    await newer.stop();
    await clock.advance(600_000);
    expect(await timeout()).toBe(3);
  });

  it("removes the configuration of an earlier version that has no such webhooks any more", async () => {
    const { clock, start, client } = await scene();
    const old = start(webhooks(refusing(), webhookNamed("mutate", { type: "mutating", rules, handle: () => ({ isAllowed: true }) })));
    await clock.advance(1000);
    await old.stop();
    expect((await client.get(MutatingWebhookConfiguration, "shop")).webhooks).toHaveLength(1);
    start(webhooks(refusing()));
    await clock.advance(1000);
    await expect(client.get(MutatingWebhookConfiguration, "shop")).rejects.toThrow("not found");
  });

  it("only injects the bundle where the configuration is someone else's", async () => {
    const { clock, start, client, configuration } = await scene();
    const { manager } = start(webhooks(refusing()), { registration: "inject" });
    await clock.advance(1000);
    await expect(configuration()).rejects.toThrow("not found");
    await client.create(ValidatingWebhookConfiguration, {
      metadata: { name: "shop" },
      webhooks: [
        {
          name: "validate.maps.example.com",
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
          clientConfig: { url: "https://a.example.com/x" },
        },
        {
          name: "other.maps.example.com",
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
          clientConfig: { url: "https://b.example.com/x" },
        },
      ],
    });
    await clock.advance(10_000);
    const [own, other] = (await configuration()).webhooks ?? [];
    expect(certificatesIn(atob(own?.clientConfig.caBundle ?? ""))).toHaveLength(1);
    expect([own?.clientConfig.url, other?.clientConfig.caBundle, manager.state().phase]).toEqual([
      "https://a.example.com/x",
      undefined,
      "running",
    ]);
  });

  it("writes the conversion clause of its definitions", async () => {
    const { clock, start, client } = await scene();
    const schema = { openAPIV3Schema: { type: "object" } } as const;
    await client.create(CustomResourceDefinition, {
      metadata: { name: "webapps.demo.example.com" },
      spec: {
        group: "demo.example.com",
        scope: "Namespaced",
        names: { plural: "webapps", kind: "WebApp" },
        versions: [{ name: "v1", served: true, storage: true, schema }],
      },
    });
    const conversion = {
      group: "demo.example.com",
      resource: "webapps",
      kind: "WebApp",
      convert: (object: unknown) => object as KubeObject,
    };
    start({ admission: [], conversions: [conversion], policies: [] });
    await clock.advance(1000);
    const clause = async () => (await client.get(CustomResourceDefinition, "webapps.demo.example.com")).spec.conversion;
    const written = await clause();
    expect(written).toMatchObject({
      strategy: "Webhook",
      webhook: { clientConfig: { service: { name: "shop", path: "/convert", port: 443 } } },
    });
    await client.patch(CustomResourceDefinition, "webapps.demo.example.com", {
      type: "merge",
      body: { spec: { conversion: { strategy: "None", webhook: null } } },
    });
    await clock.advance(10_000);
    expect(await clause()).toEqual(written);
  });

  it("serves nothing and issues nothing for a program with policies alone", async () => {
    const { clock, start, client, network } = await scene();
    start({
      admission: [],
      conversions: [],
      policies: [{ name: "maps.example.com", rules, validations: [{ expression: "true", message: "no" }] }],
    });
    await clock.advance(1000);
    expect((await client.get(ValidatingAdmissionPolicyBinding, "maps.example.com")).spec).toMatchObject({ policyName: "maps.example.com" });
    expect(network.ports).toEqual([]);
    await expect(client.get(Secret, "shop")).rejects.toThrow("not found");
  });
});
