import { ConfigMap } from "@drover/api/core/v1";
import { ValidatingAdmissionPolicy, ValidatingWebhookConfiguration } from "@drover/api/admissionregistration/v1";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createOperator, defineResource } from "../index.ts";
import type { Operator } from "../index.ts";
import { operatorScene } from "./operator-scene.ts";
import type { OperatorScene, SceneOptions } from "./operator-scene.ts";

// An operator loads it when it starts, and a manual clock does not wait for the disk.
beforeAll(() => import("./operator-serving.ts"));

let scene: OperatorScene | undefined;
afterEach(async () => {
  await scene?.end();
  scene = undefined;
});
const start = async (app: Operator, options?: SceneOptions): Promise<OperatorScene> => (scene = await operatorScene(app, options));

const checked = (): Operator => {
  const app = createOperator({ name: "shop" });
  app.admit(ConfigMap, { everywhere: true, validate: () => undefined, rules: [["true", "never"]] });
  return app;
};

describe("an operator whose webhooks are not served", () => {
  it("logs what is not enforced", async () => {
    const { runtime } = await start(checked());
    expect(runtime.log.entries).toContainEqual(
      expect.objectContaining({
        message: "webhooks are not served, so rules in code are not enforced",
        fields: expect.objectContaining({
          webhooks: "validate.configmaps.shop.drover.dev",
          policies: "configmaps.shop.drover.dev",
        }) as object,
      }),
    );
  });

  it("does not start if a definition needs its converters", async () => {
    const Old = defineResource({
      group: "demo.example.com",
      version: "v1",
      kind: "WebApp",
      spec: z.object({}),
      olderVersions: { v1beta1: { spec: z.object({}), up: (object) => object, down: (object) => object } },
    });
    const app = createOperator({ name: "shop" });
    app.controller(Old, { reconcile: () => undefined });
    await expect(operatorScene(app)).rejects.toThrow("versions of WebApp: the API server needs the operator to convert them");
  });
});

describe("an operator whose webhooks are answered in process", () => {
  it("registers them when it starts, and ends them when it stops", async () => {
    const events: string[] = [];
    const webhooks = {
      url: "https://operator.invalid",
      answer: () => {
        events.push("begin");
        return () => void events.push("end");
      },
    };
    const { client, end } = await start(checked(), { webhooks });
    const configuration = await client.get(ValidatingWebhookConfiguration, "shop");
    expect(configuration.webhooks?.[0]?.clientConfig).toEqual({ url: "https://operator.invalid/validate/configmaps" });
    expect(await client.get(ValidatingAdmissionPolicy, "configmaps.shop.drover.dev")).toMatchObject({ spec: { failurePolicy: "Fail" } });
    expect(events).toEqual(["begin"]);
    await end();
    scene = undefined;
    expect(events).toEqual(["begin", "end"]);
  });

  it("asks for no address and adds nothing without webhooks and policies", async () => {
    const app = createOperator({ name: "shop" });
    app.index(ConfigMap, "none", () => []);
    const running = await start(app, {
      webhooks: () => {
        throw new Error("not needed");
      },
    });
    expect(running.failure()).toBeUndefined();
    expect(running.writes).toEqual([]);
  });
});
