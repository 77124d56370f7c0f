/** The aggregated roles of a new cluster in mode RBAC: made by kube-controller-manager on its server, and by our controller on ours. */
import type { ClusterRole } from "@drover/api/rbac/v1";
import { createApiServer } from "@drover/apiserver";
import { nodeHost } from "@drover/apiserver/node";
import { createClient } from "@drover/client";
import { clusterRoleAggregationController } from "@drover/controller-manager";
import { poll } from "@drover/machinery";
import { ManualClock, testRuntime } from "@drover/machinery/testing";
import { nodeRuntime } from "drover";
import { expect, it } from "vitest";
import { runControllers } from "../../packages/controller-manager/src/testing/controllers-scene.ts";
import { realClusterMissing, startRealCluster } from "../servers/real-cluster.ts";

const names = ["admin", "edit", "view"];
const path = "/apis/rbac.authorization.k8s.io/v1/clusterroles/";

/** Without what differs between any two clusters. */
function masked(text: string): ClusterRole {
  return JSON.parse(text.replaceAll(/"(?:uid|resourceVersion|creationTimestamp|time)":"[^"]*"/g, '"masked":""')) as ClusterRole;
}

/** The controller may have seen some of the roles first, and has to go on. */
const isComplete = (roles: readonly ClusterRole[]): boolean =>
  roles.every(({ rules }, index) => (rules?.length ?? 0) > (index < 2 ? 15 : 7));

async function ourRoles(): Promise<readonly ClusterRole[]> {
  const clock = new ManualClock({ quietTurns: 128 });
  const runtime = testRuntime({ clock });
  const server = await createApiServer({ runtime, host: nodeHost, authorizationModes: ["RBAC"] });
  const calm = (ms = 0): Promise<void> => clock.advance(ms);
  const client = createClient({ transport: server.handle, clock, log: runtime.log, namespace: "default" });
  const scene = { runtime, transport: server.handle, client, calm, until: () => Promise.resolve(), close: () => Promise.resolve() };
  const running = runControllers(scene, { controllers: [clusterRoleAggregationController] });
  await calm(10_000);
  await running.end();
  const roles: ClusterRole[] = [];
  for (const name of names) {
    const { body } = await server.handle({ method: "GET", path: path + name, headers: {} });
    roles.push(masked(body as string));
  }
  server.close();
  return roles;
}

it("has the rules that kube-controller-manager gives to the aggregated roles of a new cluster", async (ctx) => {
  const missing = realClusterMissing();
  if (missing !== undefined) ctx.skip(missing);
  const real = await startRealCluster();
  try {
    const ours = await ourRoles();
    const theirs = async (): Promise<readonly ClusterRole[]> =>
      Promise.all(names.map(async (name) => masked((await real.send({ method: "GET", path: path + name })).body)));
    expect(isComplete(ours)).toBe(true);
    const isEqual = async (): Promise<boolean> =>
      JSON.stringify((await theirs()).map(({ rules }) => rules)) === JSON.stringify(ours.map(({ rules }) => rules));
    await poll(nodeRuntime({ write: () => undefined }).clock, { interval: 100, timeout: 30_000, immediate: true }, isEqual).catch(
      () => undefined,
    );
    expect(ours).toEqual(await theirs());
  } finally {
    await real.stop();
  }
}, 120_000);
