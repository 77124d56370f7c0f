import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { defineResource } from "../index.ts";
import type { KubeObject } from "@drover/machinery";
import { resourceConversion, resourceWebhooks } from "./resource-admission.ts";
import { ask, noClient, patched, reviewOf } from "./review-scene.ts";

const WebApp = defineResource({
  group: "demo.example.com",
  version: "v1",
  kind: "WebApp",
  spec: z.object({ host: z.string().optional(), replicas: z.int().default(1), image: z.string() }),
  default: (object, { operation, user }) => {
    expectTypeOf(object.spec.replicas).toEqualTypeOf<number>();
    expectTypeOf(operation).toEqualTypeOf<"CREATE" | "UPDATE">();
    return {
      spec: { ...object.spec, host: object.spec.host ?? `${object.metadata.name ?? ""}.example.com` },
      metadata: { annotations: { ...object.metadata.annotations, "demo.example.com/creator": user.username } },
    };
  },
  validate: ({ object, oldObject, warn }) => {
    expectTypeOf(object.spec.image).toEqualTypeOf<string>();
    if (object.spec.image.endsWith(":latest")) warn("spec.image: latest changes without notice");
    return [
      ...(object.spec.host?.endsWith(".example.com") === true ? [] : [{ field: "spec.host", message: "must be a host of example.com" }]),
      ...(oldObject !== undefined && oldObject.spec.replicas > object.spec.replicas ? ["cannot shrink"] : []),
    ];
  },
});
const webhooks = resourceWebhooks(WebApp, noClient);
const shop = (spec: object, metadata: object = {}): KubeObject =>
  ({
    apiVersion: "demo.example.com/v1",
    kind: "WebApp",
    metadata: { name: "shop", namespace: "default", ...metadata },
    spec,
  }) as KubeObject;

