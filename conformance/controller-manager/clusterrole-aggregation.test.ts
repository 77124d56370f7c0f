/** ClusterRoles that consist of other ClusterRoles. */
import { ClusterRole } from "@drover/api/rbac/v1";
import { isNotFound } from "@drover/machinery";
import { expect, it } from "vitest";
import type { Scene } from "../../packages/controller-manager/src/testing/manager-scene.ts";
import { describeScenes } from "./stages.ts";

const only = { controllers: ["clusterrole-aggregation"] };
const rule = (resource: string): NonNullable<ClusterRole["rules"]>[number] => ({ verbs: ["get"], apiGroups: [""], resources: [resource] });
const resourcesOf = async (scene: Scene, name: string): Promise<string> =>
  ((await scene.client.get(ClusterRole, name)).rules ?? []).flatMap(({ resources = [] }) => resources).join(" ");

describeScenes("an aggregated ClusterRole", (open) => {
  it("has the rules of the roles that its selectors match, while these come, change and go", { timeout: 60_000 }, async () => {
    const scene = await open(only);
    const create = (name: string, labels: Record<string, string>, to: string | undefined, ...rules: string[]): Promise<ClusterRole> =>
      scene.client.create(ClusterRole, {
        metadata: { name, labels },
        rules: rules.map(rule),
        ...(to === undefined ? {} : { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { to } }] } }),
      });
    const becomes = (name: string, resources: string): Promise<void> =>
      scene.until(`${name} has the rules for ${resources}`, async () => (await resourcesOf(scene, name)) === resources);
    await create("part-b", { to: "whole" }, undefined, "pods", "secrets");
    await create("whole", { to: "all" }, "whole");
    await create("all", {}, "all");
    await becomes("whole", "pods secrets");
    await create("part-a", { to: "whole" }, undefined, "nodes", "pods");
    await becomes("whole", "nodes pods secrets");
    await becomes("all", "nodes pods secrets");
    await scene.client.patch(ClusterRole, "part-b", { type: "merge", body: { rules: [rule("events")] } });
    await becomes("all", "nodes pods events");
    await scene.client.delete(ClusterRole, "part-a");
    await becomes("all", "events");
    const { metadata } = await scene.client.get(ClusterRole, "all");
    expect(metadata.managedFields?.map(({ manager, operation }) => `${manager} ${operation}`)).toContain(
      "clusterrole-aggregation-controller Apply",
    );
    await scene.client.patch(ClusterRole, "part-b", { type: "merge", body: { metadata: { labels: { to: null } } } });
    await becomes("all", "");
    for (const name of ["part-b", "whole", "all"])
      await scene.client.delete(ClusterRole, name).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
  });
});
