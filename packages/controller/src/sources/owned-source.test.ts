import { ConfigMap } from "@drover/api/core/v1";
import { Deployment } from "@drover/api/apps/v1";
import type { KubeObject, OwnerReference } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { ownedSource } from "./owned-source.ts";
import { sourceRig } from "./testing/source-rig.ts";

const owner = (name: string, controller: boolean): OwnerReference => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  name,
  uid: `${name}-uid`,
  controller,
});
const owned = (...ownerReferences: OwnerReference[]): KubeObject => ({ metadata: { namespace: "shop", name: "c", ownerReferences } });

describe("ownedSource", () => {
  it("requests the controlling owner, and every owner with onlyController: false", async () => {
    const rig = sourceRig();
    const { cluster } = rig;
    rig.configMaps.put(owned(owner("a", false), owner("b", true)));
    const [manager, everybody] = [
      ownedSource(ConfigMap, { cluster, owner: Deployment }),
      ownedSource(ConfigMap, { cluster, owner: Deployment, onlyController: false }),
    ];
    const lives = [manager, everybody].map((source) => rig.watch(source));
    await rig.start();
    expect([lives.map(({ keys }) => keys), manager.name, lives[0]?.causes]).toMatchObject([
      [["shop/b"], ["shop/a", "shop/b"]],
      "ConfigMap owned by Deployment",
      [{ via: "owner", kind: { kind: "ConfigMap" } }],
    ]);
  });

  it("B15: requests both owners of an object that moves from one to another", async () => {
    const rig = sourceRig();
    rig.configMaps.put(owned(owner("a", true)));
    const life = rig.watch(ownedSource(ConfigMap, { cluster: rig.cluster, owner: Deployment }));
    await rig.start();
    rig.configMaps.put(owned(owner("b", true)));
    await rig.clock.advance(10);
    expect(life.keys).toEqual(["shop/a", "shop/a", "shop/b"]);
  });
});
