/** Quotas: our controller counts, the API server, ours or the real one, refuses. */
import { ConfigMap, Pod, ResourceQuota, Service } from "@drover/api/core/v1";
import { isForbidden } from "@drover/machinery";
import { expect, it } from "vitest";
import type { Scene } from "../../packages/controller-manager/src/testing/manager-scene.ts";
import { describeScenes } from "./stages.ts";

const only = { controllers: ["resourcequota"] };
type Amounts = Readonly<Record<string, string>>;

const usedOf = async ({ client }: Scene, name: string): Promise<Amounts> =>
  ((await client.get(ResourceQuota, name)).status?.used ?? {}) as Amounts;
const becomes = (scene: Scene, name: string, expected: Amounts): Promise<void> =>
  scene.until(`${name} uses ${JSON.stringify(expected)}`, async () => {
    const used = await usedOf(scene, name);
    return Object.entries(expected).every(([resource, amount]) => used[resource] === amount);
  });
const quota = (name: string, hard: Amounts, spec: Partial<NonNullable<ResourceQuota["spec"]>> = {}): ResourceQuota => ({
  metadata: { name },
  spec: { hard: { ...hard }, ...spec },
});
const pod = (name: string, cpu?: string): Pod => ({
  metadata: { name },
  spec: { containers: [{ name: "c", image: "i", ...(cpu === undefined ? {} : { resources: { requests: { cpu } } }) }] },
});

describeScenes("a ResourceQuota", (open) => {
  it("is counted, refuses, and gets back what is deleted", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    const { client } = scene;
    await client.create(ResourceQuota, quota("q", { pods: "2", "requests.cpu": "1", services: "1" }));
    await becomes(scene, "q", { pods: "0", "requests.cpu": "0", services: "0" });
    await client.create(Pod, pod("a", "600m"));
    await client.create(Service, { metadata: { name: "s" }, spec: { ports: [{ port: 1 }] } });
    await becomes(scene, "q", { pods: "1", "requests.cpu": "600m", services: "1" });
    await expect(client.create(Pod, pod("b", "500m"))).rejects.toSatisfy(isForbidden);
    await expect(client.create(Pod, pod("b"))).rejects.toThrow("failed quota: q: must specify requests.cpu for: c");
    await client.delete(Pod, "a", { gracePeriodSeconds: 0 });
    await becomes(scene, "q", { pods: "0", "requests.cpu": "0" });
    await client.create(Pod, pod("b", "500m"));
    await client.delete(Service, "s");
    await becomes(scene, "q", { pods: "1", "requests.cpu": "500m", services: "0" });
  });

  it("counts what was there before it, in its scope", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    const { client } = scene;
    await client.create(Pod, pod("best"));
    await client.create(Pod, pod("asks", "1m"));
    await client.create(ConfigMap, { metadata: { name: "c" } });
    await client.create(ResourceQuota, quota("best", { pods: "9" }, { scopes: ["BestEffort"] }));
    await client.create(ResourceQuota, quota("all", { "count/pods": "9", "count/secrets": "1" }));
    await becomes(scene, "best", { pods: "1" });
    await becomes(scene, "all", { "count/pods": "2", "count/secrets": "0" });
    const { status, metadata } = await client.get(ResourceQuota, "all");
    expect(status?.hard).toEqual({ "count/pods": "9", "count/secrets": "1" });
    expect(metadata.managedFields?.map(({ manager, subresource }) => `${manager} ${subresource ?? ""}`)).toContain(
      "kube-controller-manager status",
    );
  });
});
