import { Node, Pod } from "@drover/api/core/v1";
import { newForbidden } from "@drover/machinery";
import { ManualClock, recordingLog } from "@drover/machinery/testing";
import { describe, expect, expectTypeOf, it } from "vitest";
import { createClient } from "./client.ts";
import type { Client } from "./client.ts";
import type { TableClient } from "./table-client.ts";
import { jsonResponse, scriptedTransport, statusResponse } from "../testing/scripted-transport.ts";
import type { Script, ScriptedTransport } from "../testing/scripted-transport.ts";

const set = (script: Script): { readonly client: Client; readonly server: ScriptedTransport } => {
  const clock = new ManualClock();
  const server = scriptedTransport(script);
  return { client: createClient({ transport: server, clock, log: recordingLog(clock), namespace: "shop" }), server };
};
const table = {
  kind: "Table",
  apiVersion: "meta.k8s.io/v1",
  metadata: { resourceVersion: "7", continue: "more" },
  columnDefinitions: [{ name: "Ready", type: "string", format: "", description: "", priority: 0 }],
  rows: [{ cells: ["1/1"], object: { metadata: { name: "web" } } }],
};
const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", creationTimestamp: "2026-01-01T00:00:00Z" },
  spec: { containers: [] },
};

describe("tableClient", () => {
  it.for<readonly [string, (client: Client) => unknown, string]>([
    ["one object", (c) => c.table(Pod).get("web", { resourceVersion: "0" }), "/api/v1/namespaces/shop/pods/web?resourceVersion=0"],
    ["a list", (c) => c.table(Pod).list(), "/api/v1/namespaces/shop/pods"],
    [
      "a page of all namespaces",
      (c) => c.table(Pod).list({ namespace: "*", limit: 5, labelSelector: "a=b", includeObject: "Object" }),
      "/api/v1/pods?labelSelector=a%3Db&limit=5&includeObject=Object",
    ],
    ["a kind without a namespace", (c) => c.table(Node).list({ includeObject: "None" }), "/api/v1/nodes?includeObject=None"],
    [
      "a resource found by discovery",
      (c) => c.table({ group: "shop.example", version: "v1", resource: "orders", kind: "Order", scope: "Namespaced" }).list(),
      "/apis/shop.example/v1/namespaces/shop/orders",
    ],
  ])("requests a table as kubectl does: %s", async ([, call, path]) => {
    const { client, server } = set([jsonResponse(table)]);
    expect(await call(client)).toEqual(table);
    expect(server.requests[0]).toMatchObject({
      method: "GET",
      path,
      headers: {
        accept: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json",
      },
    });
  });

  it("returns columns and rows also if the server sends null", async () => {
    expect(
      await set([jsonResponse({ ...table, columnDefinitions: null, rows: null })])
        .client.table(Pod)
        .list(),
    ).toMatchObject({ columnDefinitions: [], rows: [] });
  });

  it("makes a table of names and ages for a server that cannot", async () => {
    const columns = [{ name: "Name" }, { name: "Created At", type: "date" }];
    const { client } = set([
      jsonResponse(pod),
      jsonResponse({ kind: "PodList", apiVersion: "v1", metadata: { resourceVersion: "7" }, items: [pod, { metadata: {} }] }),
      jsonResponse(pod),
      jsonResponse(pod),
    ]);
    expect(await client.table(Pod).get("web")).toMatchObject({
      kind: "Table",
      columnDefinitions: columns,
      rows: [
        {
          cells: ["web", "2026-01-01T00:00:00Z"],
          object: { apiVersion: "meta.k8s.io/v1", kind: "PartialObjectMetadata", metadata: pod.metadata },
        },
      ],
    });
    expect(await client.table(Pod).list()).toMatchObject({
      metadata: { resourceVersion: "7" },
      rows: [{ cells: ["web", "2026-01-01T00:00:00Z"] }, { cells: ["", null] }],
    });
    expect((await client.table(Pod).get("web", { includeObject: "Object" })).rows[0]?.object).toEqual(pod);
    expect((await client.table(Pod).get("web", { includeObject: "None" })).rows[0]).not.toHaveProperty("object");
  });

  it("rejects with the server's error, and takes no namespace for cluster-scoped kinds", async () => {
    const { client } = set([statusResponse(newForbidden({ group: "", resource: "pods" }, "web", "no"))]);
    await expect(client.table(Pod).get("web")).rejects.toMatchObject({
      name: "ApiError",
      reason: "Forbidden",
      attempt: "get pods/web in shop",
    });
    expectTypeOf(client.table(Node)).toEqualTypeOf<TableClient<"Cluster">>();
    // @ts-expect-error -- nodes are not namespaced
    await expect(client.table(Node).list({ namespace: "shop" })).rejects.toThrow("this resource is not namespaced");
  });
});
