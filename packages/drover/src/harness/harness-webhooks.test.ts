/** Webhooks of operators in a harness: the embedded server calls them in this process. */
import { ConfigMap, Pod } from "@drover/api/core/v1";
import { createOperator, defineResource } from "@drover/patterns";
import type { Operator } from "@drover/patterns";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { harness } from "./harness.ts";
import type { Harness } from "./harness.ts";
import type { HarnessOptions } from "./harness-options.ts";
import { WebhookCalls } from "./webhook-calls.ts";

let t: Harness | undefined;
afterEach(async () => {
  await t?.close();
  t = undefined;
});

const start = async (app: Operator, options?: HarnessOptions): Promise<Harness> => (t = await harness(app, options));

const WebApp = defineResource({
  group: "demo.example.com",
  version: "v1",
  kind: "WebApp",
  spec: z.object({ image: z.string(), host: z.string().optional() }),
  default: ({ metadata, spec }) => ({ spec: { ...spec, host: spec.host ?? `${metadata.name ?? ""}.example.com` } }),
  validate: ({ object, warn }) => {
    if (object.spec.image.endsWith(":latest")) warn("spec.image: latest changes without notice");
    return object.spec.host?.endsWith(".example.com") === true ? [] : [{ field: "spec.host", message: "must be a host of example.com" }];
  },
});
const shopApp = (): Operator => {
  const app = createOperator({ name: "shop-operator" });
  app.controller(WebApp, {
    owns: { settings: ConfigMap },
    desired: ({ object }) => ({ settings: { metadata: { name: object.metadata.name }, data: { host: object.spec.host ?? "" } } }),
  });
  return app;
};
const shop = (spec: object = {}, name = "shop"): never => ({ metadata: { name }, spec: { image: "shop:1", ...spec } }) as never;

describe("default and validate of a resource, in a harness", () => {
  it("set defaults and refuse objects, in the words of the API server", async () => {
    const h = await start(shopApp());
    expect(await h.create(WebApp, shop())).toMatchObject({ spec: { host: "shop.example.com" } });
    await h.settled();
    expect(await h.get(ConfigMap, "shop")).toMatchObject({ data: { host: "shop.example.com" } });
    await expect(h.create(WebApp, shop({ host: "shop.org" }, "other"))).rejects.toMatchObject({
      code: 422,
      reason: "Invalid",
      message: expect.stringContaining(
        'admission webhook "validate.webapps.demo.example.com" denied the request: WebApp.demo.example.com "other" is invalid: spec.host: Invalid value: "shop.org": must be a host of example.com',
      ) as string,
    });
  });

  it("answer again in the next life of the operator", async () => {
    const harnessed = await start(shopApp());
    await harnessed.create(WebApp, shop());
    await harnessed.settled();
    harnessed.crashAfter(1);
    await harnessed.patch(WebApp, "shop", { spec: { image: "shop:2" } });
    await harnessed.settled();
    expect(await harnessed.create(WebApp, shop({}, "second"))).toMatchObject({ spec: { host: "second.example.com" } });
  });

  it("let an invalid object lose its finalizers when it is being deleted", async () => {
    const Frozen = defineResource({
      group: "demo.example.com",
      version: "v1",
      kind: "Frozen",
      spec: z.object({}),
      validate: ({ operation }) => (operation === "UPDATE" ? "it cannot be changed" : undefined),
    });
    const app = createOperator({ name: "frozen" });
    app.controller(Frozen, { reconcile: () => undefined });
    const h = await start(app);
    await h.client.create(Frozen, { metadata: { name: "a", finalizers: ["example.com/hold"] }, spec: {} });
    const release = (): Promise<unknown> => h.patch(Frozen, "a", { metadata: { finalizers: null } });
    await expect(release()).rejects.toThrow("it cannot be changed");
    await h.client.delete(Frozen, "a");
    await release();
    await expect(h.client.get(Frozen, "a")).rejects.toMatchObject({ code: 404 });
  });
});

describe("webhooks of a life that has ended", () => {
  const call = {
    url: "https://operator.harness.invalid:9443/validate/x?timeout=5s",
    body: "{}",
    responseBytesMax: 1000,
    signal: new AbortController().signal,
  };

  it("fail like a closed port, so that failurePolicy decides (F8)", async () => {
    const calls = new WebhookCalls();
    await expect(calls.handle(call)).rejects.toThrow("connect: connection refused");
    let isOver = false;
    const end = calls.answerFor({ isOver: () => isOver, webhooks: () => undefined }, () =>
      Promise.resolve({ status: 200, headers: {}, body: "{}" }),
    );
    expect(await calls.handle(call)).toMatchObject({ status: 200 });
    isOver = true;
    await expect(calls.handle(call)).rejects.toThrow("connect: connection refused");
    isOver = false;
    end();
    await expect(calls.handle(call)).rejects.toThrow("connect: connection refused");
  });

  it("do not end the webhooks of the next life, and leave other addresses alone", async () => {
    const calls = new WebhookCalls();
    const life = { isOver: () => false, webhooks: () => undefined };
    const end = calls.answerFor(life, () => Promise.resolve({ status: 500, headers: {}, body: "" }));
    calls.answerFor(life, () => Promise.resolve({ status: 200, headers: {}, body: "{}" }));
    end();
    expect(await calls.handle(call)).toMatchObject({ status: 200 });
    expect(calls.handle({ ...call, url: "https://hook.shop.svc:443/validate" })).toBeUndefined();
  });
});

