import type { ClusterRole } from "@drover/api/rbac/v1";
import { objectKey } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { echoServer } from "../testing/echo-server.ts";
import { idleContext } from "../testing/idle-context.ts";
import { syncedInformer } from "../testing/synced-informer.ts";
import { aggregate, clusterRoleAggregationController } from "./cluster-role-aggregation.ts";

const pods = { verbs: ["get"], apiGroups: [""], resources: ["pods"] };
const part: ClusterRole = { metadata: { name: "part", labels: { to: "whole" } }, rules: [pods] };
const whole: ClusterRole = { metadata: { name: "whole" }, aggregationRule: { clusterRoleSelectors: [{ matchLabels: { to: "whole" } }] } };
const sync = async (name: string, ...roles: readonly ClusterRole[]): Promise<ReturnType<typeof echoServer>> => {
  const server = echoServer();
  await aggregate({ key: objectKey(name), client: server.client }, await syncedInformer<ClusterRole>(...roles));
  return server;
};

describe("aggregate", () => {
  it("applies the rules of the selected roles", async () => {
    const { asked } = await sync("whole", whole, part);
    expect(asked.map(({ body }) => body)).toMatchObject([{ metadata: { name: "whole" }, rules: [pods] }]);
  });

  it("applies no rules when none of the selected roles is left", async () => {
    const { asked } = await sync("whole", { ...whole, rules: [pods] });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.body).not.toHaveProperty("rules");
  });

  it("sends nothing for a role that is right, that is not aggregated, or that is gone", async () => {
    expect((await sync("whole", { ...whole, rules: [pods] }, part)).asked).toEqual([]);
    expect((await sync("part", whole, part)).asked).toEqual([]);
    expect((await sync("gone", whole, part)).asked).toEqual([]);
  });
});

describe("clusterRoleAggregationController", () => {
  it("has upstream's names, watches ClusterRoles, and declares its permissions", () => {
    const { context, controllers } = idleContext();
    clusterRoleAggregationController.add(context);
    expect([clusterRoleAggregationController.name, clusterRoleAggregationController.aliases]).toEqual([
      "clusterrole-aggregation-controller",
      ["clusterrole-aggregation"],
    ]);
    expect(controllers[0]?.needs.map(({ resource, verbs }) => [resource, ...verbs].join(" "))).toEqual([
      "clusterroles patch",
      "clusterroles list watch",
    ]);
  });
});
