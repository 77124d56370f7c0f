/** Pods that are evicted from a tainted node, and evictions that are cancelled. */
import { Node, Pod } from "@drover/api/core/v1";
import type { Toleration } from "@drover/api/core/v1";
import { expect, it } from "vitest";
import type { Scene } from "../../packages/controller-manager/src/testing/manager-scene.ts";
import { describeScenes } from "./stages.ts";

const controllers = ["taint-eviction-controller"];
const out = { key: "example.com/out", effect: "NoExecute" } as const;
const nodeOf = ({ client }: Scene): string => `node-of-${client.namespace}`;
const place = async (scene: Scene, name: string, tolerations: readonly Toleration[]): Promise<unknown> =>
  await scene.client.create(Pod, {
    metadata: { name },
    spec: { nodeName: nodeOf(scene), tolerations, containers: [{ name: "main", image: "web:1" }] },
  });
const taint = async (scene: Scene, ...taints: readonly { readonly key: string; readonly effect: "NoExecute" }[]): Promise<unknown> =>
  await scene.client.patch(Node, nodeOf(scene), { type: "merge", body: { spec: { taints } } });
const told = async (scene: Scene): Promise<readonly string[]> =>
  (await scene.events())
    .filter((event) => event.startsWith("TaintManagerEviction"))
    .map((event) => event.replaceAll(`${scene.client.namespace}/`, ""));

describeScenes("a NoExecute taint", (open) => {
  it("evicts pods that do not tolerate it, and keeps those that do", async () => {
    const scene = await open({ controllers });
    await scene.client.create(Node, { metadata: { name: nodeOf(scene) } });
    await place(scene, "goes", []);
    await place(scene, "stays", [{ operator: "Exists" }]);
    await taint(scene, out);
    await scene.until("one is left", async () => (await scene.activePods()).map(({ metadata }) => metadata.name).join() === "stays");
    await scene.until("it is told", async () => (await told(scene)).length === 1);
    expect(await told(scene)).toEqual(["TaintManagerEviction Marking for deletion Pod goes"]);
  });

  it("that is removed in time keeps the pod, and records an Event", async () => {
    const scene = await open({ controllers });
    await scene.client.create(Node, { metadata: { name: nodeOf(scene) } });
    await place(scene, "waits", [{ ...out, operator: "Exists", tolerationSeconds: 600 }]);
    await taint(scene, out);
    await scene.settle(500);
    await taint(scene);
    await scene.until("it is told", async () => (await told(scene)).length > 0);
    expect(await told(scene)).toEqual(["TaintManagerEviction Cancelling deletion of Pod waits"]);
    expect(await scene.activePods()).toHaveLength(1);
  });
});
