import { ConfigMap } from "@drover/api/core/v1";
import { withFields } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { createOperator } from "../index.ts";
import { operatorScene } from "./operator-scene.ts";
import { create, WebApp } from "./testing/web-app.ts";

describe("DeclaredCaches", () => {
  it("read only the declared fields of a limited kind, beside the whole kind", async () => {
    const seen: unknown[] = [];
    const Texts = withFields(ConfigMap, ["data"]);
    const app = createOperator({ name: "shop" });
    const byText = app.index(Texts, "text", ({ data }) => [data?.["text"]]);
    app.controller(WebApp, {
      reads: [Texts, ConfigMap],
      reconcile: ({ get, list, index }) => {
        const settings = get(Texts, "settings");
        // @ts-expect-error -- not declared, so it is not in the type either
        seen.push(settings?.data, settings?.binaryData, get(ConfigMap, "settings")?.binaryData);
        seen.push(list(Texts).length, index(byText).get("hello").length);
      },
    });
    const scene = await operatorScene(app, {
      before: async (client) => {
        await client.create(ConfigMap, { metadata: { name: "settings" }, data: { text: "hello" }, binaryData: { bytes: "AA==" } });
      },
    });
    await create(scene, "web");
    await scene.settle();
    await scene.end();
    expect(seen.slice(0, 5)).toEqual([{ text: "hello" }, undefined, { bytes: "AA==" }, 1, 1]);
  });
});
