import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";
import type { TestServer } from "../testing/test-server.ts";

const pods = "/api/v1/namespaces/default/pods";
const strategic = { "content-type": "application/strategic-merge-patch+json" };
const container = { name: "c", image: "c", resources: { requests: { cpu: "100m" } } };

async function withNode(labels: Readonly<Record<string, string>>): Promise<TestServer> {
  const server = await testServer();
  await server.call("POST", "/api/v1/nodes", { metadata: { name: "n", labels } });
  await server.call(
    "PATCH",
    "/api/v1/nodes/n/status",
    { status: { allocatable: { cpu: "2", memory: "1Gi" }, capacity: { cpu: "2", memory: "1Gi" } } },
    { "content-type": "application/merge-patch+json" },
  );
  return server;
}

describe("a running pod", () => {
  it("grows within the resources of its node", async () => {
    const { call } = await withNode({});
    await call("POST", pods, { metadata: { name: "a" }, spec: { nodeName: "n", containers: [container] } });
    const resize = (cpu: string) =>
      call("PATCH", `${pods}/a/resize`, { spec: { containers: [{ name: "c", resources: { requests: { cpu } } }] } }, strategic);
    expect((await resize("2")).status).toBe(200);
    const { object } = await resize("2500m");
    expect(object["message"]).toBe(
      `pods "a" is forbidden: node didn't have enough allocatable resources: cpu, requested: 2500, allocatable: 2000`,
    );
    expect((object["details"] as { readonly causes: unknown }).causes).toEqual([{ reason: "NodeCapacity" }]);
  });

  it("grows on Linux only", async () => {
    const { call } = await withNode({ "kubernetes.io/os": "windows" });
    await call("POST", pods, { metadata: { name: "a" }, spec: { nodeName: "n", containers: [container] } });
    const body = { spec: { containers: [{ name: "c", resources: { requests: { cpu: "1" } } }] } };
    expect((await call("PATCH", `${pods}/a/resize`, body, strategic)).object["message"]).toContain(
      'pod resize is only supported on linux nodes, node "n" is "windows"',
    );
  });
});
