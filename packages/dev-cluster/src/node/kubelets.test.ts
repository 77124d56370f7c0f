import { Lease } from "@drover/api/coordination/v1";
import { Node, Pod } from "@drover/api/core/v1";
import type { Client } from "@drover/client";
import { describe, expect, it } from "vitest";
import { addBareNode, bareCluster, barePod } from "../testing/bare-cluster.ts";

const renewed = async (client: Client, node: string): Promise<number> =>
  Date.parse((await client.get(Lease, node, { namespace: "kube-node-lease" })).spec?.renewTime ?? "");
const addresses = async (client: Client): Promise<readonly (string | undefined)[]> =>
  (await client.list(Pod, { namespace: "default" })).items.map(({ status }) => status?.podIP);

describe("Kubelets.addNode", () => {
  it("registers a ready Node with its addresses and a Lease that the Node owns", async () => {
    await using on = await bareCluster("node-1");
    const { client, kubelets } = on;
    const node = await client.get(Node, "node-1");
    expect(kubelets.nodes).toEqual(["node-1"]);
    expect(node.status).toMatchObject({ allocatable: { cpu: "2" }, addresses: [{ address: "172.18.0.1" }, { address: "node-1" }] });
    expect(node.status?.conditions?.find(({ type }) => type === "Ready")?.status).toBe("True");
    expect((await client.get(Lease, "node-1", { namespace: "kube-node-lease" })).metadata.ownerReferences).toMatchObject([
      { kind: "Node", uid: node.metadata.uid },
    ]);
  });

  it("runs pods that were bound before the node came", async () => {
    await using on = await bareCluster();
    const { client, clock, kubelets } = on;
    await client.create(Pod, barePod("early", { nodeName: "node-1" }));
    await clock.advance(1000);
    expect((await client.get(Pod, "early", { namespace: "default" })).status?.phase).toBe("Pending");
    await addBareNode(kubelets, "node-1");
    await clock.advance(1000);
    expect((await client.get(Pod, "early", { namespace: "default" })).status?.phase).toBe("Running");
  });

  it("keeps the addresses of running pods when a stopped node is added again", async () => {
    await using on = await bareCluster("node-1");
    const { client, clock, kubelets } = on;
    for (const name of ["a", "b"]) await client.create(Pod, barePod(name));
    await clock.advance(1000);
    const before = await addresses(client);
    kubelets.stopNode("node-1");
    await addBareNode(kubelets, "node-1");
    await client.create(Pod, barePod("c"));
    await clock.advance(1000);
    const now = await addresses(client);
    expect(now.slice(0, 2)).toEqual(before);
    expect(new Set(now).size).toBe(3);
  });
});

describe("Kubelets.stopNode", () => {
  it("ends heartbeats and leaves pods of the node as they are", async () => {
    await using on = await bareCluster("node-1", "node-2");
    const { client, clock, kubelets } = on;
    kubelets.stopNode("node-1");
    await client.create(Pod, barePod("held", { nodeName: "node-1" }));
    const stopped = clock.now();
    await clock.advance(60_000);
    expect(kubelets.nodes).toEqual(["node-2"]);
    expect(await renewed(client, "node-1")).toBeLessThanOrEqual(stopped);
    expect(await renewed(client, "node-2")).toBeGreaterThanOrEqual(stopped + 50_000);
    expect((await client.get(Pod, "held", { namespace: "default" })).status?.phase).toBe("Pending");
  });

  it("throws for an unknown node and names those that run", async () => {
    await using on = await bareCluster("node-1");
    expect(() => on.kubelets.stopNode("node-9")).toThrow(/node-9.*node-1/);
  });
});

describe("the kubelet of a simulated node", () => {
  it("gives a pod an address until the pod is gone, then gives the address to another", async () => {
    await using on = await bareCluster("node-1");
    const { client, clock } = on;
    for (const name of ["a", "b", "c", "d", "e", "f"]) await client.create(Pod, barePod(name));
    await clock.advance(1000);
    expect((await addresses(client)).filter((address) => address === undefined)).toHaveLength(1);
    await client.delete(Pod, "a", { namespace: "default" });
    await clock.advance(60_000);
    const given = await addresses(client);
    expect([given.length, new Set(given)]).toEqual([5, new Set([2, 3, 4, 5, 6].map((last) => `10.244.1.${last}`))]);
  });

  it("gives pods of the host network the node's address", async () => {
    await using on = await bareCluster("node-1");
    const { client, clock } = on;
    await client.create(Pod, barePod("host", { hostNetwork: true }));
    await clock.advance(1000);
    expect((await client.get(Pod, "host", { namespace: "default" })).status).toMatchObject({ podIP: "172.18.0.1", hostIP: "172.18.0.1" });
  });

  it("stops when its Node is deleted and does not register again by itself", async () => {
    await using on = await bareCluster("node-1");
    const { client, clock, kubelets } = on;
    await client.delete(Node, "node-1");
    await clock.advance(60_000);
    expect([kubelets.nodes, (await client.list(Node)).items]).toEqual([[], []]);
  });

  it("serves logs of its own pods only", async () => {
    await using on = await bareCluster("node-1");
    const options = { follow: false, previous: false, timestamps: false };
    const logsOf = (node: string): unknown => on.kubelets.logs(barePod("web", { nodeName: node }), "web", options);
    expect(logsOf("node-9")).toBeUndefined();
    expect(logsOf("node-1")).toBeDefined();
  });
});
