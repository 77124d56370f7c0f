import { Secret, ServiceAccount } from "@drover/api/core/v1";
import { afterEach, describe, expect, it } from "vitest";
import { isGone, openManualScene, runControllers } from "../testing/controllers-scene.ts";
import type { SceneServer } from "../testing/controllers-scene.ts";
import { serviceAccountTokenController } from "./token-controller.ts";

const namespace = "default";
const controller = serviceAccountTokenController({ key: () => ({ keyId: "k", sign: () => new Uint8Array([1]) }), authorityPem: "PEM" });
const secret = (name: string, account: string): Secret => ({
  metadata: { name, annotations: { "kubernetes.io/service-account.name": account } },
  type: "kubernetes.io/service-account-token",
});

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

async function open(): Promise<SceneServer> {
  const scene = await openManualScene();
  ends.push(scene.close, runControllers(scene, { controllers: [controller] }).end);
  await scene.client.create(ServiceAccount, { metadata: { name: "robot" } }, { namespace });
  return scene;
}

describe("serviceaccount-token-controller", () => {
  it("fills a Secret with a token, once", async () => {
    const { client, calm } = await open();
    await client.create(Secret, secret("t", "robot"), { namespace });
    await calm(100);
    const { data = {}, metadata } = await client.get(Secret, "t", { namespace });
    expect(Object.keys(data).toSorted()).toEqual(["ca.crt", "namespace", "token"]);
    expect(metadata.annotations?.["kubernetes.io/service-account.uid"]).toMatch(/./);
    await calm(60_000);
    expect((await client.get(Secret, "t", { namespace })).metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  it("deletes a Secret with its account, and one of an account that does not exist", async () => {
    const { client, calm } = await open();
    await client.create(Secret, secret("t", "robot"), { namespace });
    await client.create(Secret, secret("u", "nobody"), { namespace });
    await client.create(Secret, { metadata: { name: "other" } }, { namespace });
    await calm(100);
    expect(await Promise.all(["t", "u", "other"].map((name) => isGone(client, Secret, name, namespace)))).toEqual([false, true, false]);
    await client.delete(ServiceAccount, "robot", { namespace });
    await calm(100);
    expect(await Promise.all(["t", "other"].map((name) => isGone(client, Secret, name, namespace)))).toEqual([true, false]);
  });

  it("removes the reference to a Secret that is gone", async () => {
    const { client, calm } = await open();
    await client.create(Secret, secret("t", "robot"), { namespace });
    await client.patch(ServiceAccount, "robot", { type: "merge", body: { secrets: [{ name: "t" }, { name: "x" }] } }, { namespace });
    await calm(100);
    await client.delete(Secret, "t", { namespace });
    await calm(100);
    expect((await client.get(ServiceAccount, "robot", { namespace })).secrets).toEqual([{ name: "x" }]);
  });
});
