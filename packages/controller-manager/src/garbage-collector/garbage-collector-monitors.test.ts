/** The watches of the garbage collector when the server has problems: kinds that cannot be listed, discovery that fails. */
import { ConfigMap, Secret } from "@drover/api/core/v1";
import type { TransportWrapper } from "@drover/client";
import { newOwnerReference, prometheusText } from "@drover/machinery";
import type { HttpRequest, HttpResponse } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { garbageCollectorController } from "./garbage-collector.ts";
import { isGone, openManualScene, runControllers } from "../testing/controllers-scene.ts";
import type { RunningControllers, SceneServer } from "../testing/controllers-scene.ts";

const down = (): HttpResponse => ({
  status: 500,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", reason: "InternalError", code: 500, message: "down" }),
});

/** Answers requests with an error while this holds. */
function broken(isBroken: (request: HttpRequest) => boolean): TransportWrapper {
  return (next) => (request) => (isBroken(request) ? Promise.resolve(down()) : next(request));
}

async function withScene(wrap: TransportWrapper, test: (scene: SceneServer, running: RunningControllers) => Promise<void>): Promise<void> {
  const scene = await openManualScene();
  const running = runControllers(scene, { controllers: [garbageCollectorController], wrap });
  await test(scene, running);
  await running.end();
  await scene.close();
}

/** A ConfigMap that owns a Secret, and is deleted. */
async function cascade({ client }: SceneServer, name: string): Promise<void> {
  const owner = await client.create(ConfigMap, { metadata: { name } });
  await client.create(Secret, { metadata: { name, ownerReferences: [newOwnerReference(owner, ConfigMap)] } });
  await client.delete(ConfigMap, name);
}

const isDiscovery = ({ path }: HttpRequest): boolean => /^\/apis?(?:\?|$)/.test(path);

describe("G011: the monitors of the garbage collector", () => {
  it("delay others by half a minute at most for a kind that cannot be listed, and watch it when it can be", async () => {
    let isDown = true;
    await withScene(
      broken(({ path }) => isDown && path.startsWith("/api/v1/podtemplates")),
      async (scene) => {
        await cascade(scene, "first");
        await scene.calm(29_000);
        expect(await isGone(scene.client, Secret, "first")).toBe(false);
        await scene.until("the others work", () => isGone(scene.client, Secret, "first"));
        isDown = false;
        await scene.calm(60_000);
        await cascade(scene, "second");
        await scene.until("they still do", () => isGone(scene.client, Secret, "second"));
      },
    );
  });

  it("stay while discovery fails, and count the failure", async () => {
    let isDown = false;
    await withScene(
      broken((request) => isDown && isDiscovery(request)),
      async (scene) => {
        await cascade(scene, "first");
        await scene.until("it works", () => isGone(scene.client, Secret, "first"));
        isDown = true;
        await scene.calm(100_000);
        expect(prometheusText(scene.runtime.metrics)).toMatch(/^garbagecollector_controller_resources_sync_error_total [2-9]$/m);
        await cascade(scene, "second");
        await scene.until("it works still", () => isGone(scene.client, Secret, "second"));
      },
    );
  });

  it("wait for a server that is unavailable at the start", async () => {
    let isDown = true;
    await withScene(
      broken(() => isDown),
      async (scene) => {
        await cascade(scene, "first");
        await scene.calm(5000);
        expect(await isGone(scene.client, Secret, "first")).toBe(false);
        isDown = false;
        await scene.until("it works", () => isGone(scene.client, Secret, "first"));
      },
    );
  });
});
