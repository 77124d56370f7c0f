import { ConfigMap } from "@drover/api/core/v1";
import { getOwn, objectKey } from "@drover/machinery";
import type { KubeObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { relatedSource } from "./related-source.ts";
import { sourceRig } from "./testing/source-rig.ts";
import type { SourceLife, SourceRig } from "./testing/source-rig.ts";

const concerning = (app: string): KubeObject => ({ metadata: { namespace: "shop", name: "c", labels: { app } } });

function related(rig: SourceRig): SourceLife {
  return rig.watch(
    relatedSource(ConfigMap, {
      cluster: rig.cluster,
      map: ({ metadata: { labels = {} } }) => [objectKey(getOwn(labels, "app") ?? "", "shop")],
    }),
  );
}

describe("trap 22: relatedSource", () => {
  it("requests what an object related to before an update, not only what it relates to now", async () => {
    const rig = sourceRig();
    rig.configMaps.put(concerning("a"));
    const life = related(rig);
    await rig.start();
    rig.configMaps.put(concerning("b"));
    await rig.clock.advance(10);
    expect([life.keys, life.causes[1]]).toMatchObject([["shop/a", "shop/a", "shop/b"], { via: "mapped" }]);
  });

  it("requests what an object related to if its deletion was missed (§9.4)", async () => {
    const rig = sourceRig();
    rig.configMaps.put(concerning("a"));
    const life = related(rig);
    await rig.start();
    rig.configMaps.unseen(() => {
      rig.configMaps.remove("shop/c");
    });
    rig.configMaps.restart();
    await rig.clock.advance(5000);
    expect([life.keys, life.causes[1]]).toMatchObject([["shop/a", "shop/a"], { change: { type: "deleted", isFinalStateUnknown: true } }]);
  });
});
