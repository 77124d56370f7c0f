/** What clients see of the bounds of the store. */
import { ManualClock } from "@drover/machinery/testing";
import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";
import { MemoryStore } from "./memory-store.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const configMap = (name: string, length: number): { metadata: { name: string }; data: { a: string } } => ({
  metadata: { name },
  data: { a: "x".repeat(length) },
});

describe("a server whose store is bounded", () => {
  it("answers 410 for lists, pages and watches before the retained history (SEC1)", async () => {
    const server = await testServer({ store: new MemoryStore({ clock: new ManualClock(), historyBytes: 100_000 }) });
    for (const name of ["a", "b", "c"]) expect((await server.call("POST", maps, configMap(name, 1))).status).toBe(201);
    const first = await server.call("GET", `${maps}?limit=1`);
    const { resourceVersion, continue: token } = first.object["metadata"] as { resourceVersion: string; continue: string };
    const slow = await server.watch(`${maps}?watch=true&resourceVersion=${resourceVersion}`);
    for (let n = 0; n < 20; n++) expect((await server.call("PUT", `${maps}/a`, configMap("a", 10_000 + n))).status).toBe(200);
    const exact = await server.call("GET", `${maps}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`);
    expect([exact.status, exact.object["reason"]]).toEqual([410, "Expired"]);
    const rest = await server.call("GET", `${maps}?limit=1&continue=${encodeURIComponent(token)}`);
    expect([rest.status, rest.object["reason"]]).toEqual([410, "Expired"]);
    expect(await slow.next()).toMatchObject({ type: "ERROR", object: { code: 410, reason: "Expired" } });
    expect(await slow.next()).toBeUndefined();
    server.close();
  });

  it("answers as with a full etcd once its data exceed the quota, and recovers by deletion (SEC1)", async () => {
    const store = new MemoryStore({ clock: new ManualClock(), quotaBytes: 500_000 });
    const server = await testServer({ store });
    const statuses: number[] = [];
    for (let n = 0; n < 10; n++) statuses.push((await server.call("POST", maps, configMap(`m${n}`, 100_000))).status);
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(3);
    const refused = await server.call("POST", maps, configMap("last", 100_000));
    expect([refused.status, refused.object]).toEqual([
      500,
      {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: "etcdserver: mvcc: database space exceeded",
        code: 500,
      },
    ]);
    expect((await server.call("GET", `${maps}/m0`)).status).toBe(200);
    expect((await server.call("DELETE", `${maps}/m0`)).status).toBe(200);
    expect((await server.call("POST", maps, configMap("last", 100_000))).status).toBe(201);
    server.close();
  });

  it("counts reached limits at /metrics", async () => {
    const server = await testServer();
    await server.call("POST", maps, {
      metadata: { name: "a" },
      data: Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`a b${n}`, ""])),
    });
    expect((await server.call("GET", "/metrics")).text).toContain('drover_budget_exceeded_total{budget="apiserver/validation-errors"} 1\n');
    server.close();
  });
});
