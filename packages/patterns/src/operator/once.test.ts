import { ConfigMap, Secret } from "@drover/api/core/v1";
import { afterEach, describe, expect, it } from "vitest";
import { createOperator, hold, once } from "../index.ts";
import type { Operator } from "../index.ts";
import { operatorScene } from "./operator-scene.ts";
import type { OperatorScene, SceneOptions } from "./operator-scene.ts";
import { create, find, patch, WebApp } from "./testing/web-app.ts";

let scene: OperatorScene | undefined;
afterEach(async () => {
  await scene?.end();
  scene = undefined;
});

async function start(app: Operator, options: SceneOptions = {}): Promise<OperatorScene> {
  scene = await operatorScene(app, options);
  expect(scene.failure()).toBeUndefined();
  return scene;
}

/** The password in a Secret, as text. */
const passwordOf = (secret: { data?: Readonly<Record<string, string>> } | undefined): string | undefined => {
  const encoded = secret?.data?.["password"];
  return encoded === undefined ? undefined : Buffer.from(encoded, "base64").toString();
};

describe("once", () => {
  let made = 0;
  const password = once(Secret, ({ object }) => ({
    metadata: { name: `${object.metadata.name}-password` },
    stringData: { password: `secret-${++made}` },
  }));

  it("makes an object once, keeps it through changes of owner and object, and makes it anew after it was deleted", async () => {
    made = 0;
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      owns: { password, copy: ConfigMap },
      desired: ({ object, owned }) => ({
        copy: {
          metadata: { name: object.metadata.name },
          data: { has: String(owned.password !== undefined), image: object.spec.image ?? "" },
        },
      }),
    });
    const running = await start(app);
    await create(running, "web");
    await running.settle();
    expect(passwordOf(await find(running, Secret, "web-password"))).toBe("secret-1");
    await patch(running, "web", { spec: { image: "other" } });
    await running.client.patch(Secret, "web-password", { type: "merge", body: { data: { more: "eA==" } } });
    await running.settle(60_000);
    expect((await find(running, ConfigMap, "web"))?.data).toEqual({ has: "true", image: "other" });
    expect((await find(running, Secret, "web-password"))?.data).toEqual({
      password: Buffer.from("secret-1").toString("base64"),
      more: "eA==",
    });
    expect(made).toBe(1);
    await running.client.delete(Secret, "web-password");
    await running.settle(60_000);
    expect(passwordOf(await find(running, Secret, "web-password"))).toBe("secret-2");
  });

  it("keeps the first object when the answer to its creation was lost and the cache has not seen it", async () => {
    made = 0;
    let isLost = false;
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, { owns: { password } });
    const running = await start(app, {
      wrap: (next) => async (request) => {
        const response = await next(request);
        if (!isLost && request.method === "PATCH" && request.path.includes("/secrets/")) {
          isLost = true;
          throw new Error("connection reset");
        }
        return response;
      },
    });
    await create(running, "web");
    await running.settle(60_000);
    expect(isLost).toBe(true);
    expect(passwordOf(await find(running, Secret, "web-password"))).toBe("secret-1");
  });

  it("needs no desired, and makes nothing while its function holds or returns nothing", async () => {
    let ready: "no" | "hold" | "yes" = "no";
    const app = createOperator({ name: "shop" });
    app.controller(WebApp, {
      owns: {
        token: once(Secret, () =>
          ready === "no" ? undefined : ready === "hold" ? hold("not yet") : { metadata: { name: "token" }, stringData: { a: "b" } },
        ),
      },
    });
    const running = await start(app);
    await create(running, "web");
    await running.settle();
    ready = "hold";
    await patch(running, "web", { spec: { image: "a" } });
    await running.settle();
    expect(await find(running, Secret, "token")).toBeUndefined();
    ready = "yes";
    await patch(running, "web", { spec: { image: "b" } });
    await running.settle();
    ready = "no";
    await patch(running, "web", { spec: { image: "c" } });
    await running.settle();
    expect(await find(running, Secret, "token")).toBeDefined();
  });

  it("refuses a value in desired, a missing desired for other slots, and no function", () => {
    const declare = (declaration: Parameters<Operator["controller"]>[1]): void =>
      void createOperator({ name: "shop" }).controller(WebApp, declaration);
    expect(() => declare({ owns: { password, copy: ConfigMap } })).toThrow("nothing would be made for password");
    expect(() => once(Secret, undefined as never)).toThrow("the second argument is not a function");
  });
});
