import { Node, Pod } from "@drover/api/core/v1";
import { Event } from "@drover/api/events/v1";
import type { Client } from "@drover/client";
import { describe, expect, it } from "vitest";
import { addBareNode, bareCluster, barePod } from "../testing/bare-cluster.ts";

const nodeOf = async (client: Client, name: string): Promise<string | undefined> =>
  (await client.get(Pod, name, { namespace: "default" })).spec?.nodeName;
const conditionOf = async (client: Client, name: string): Promise<unknown> =>
  (await client.get(Pod, name, { namespace: "default" })).status?.conditions?.find(({ type }) => type === "PodScheduled");

describe("addScheduler", () => {
  it("binds a pending pod to a node and records the Scheduled event", async () => {
    await using on = await bareCluster("node-1");
    const { client, clock, cluster } = on;
    await client.create(Pod, barePod("web"));
    await clock.advance(1000);
    const flushed = cluster.events.flush();
    await clock.advance(1000);
    await flushed;
    expect(await nodeOf(client, "web")).toBe("node-1");
    const events = (await client.list(Event, { namespace: "default" })).items.filter(({ reason }) => reason === "Scheduled");
    expect(events.map(({ note }) => note)).toEqual(["Successfully assigned default/web to node-1"]);
  });

  it("leaves pods of another scheduler alone", async () => {
    await using on = await bareCluster("node-1");
    const { client, clock } = on;
    await client.create(Pod, barePod("other", { schedulerName: "my-scheduler" }));
    await clock.advance(60_000);
    expect(await nodeOf(client, "other")).toBeUndefined();
    expect(await conditionOf(client, "other")).toBeUndefined();
  });

  it("counts a pod it has just bound before the cache shows the binding", async () => {
    await using on = await bareCluster("node-1");
    const { client, clock } = on;
    for (const name of ["a", "b", "c"]) await client.create(Pod, barePod(name, { cpu: "1" }));
    await clock.advance(1000);
    const bound = await Promise.all(["a", "b", "c"].map((name) => nodeOf(client, name)));
    expect(bound.filter((node) => node === "node-1")).toHaveLength(2);
  });

  it("tries an unschedulable pod again when a pod leaves or a node comes", async () => {
    await using on = await bareCluster("node-1");
    const { client, clock, kubelets } = on;
    for (const name of ["first", "second", "third"]) await client.create(Pod, barePod(name, { cpu: "1500m" }));
    await clock.advance(1000);
    expect([await nodeOf(client, "first"), await nodeOf(client, "second")]).toEqual(["node-1", undefined]);
    expect(await conditionOf(client, "second")).toMatchObject({ status: "False", reason: "Unschedulable" });
    await client.delete(Pod, "first", { namespace: "default" });
    await clock.advance(30_000);
    expect([await nodeOf(client, "second"), await nodeOf(client, "third")]).toEqual(["node-1", undefined]);
    await addBareNode(kubelets, "node-2");
    await clock.advance(30_000);
    expect(await nodeOf(client, "third")).toBe("node-2");
  });

  it("writes an unschedulable pod's condition once while the reason stays the same", async () => {
    await using on = await bareCluster();
    const { client, clock } = on;
    await client.create(Pod, barePod("web"));
    await clock.advance(1000);
    const { metadata: first } = await client.get(Pod, "web", { namespace: "default" });
    await clock.advance(20 * 60_000);
    const { metadata: later } = await client.get(Pod, "web", { namespace: "default" });
    expect(later.resourceVersion).toBe(first.resourceVersion);
  });

  it("skips a node that was deleted", async () => {
    await using on = await bareCluster("node-1", "node-2");
    const { client, clock } = on;
    await client.delete(Node, "node-1");
    await clock.advance(1000);
    for (const name of ["a", "b"]) await client.create(Pod, barePod(name));
    await clock.advance(1000);
    expect([await nodeOf(client, "a"), await nodeOf(client, "b")]).toEqual(["node-2", "node-2"]);
  });
});