describe("webhooks of a resource", () => {
  it("register nothing more than the code needs, and never block deletions", () => {
    expect(webhooks.map(({ handle: _, ...webhook }) => webhook)).toEqual([
      {
        type: "mutating",
        name: "default.webapps.demo.example.com",
        path: "/default/demo.example.com/v1/webapps",
        rules: [
          {
            operations: ["CREATE", "UPDATE"],
            apiGroups: ["demo.example.com"],
            apiVersions: ["v1"],
            resources: ["webapps"],
            scope: "Namespaced",
          },
        ],
        matchConditions: [
          { name: "not-being-deleted", expression: 'request.operation == "DELETE" || !has(object.metadata.deletionTimestamp)' },
        ],
        timeoutSeconds: 5,
      },
      expect.objectContaining({ type: "validating", name: "validate.webapps.demo.example.com" }),
    ]);
  });

  it("set defaults as a patch of only what changed", async () => {
    const object = shop({ image: "shop:1", replicas: 2, newer: 1 }, { annotations: { a: "1" } });
    const answer = await ask(webhooks, "mutating", reviewOf(object));
    expect(answer.patch).toEqual([
      { op: "add", path: "/metadata/annotations/demo.example.com~1creator", value: "ann" },
      { op: "add", path: "/spec/host", value: "shop.example.com" },
    ]);
    expect(patched(object, answer)).toMatchObject({ metadata: { name: "shop", annotations: { a: "1" } }, spec: { newer: 1 } });
  });

  it("give `default` and `validate` objects with schema defaults, also if the installed definition has none", async () => {
    const answer = await ask(webhooks, "mutating", reviewOf(shop({ image: "shop:1" })));
    expect(answer.patch).toContainEqual({ op: "add", path: "/spec/replicas", value: 1 });
  });

  it("leave a complete object alone", async () => {
    const object = shop({ image: "shop:1", host: "a.example.com", replicas: 1 }, { annotations: { "demo.example.com/creator": "ann" } });
    expect(await ask(webhooks, "mutating", reviewOf(object))).toEqual({ isAllowed: true });
  });

  it("refuse with all problems, and warn", async () => {
    const object = shop({ image: "shop:latest", host: "shop.org", replicas: 1 });
    const answer = await ask(
      webhooks,
      "validating",
      reviewOf(object, { operation: "UPDATE", oldObject: shop({ replicas: 3, image: "x" }) }),
    );
    expect(answer).toMatchObject({
      isAllowed: false,
      code: 422,
      message:
        'WebApp.demo.example.com "shop" is invalid: cannot shrink; spec.host: Invalid value: "shop.org": must be a host of example.com',
      warnings: ["spec.image: latest changes without notice"],
    });
  });

  it("allow what is fine", async () => {
    const object = shop({ image: "shop:1", host: "a.example.com", replicas: 1 });
    expect(await ask(webhooks, "validating", reviewOf(object))).toEqual({ isAllowed: true });
  });

  it("ask `validate` about deletions only if declared, with the object that would go", async () => {
    const Guarded = defineResource({
      group: "demo.example.com",
      version: "v1",
      kind: "Vault",
      spec: z.object({ locked: z.boolean().default(false) }),
      validate: ({ object, operation }) => (operation === "DELETE" && object.spec.locked ? "unlock it first" : undefined),
      webhook: { deletions: true, timeoutSeconds: 2, failurePolicy: "Ignore" },
    });
    const [webhook] = resourceWebhooks(Guarded, noClient);
    expect(webhook).toMatchObject({ timeoutSeconds: 2, failurePolicy: "Ignore", rules: [{ operations: ["CREATE", "UPDATE", "DELETE"] }] });
    const oldObject = { apiVersion: "demo.example.com/v1", kind: "Vault", metadata: { name: "gold" }, spec: { locked: true } };
    const request = { ...reviewOf(oldObject, { operation: "DELETE", oldObject }), object: undefined };
    const { object: _, ...deletion } = request;
    expect(await ask(resourceWebhooks(Guarded, noClient), "validating", deletion)).toMatchObject({
      isAllowed: false,
      message: 'Vault.demo.example.com "gold" is invalid: unlock it first',
    });
  });

  it("turn errors of `parse` into problems of fields", async () => {
    const Strict = defineResource({
      group: "demo.example.com",
      version: "v1",
      kind: "Strict",
      spec: z.object({ a: z.int() }),
      validate: ({ object }) => void Strict.parse({ ...object, spec: { a: "x" } }),
    });
    const object = { apiVersion: "demo.example.com/v1", kind: "Strict", metadata: { name: "s" }, spec: { a: 1 } };
    const answer = await ask(resourceWebhooks(Strict, noClient), "validating", reviewOf(object));
    expect(answer).toMatchObject({ isAllowed: false, code: 422, causes: [{ field: "spec.a" }] });
  });

  it("explain a write to the object, and a promise of `default`", async () => {
    const wrong = (fill: unknown): ReturnType<typeof resourceWebhooks> =>
      resourceWebhooks({ ...WebApp, admission: { default: fill as never, options: {} } }, noClient);
    const object = shop({ image: "a" });
    await expect(
      ask(
        wrong((given: { spec: { host: string } }) => ((given.spec.host = "x"), given)),
        "mutating",
        reviewOf(object),
      ),
    ).rejects.toThrow("default of WebApp: it tried to change");
    await expect(
      ask(
        wrong(() => Promise.resolve(undefined)),
        "mutating",
        reviewOf(object),
      ),
    ).rejects.toThrow("default is async");
    await expect(
      ask(
        wrong(() => 7),
        "mutating",
        reviewOf(object),
      ),
    ).rejects.toThrow("default of WebApp must return an object or nothing");
  });
});

describe("defineResource", () => {
  const base = { group: "demo.example.com", version: "v1", kind: "WebApp", spec: z.object({}) };

  it("refuses an async default and webhook options without functions", () => {
    // eslint-disable-next-line @typescript-eslint/require-await
    const asyncDefault = (async () => undefined) as unknown as () => undefined;
    expect(() => defineResource({ ...base, default: asyncDefault })).toThrow("WebApp: default is async");
    expect(() => defineResource({ ...base, webhook: { deletions: true } })).toThrow("webhook has no effect without default or validate");
  });

  it("converts with annotations that keep what an older version cannot express", () => {
    const key = "demo.example.com/size";
    const Sized = defineResource({
      ...base,
      spec: z.object({ size: z.int().default(1) }),
      olderVersions: {
        v1beta1: {
          spec: z.object({}),
          up: ({ annotations: { [key]: size = "1", ...annotations } = {} }) => ({ spec: { size: Number(size) }, annotations }),
          down: ({ spec, annotations }) => ({ spec: {}, annotations: { ...annotations, [key]: String((spec as { size: number }).size) } }),
        },
      },
    });
    expect(Sized.needsConversion).toBe(true);
    const object = { apiVersion: "demo.example.com/v1", kind: "WebApp", metadata: { name: "a" }, spec: { size: 3 } };
    const old = resourceConversion(Sized)?.convert(object, "v1beta1");
    expect(old).toEqual({
      ...object,
      apiVersion: "demo.example.com/v1beta1",
      metadata: { name: "a", annotations: { [key]: "3" } },
      spec: {},
    });
    expect(Sized.convert(old ?? object, "v1")).toEqual(object);
    expect(resourceConversion(WebApp)).toBeUndefined();
  });
});
