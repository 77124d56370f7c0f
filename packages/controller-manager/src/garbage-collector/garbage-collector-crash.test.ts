/** The garbage collector crashes after any of its requests without seeing the answer: the next process completes the work. */
import { ConfigMap } from "@drover/api/core/v1";
import type { TransportWrapper } from "@drover/client";
import { newOwnerReference } from "@drover/machinery";
import type { DeletionPropagation } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { garbageCollectorController } from "./garbage-collector.ts";
import { namesOf, openManualScene, runControllers } from "../testing/controllers-scene.ts";
import type { SceneServer } from "../testing/controllers-scene.ts";

const namespace = "default";
/** Every request in the long mode, every ninth otherwise. */
const stride = process.env["DROVER_LONG"] === "1" ? 1 : 9;

/** Lets this many requests about single objects pass; after the next one, before its answer is seen, the process ends. */
function crashAt(index: number): { readonly wrap: TransportWrapper; readonly hasCrashed: () => boolean } {
  let count = 0;
  let hasCrashed = false;
  const never = new Promise<never>(() => undefined);
  return {
    hasCrashed: () => hasCrashed,
    wrap: (next) => async (request) => {
      const isOfOne = /\/configmaps\/[^/?]+/.test(request.path);
      if (hasCrashed) return never;
      if (!isOfOne || count++ !== index) return next(request);
      hasCrashed = true;
      await next(request);
      return never;
    },
  };
}

describe("a garbage collector that crashes between any two requests", () => {
  /** a owns b and d; b owns c; keeper owns d as well; all references block. */
  async function cascade(propagationPolicy: DeletionPropagation): Promise<SceneServer> {
    const scene = await openManualScene();
    const make = async (name: string, ...owners: readonly ConfigMap[]): Promise<ConfigMap> =>
      scene.client.create(
        ConfigMap,
        { metadata: { name, ownerReferences: owners.map((owner) => newOwnerReference(owner, ConfigMap, { blockOwnerDeletion: true })) } },
        { namespace },
      );
    const [a, keeper] = [await make("a"), await make("keeper")];
    await make("c", await make("b", a));
    await make("d", a, keeper);
    await scene.client.delete(ConfigMap, "a", { namespace, propagationPolicy });
    return scene;
  }

  for (const [propagationPolicy, expected] of [
    ["Background", ["d", "keeper"]],
    ["Foreground", ["d", "keeper"]],
    ["Orphan", ["b", "c", "d", "keeper"]],
  ] as const) {
    it(`${propagationPolicy}: the next process completes the deletion`, { timeout: 120_000 }, async () => {
      let crashes = 0;
      for (let index = 0, hasCrashed = true; hasCrashed; index += stride) {
        const scene = await cascade(propagationPolicy);
        const fault = crashAt(index);
        const first = runControllers(scene, { controllers: [garbageCollectorController], wrap: fault.wrap });
        await scene.calm(1000);
        hasCrashed = fault.hasCrashed();
        if (hasCrashed) crashes++;
        await first.end();
        const second = runControllers(scene, { controllers: [garbageCollectorController] });
        await scene.until(
          `${expected.join()} is left after a crash at request ${index}`,
          async () =>
            String((await namesOf(scene.client, ConfigMap, namespace)).filter((name) => name !== "kube-root-ca.crt")) === String(expected),
        );
        await scene.calm(1000);
        const {
          metadata: { ownerReferences = [] },
        } = await scene.client.get(ConfigMap, "d", { namespace });
        expect(ownerReferences.map(({ name }) => name)).toEqual(["keeper"]);
        await second.end();
        await scene.close();
      }
      expect(crashes).toBeGreaterThan(4 / stride);
    });
  }
});