describe("a harness checks webhooks", () => {
  const app = (parts: object): Operator => {
    const made = createOperator({ name: "shop" });
    made.admit(ConfigMap, { everywhere: true, ...parts });
    made.index(ConfigMap, "none", () => []);
    return made;
  };

  it("and refuses a mutation that is not idempotent (H5, F4)", async () => {
    let calls = 0;
    const h = await start(app({ mutate: () => ({ metadata: { labels: { calls: String(++calls) } } }) }));
    await expect(h.create(ConfigMap, { metadata: { name: "a" } })).rejects.toThrow(
      'mutate.configmaps.shop.drover.dev is not idempotent: asked again about its own result, it changes /metadata/labels/calls to "2"',
    );
  });

  it("and refuses a validation that writes (H5, F4)", async () => {
    const h = await start(
      app({
        when: "object.metadata.name == 'asked'",
        validate: async ({ client }: { client: Harness["client"] }) =>
          void (await client.create(ConfigMap, { metadata: { name: "side" } })),
      }),
    );
    await expect(h.create(ConfigMap, { metadata: { name: "asked" } })).rejects.toThrow(
      "validate.configmaps.shop.drover.dev sent POST /api/v1/namespaces/default/configmaps while it answered.",
    );
  });

  it("but accepts a declared side effect, except in a dry run", async () => {
    const h = await start(
      app({
        when: "object.metadata.name.startsWith('asked')",
        sideEffects: "NoneOnDryRun",
        validate: async (context: { client: Harness["client"] }) =>
          void (await context.client.create(ConfigMap, { metadata: { generateName: "side-" } })),
      }),
    );
    await h.create(ConfigMap, { metadata: { name: "asked-1" } });
    await expect(h.client.create(ConfigMap, { metadata: { name: "asked-2" } }, { dryRun: "All" })).rejects.toThrow(
      "while it answered a dry run",
    );
  });
});

describe("rules of app.admit, in a harness", () => {
  it("are enforced by the API server without a webhook", async () => {
    const app = createOperator({ name: "shop" });
    app.admit(ConfigMap, { rules: [["!has(object.data) || !('password' in object.data)", "keep passwords in Secrets"]] });
    app.index(Pod, "none", () => []);
    const h = await start(app);
    await h.create(ConfigMap, { metadata: { name: "a" }, data: { a: "1" } });
    await expect(h.create(ConfigMap, { metadata: { name: "b" }, data: { password: "x" } })).rejects.toThrow(
      "ValidatingAdmissionPolicy 'configmaps.shop.drover.dev' with binding 'configmaps.shop.drover.dev' denied request: keep passwords in Secrets",
    );
  });
});

describe("conversions in a harness", () => {
  const versioned = (up: (image: string) => string): Operator => {
    const App = defineResource({
      group: "demo.example.com",
      version: "v1",
      kind: "App",
      spec: z.object({ container: z.object({ image: z.string() }) }),
      olderVersions: {
        v1beta1: {
          spec: z.object({ image: z.string() }),
          up: ({ spec, status }) => ({ status, spec: { container: { image: up((spec as { image: string }).image) } } }),
          down: ({ spec, status }) => ({ status, spec: { image: (spec as { container: { image: string } }).container.image } }),
        },
      },
    });
    const app = createOperator({ name: "apps" });
    app.controller(App, { reconcile: () => undefined });
    return app;
  };

  it("are served: objects are read in every version", async () => {
    const h = await start(versioned((image) => image));
    const Old = { group: "demo.example.com", version: "v1beta1", kind: "App", plural: "apps", scope: "Namespaced" as const };
    const old = h.client.dynamic({ ...Old, resource: "apps", namespaced: true } as never);
    await old.create({ apiVersion: "demo.example.com/v1beta1", kind: "App", metadata: { name: "a" }, spec: { image: "a:1" } });
    const stored = await h.client.dynamic({ ...Old, version: "v1", resource: "apps", namespaced: true } as never).get("a");
    expect(stored).toMatchObject({ apiVersion: "demo.example.com/v1", spec: { container: { image: "a:1" } } });
  });

  it("are checked at the start, unless conversionRuns is 0 (H6)", async () => {
    await expect(harness(versioned((image) => image.toUpperCase()))).rejects.toThrow("App: conversion v1beta1 → v1 → v1beta1: spec.image");
    await start(
      versioned((image) => image.toUpperCase()),
      { conversionRuns: 0 },
    );
  });
});
