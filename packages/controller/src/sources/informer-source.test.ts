import { ConfigMap } from "@drover/api/core/v1";
import { createInformer, listWatcher } from "@drover/cache";
import type { Informer, InformerView } from "@drover/cache";
import { describe, expect, it } from "vitest";
import { informerSource } from "./informer-source.ts";
import { sourceRig } from "./testing/source-rig.ts";
import type { SourceRig } from "./testing/source-rig.ts";

function ownInformer({ cluster, runtime, clock }: SourceRig): Informer<ConfigMap> {
  return createInformer({ source: listWatcher({ transport: cluster.transport, clock, kind: ConfigMap }), runtime });
}

describe("informerSource", () => {
  it("watches an informer that runs elsewhere, and leaves it running when stopped", async () => {
    const rig = sourceRig();
    const informer = ownInformer(rig);
    const source = informerSource(informer, { kind: ConfigMap, cluster: rig.cluster });
    const life = rig.watch(source);
    await rig.clock.advance(10);
    expect([source.name, source.informer === informer, life.state]).toEqual([
      "ConfigMap",
      true,
      { synced: 0, waitingFor: "configmaps in all namespaces: not running; the informers of a cluster start with cluster.run" },
    ]);
    const stop = new AbortController();
    const over = informer.run(stop.signal);
    rig.configMaps.put({ metadata: { namespace: "shop", name: "a" } });
    await rig.clock.advance(10);
    expect([life.keys, life.state]).toEqual([["shop/a"], { synced: 1, waitingFor: undefined }]);
    await life.stop();
    rig.configMaps.put({ metadata: { namespace: "shop", name: "b" } });
    await rig.clock.advance(10);
    expect([life.keys, informer.size]).toEqual([["shop/a"], 2]);
    stop.abort();
    await rig.clock.advance(10);
    await over;
  });

  it("accepts an informer that reports no state", async () => {
    const rig = sourceRig();
    const lease = rig.cluster.informers.acquire(ConfigMap);
    const view: InformerView<ConfigMap> = lease.informer;
    const life = rig.watch(informerSource(view, { kind: ConfigMap, cluster: rig.cluster, name: "mine" }));
    expect(life.state.waitingFor).toBe("its informer has not synced yet");
    await rig.start();
    expect(life.state).toEqual({ synced: 1, waitingFor: undefined });
  });

  it("rejects when the informer has ended", async () => {
    const rig = sourceRig();
    const informer = ownInformer(rig);
    await informer.run(AbortSignal.abort());
    await expect(rig.watch(informerSource(informer, { kind: ConfigMap, cluster: rig.cluster })).over).rejects.toThrow(
      "the informer has stopped",
    );
  });
});
