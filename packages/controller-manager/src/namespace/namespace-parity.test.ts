/** Namespaces with the delays of kube-controller-manager. */
import { ConfigMap, Namespace } from "@drover/api/core/v1";
import { expect, it } from "vitest";
import { namespaceController } from "./namespace-controller.ts";
import { isGone, openManualScene, runControllers } from "../testing/controllers-scene.ts";

it(
  "with the parity preset a namespace is deleted after five seconds, and retried every eight while a finalizer holds its content",
  { timeout: 30_000 },
  async () => {
    const scene = await openManualScene();
    const running = runControllers(scene, { controllers: [namespaceController], preset: "parity" });
    const { client } = scene;
    await client.create(Namespace, { metadata: { name: "shop" } });
    await client.create(ConfigMap, { metadata: { name: "plain" } }, { namespace: "shop" });
    await client.create(ConfigMap, { metadata: { name: "held", finalizers: ["example.com/held"] } }, { namespace: "shop" });
    await scene.calm(100);
    await client.delete(Namespace, "shop");
    await scene.calm(4500);
    expect(await isGone(client, ConfigMap, "plain", "shop")).toBe(false);
    await scene.calm(1000);
    expect(await isGone(client, ConfigMap, "plain", "shop")).toBe(true);
    await scene.calm(1000);
    await client.patch(ConfigMap, "held", { type: "merge", body: { metadata: { finalizers: null } } }, { namespace: "shop" });
    // Half of fifteen seconds, rounded down, plus one: there is no earlier sync.
    await scene.calm(3000);
    expect(await isGone(client, Namespace, "shop")).toBe(false);
    await scene.calm(5000);
    expect(await isGone(client, Namespace, "shop")).toBe(true);
    await running.end();
    await scene.close();
  },
);
